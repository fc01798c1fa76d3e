"""The folder of a run: all that is needed to repeat, resume or explain it."""

from __future__ import annotations

import json
import os
import pathlib
import platform
import re
import sys
import time
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from tfpc.diagnostics.span import Source
from tfpc.driver import Compiled, Options, folder_of, name_of
from tfpc.launch.refusal import RefusedError
from tfpc.plan.as_json import as_json

PACKAGES = ("tfpc", "tensorflow", "keras")


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
    def plan(self) -> pathlib.Path:
        """What was planned, for machines."""
        return self.path / "plan.json"

    @property
    def flags(self) -> pathlib.Path:
        """How the run was started, and by which versions."""
        return self.path / "flags.json"

    @property
    def checkpoints(self) -> list[pathlib.Path]:
        """The checkpoints that a run can go on from, the newest last."""
        found = (self.path / "checkpoints").glob("step-*")
        return sorted(path for path in found if re.fullmatch(r"step-\d+", path.name))


def default_path(name: str) -> pathlib.Path:
    """Where a run that starts now goes; `new_folder` may add a number to it."""
    return pathlib.Path("runs") / name / time.strftime("%Y-%m-%dT%H-%M-%S")


def new_folder(path: pathlib.Path, *, chosen: bool) -> RunFolder:
    """Makes the folder of a new run. Raises RefusedError.

    chosen: whether the user named it, so that no other one will do.
    """
    try:
        return chosen_folder(path) if chosen else free_folder(path)
    except OSError as problem:
        raise RefusedError(
            "TFP905",
            f"the folder {path} can't be made: {problem.strerror or problem}",
            "name another one: `--run-dir DIR`",
        ) from None


def chosen_folder(path: pathlib.Path) -> RunFolder:
    """The folder that the user named. It may exist, but nothing in it is lost."""
    path.mkdir(parents=True, exist_ok=True)
    folder = RunFolder(path)
    if folder.program.exists() and folder.flags.exists():
        raise RefusedError(
            "TFP905",
            f"{path} already holds a run",
            "name another folder by `--run-dir`, or add `--resume` to continue the run",
        )
    files = (folder.program, folder.flags, folder.plan, folder.events, folder.log)
    for taken in (*files, folder.spec, path / "checkpoints"):
        if taken.exists():
            raise RefusedError(
                "TFP905",
                f"{path} already has a {taken.name}, which the run would write over",
                "name a folder that is new or empty: `--run-dir DIR`",
            )
    return folder


def free_folder(path: pathlib.Path) -> RunFolder:
    """The folder, or another one beside it if a run of the same second has it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    number = 1
    while True:
        tried = path if number == 1 else path.with_name(f"{path.name}-{number}")
        try:
            tried.mkdir()
        except FileExistsError:
            number += 1
            continue
        return RunFolder(tried)


def way_to(spec_folder: pathlib.Path, program_folder: pathlib.Path) -> str:
    """The way from a program's folder to the spec's, with `/`.

    Links are followed first: from where a link leads to, `..` is another folder than
    from where it stands. Where there is no way (two drives), it is the absolute path.
    """
    there = spec_folder.resolve()
    try:
        return pathlib.Path(os.path.relpath(there, program_folder.resolve())).as_posix()
    except ValueError:
        return there.as_posix()


def fill(folder: RunFolder, compiled: Compiled, options: Options) -> None:
    """Writes everything but what the program itself leaves. Raises RefusedError."""
    try:
        write_all(folder, compiled, options)
    except FileExistsError as problem:
        raise RefusedError(
            "TFP905",
            f"another run has taken {folder.path} in this moment ({problem.filename})",
            "start again with another `--run-dir`",
        ) from None
    except OSError as problem:
        raise RefusedError(
            "TFP905",
            f"{problem.filename or folder.path} can't be written: {problem.strerror}",
            "name another folder: `--run-dir DIR`",
        ) from None


def write_all(folder: RunFolder, compiled: Compiled, options: Options) -> None:
    """Writes the program first: who gets to make that file has the folder."""
    assert compiled.program is not None
    assert compiled.plan is not None
    with open(folder.program, "x", encoding="utf-8", newline="\n") as stream:
        stream.write(compiled.program)
    for source in compiled.sources:
        copy = copy_of(source, folder, compiled)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(source.text, encoding="utf-8", newline="")
    beside = spec_copy(folder, compiled).parent
    for module in {
        each.path: each for use in compiled.plan.python for each in use.files
    }.values():
        copy = beside / module.path.relative_to(folder_of(compiled.source))
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(module.text, encoding="utf-8", newline="")
    write_json(folder.plan, as_json(compiled.plan))
    record = {
        "arguments": sys.argv[1:],
        "profiles": list(options.profiles),
        "settings": list(options.settings),
        "folder": os.getcwd(),
        "spec": compiled.source.name,
        "python": platform.python_version(),
        "executable": sys.executable,
        "versions": versions(),
    }
    write_json(folder.flags, record)


def write_json(path: pathlib.Path, value: object) -> None:
    """A value as indented JSON."""
    path.write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")


def spec_copy(folder: RunFolder, compiled: Compiled) -> pathlib.Path:
    """The copy of the spec in the folder."""
    return copy_of(compiled.source, folder, compiled)


def copy_of(source: Source, folder: RunFolder, compiled: Compiled) -> pathlib.Path:
    """The copy of one file of the spec.

    The files keep their places among each other, so that the copies can be run.
    """
    if source is compiled.source and len(compiled.sources) == 1:
        return folder.spec / f"{name_of(source)}.tfp"
    places = [place_of(each) for each in compiled.sources]
    top = os.path.commonpath([each.parent for each in places])
    return folder.spec / place_of(source).relative_to(top)


def place_of(source: Source) -> pathlib.Path:
    """Where a file of a spec is; what came from standard input is where its paths
    start.
    """
    name = "spec.tfp" if source.name == "-" else source.name
    return pathlib.Path(name).resolve()


def versions() -> dict[str, str | None]:
    """The versions of what makes and runs a program, without importing it."""
    found: dict[str, str | None] = {}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = None
    return found
