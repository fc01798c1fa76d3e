"""The folder of a run: all that is needed to repeat, resume or explain it."""

from __future__ import annotations

import difflib
import json
import pathlib
import platform
import sys
import time
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from tfpc.driver import Compiled, name_of
from tfpc.plan.as_json import as_json


class RunFolderError(Exception):
    """A folder that can't be used; the text says why, fix what to type."""

    def __init__(self, message: str, fix: str) -> None:
        super().__init__(message)
        self.message = message
        self.fix = fix


@dataclass(frozen=True, slots=True)
class RunFolder:
    """Where the files of a run are."""

    path: pathlib.Path

    @property
    def program(self) -> pathlib.Path:
        """The program that was (or is) run."""
        return self.path / "program.py"

    @property
    def events(self) -> pathlib.Path:
        """What the program told, an object a line."""
        return self.path / "events.jsonl"

    @property
    def log(self) -> pathlib.Path:
        """What the program and TensorFlow printed."""
        return self.path / "log.txt"

    @property
    def spec(self) -> pathlib.Path:
        """The folder with the copy of the spec."""
        return self.path / "spec"

    @property
    def checkpoints(self) -> list[pathlib.Path]:
        """The checkpoints, the newest last."""
        return sorted((self.path / "checkpoints").glob("step-*"))


def new_folder(name: str, chosen: str | None) -> RunFolder:
    """A new folder: the chosen one, or one named by the time. Raises RunFolderError."""
    if chosen is not None:
        path = pathlib.Path(chosen)
        if (path / "program.py").exists():
            raise RunFolderError(
                f"{chosen} already holds a run",
                "choose another --run-dir, or add --resume to continue that run",
            )
        path.mkdir(parents=True, exist_ok=True)
        return RunFolder(path)
    runs = pathlib.Path("runs") / name
    stamp = time.strftime("%Y-%m-%dT%H-%M-%S")
    for number in range(1, 1000):
        path = runs / (stamp if number == 1 else f"{stamp}-{number}")
        try:
            path.mkdir(parents=True)
        except FileExistsError:
            continue
        return RunFolder(path)
    raise RunFolderError(f"{runs / stamp} is taken", "choose another --run-dir")


def folder_to_resume(name: str, chosen: str | None) -> RunFolder:
    """The chosen run, or the latest one with a checkpoint. Raises RunFolderError."""
    if chosen is not None:
        folder = RunFolder(pathlib.Path(chosen))
        if not folder.program.exists():
            raise RunFolderError(
                f"{chosen} holds no run", "name the folder that `tfpc run` printed"
            )
        return folder
    runs = pathlib.Path("runs") / name
    folders = [RunFolder(path) for path in sorted(runs.glob("*")) if path.is_dir()]
    resumable = [folder for folder in folders if folder.checkpoints]
    if not resumable:
        raise RunFolderError(
            f"no run below {runs} has a checkpoint to go on from",
            "start one without --resume, or name its folder by --run-dir",
        )
    return resumable[-1]


def fill(folder: RunFolder, compiled: Compiled, flags: list[str], root: str) -> None:
    """Writes everything but what the program itself leaves."""
    assert compiled.program is not None and compiled.plan is not None
    folder.spec.mkdir(parents=True, exist_ok=True)
    file = folder.spec / f"{name_of(compiled.source)}.tfp"
    file.write_text(compiled.source.text, encoding="utf-8", newline="")
    folder.program.write_text(compiled.program, encoding="utf-8", newline="\n")
    plan = json.dumps(as_json(compiled.plan), indent=2)
    (folder.path / "plan.json").write_text(plan + "\n", encoding="utf-8")
    record = {
        "flags": flags,
        "root": root,
        "python": platform.python_version(),
        "versions": {name: installed(name) for name in ("tfpc", "tensorflow", "keras")},
        "executable": sys.executable,
    }
    text = json.dumps(record, indent=2)
    (folder.path / "flags.json").write_text(text + "\n", encoding="utf-8")


def installed(package: str) -> str | None:
    """The version of a package, without importing it."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def check_unchanged(folder: RunFolder, compiled: Compiled) -> None:
    """A run goes on with the program it began with. Raises RunFolderError."""
    assert compiled.program is not None
    before = folder.program.read_text(encoding="utf-8")
    if without_folder(before) == without_folder(compiled.program):
        return
    copy = folder.spec / f"{name_of(compiled.source)}.tfp"
    old = copy.read_text(encoding="utf-8").splitlines() if copy.exists() else []
    new = compiled.source.text.splitlines()
    lines = list(
        difflib.unified_diff(old, new, "the run's spec", "now", lineterm="", n=0)
    )
    changed = (
        "\n".join(lines[:30])
        or "(the spec is the same: --set, the data or tfpc differ)"
    )
    raise RunFolderError(
        f"{folder.path} was started with another program:\n{changed}",
        "undo the change, or start a new run without --resume",
    )


def without_folder(program: str) -> str:
    """A program without the lines that say which spec it is of, and where that was.

    Comments in a spec change its digest, but not what the program does.
    """
    return "\n".join(
        line
        for line in program.splitlines()
        if not line.startswith(("SPEC_FOLDER = ", "SPEC_DIGEST = "))
    )
