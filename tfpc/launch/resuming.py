"""Which run is continued, and whether it still is the same one."""

from __future__ import annotations

import ast
import difflib
import json
import pathlib
import re

from tfpc.driver import Compiled, Options, name_of
from tfpc.launch.folder import RunFolder, spec_copy, versions
from tfpc.launch.refusal import RefusedError
from tfpc.vocabulary.monitor import Checkpoint

# They say which text a program is of and where that was, not what it does.
ORIGIN = ("SPEC_FOLDER", "SPEC_DIGEST")
PLACE = re.compile(r"[^\n]*:\d+:\d+")
MOST_LINES = 40


def folder_to_resume(
    compiled: Compiled, chosen: str | None, options: Options
) -> RunFolder:
    """The folder of the run to continue. Raises RefusedError if there is none."""
    assert compiled.plan is not None
    if not any(isinstance(each.monitor, Checkpoint) for each in compiled.plan.monitors):
        raise RefusedError(
            "TFP906",
            "this spec keeps no checkpoints, so there is nothing to resume from",
            "add `checkpoint` to the `observe` block, and start a new run",
        )
    name = name_of(compiled.source)
    folder = latest(name) if chosen is None else named(chosen)
    check_unchanged(folder, compiled, options)
    return folder


def named(chosen: str) -> RunFolder:
    """The run in the folder that the user named."""
    folder = RunFolder(pathlib.Path(chosen))
    if not folder.program.exists():
        raise RefusedError(
            "TFP906",
            f"{chosen} holds no run",
            "name the run folder that `tfpc run` printed, as in "
            "`--run-dir runs/NAME/TIME`",
        )
    return folder


def latest(name: str) -> RunFolder:
    """The latest run of a spec that has a checkpoint."""
    runs = pathlib.Path("runs") / name
    folders = sorted((path for path in runs.glob("*") if path.is_dir()), key=by_time)
    for path in reversed(folders):
        folder = RunFolder(path)
        if folder.checkpoints and folder.program.exists():
            return folder
    raise RefusedError(
        "TFP906",
        f"no run in {runs} has a checkpoint to go on from",
        "start a run without `--resume`, or name a run's folder by `--run-dir`",
    )


def by_time(path: pathlib.Path) -> tuple[str, int]:
    """The second of a run's start, and its number among the runs of that second."""
    found = re.fullmatch(r"(.*T\d\d-\d\d-\d\d)-(\d+)", path.name)
    return (found[1], int(found[2])) if found else (path.name, 1)


def check_unchanged(folder: RunFolder, compiled: Compiled, options: Options) -> None:
    """A run goes on with the program that it began with. Raises RefusedError."""
    assert compiled.program is not None
    before = folder.program.read_text(encoding="utf-8", errors="replace")
    if meaning(before) == meaning(compiled.program):
        return
    raise RefusedError(
        "TFP906",
        f"the run in {folder.path} was started with another program",
        "undo what has changed, or start a new run without `--resume`",
        what_differs(folder, compiled, options),
    )


def meaning(program: str) -> str:
    """What a program does: its syntax tree, without where in a spec things stand.

    So a comment in the spec, or a spec that was moved, does not stop a resume.
    """
    try:
        tree = ast.parse(program)
    except (SyntaxError, ValueError):
        return program
    tree.body = [node for node in tree.body if assigned(node) not in ORIGIN]
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = PLACE.sub("", node.value)
    return ast.dump(tree)


def assigned(node: ast.stmt) -> str | None:
    """The name that a statement gives a value to, if it is just that."""
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id
    return None


def what_differs(folder: RunFolder, compiled: Compiled, options: Options) -> str:
    """The differences that a user may have made, most likely the reason."""
    said = []
    copy = spec_copy(folder, compiled)
    old = copy.read_text(encoding="utf-8").splitlines() if copy.exists() else []
    new = compiled.source.text.splitlines()
    names = (str(copy), compiled.source.name)
    lines = list(difflib.unified_diff(old, new, *names, lineterm="", n=1))
    if len(lines) > MOST_LINES:
        lines[MOST_LINES:] = [f"... and {len(lines) - MOST_LINES} more lines"]
    said += lines
    record = flags_of(folder)
    before = flags(record.get("settings", []), record.get("profiles", []))
    if before != options.flags:
        said.append(f"then: {' '.join(before) or 'no --set'}")
        said.append(f"now:  {' '.join(options.flags) or 'no --set'}")
    made_by = record.get("versions")
    tfpc = made_by.get("tfpc") if isinstance(made_by, dict) else None
    if tfpc != versions()["tfpc"]:
        said.append(f"then: tfpc {tfpc}")
        said.append(f"now:  tfpc {versions()['tfpc']}")
    return "\n".join(said) or "The spec and the flags are the same: the data differs."


def flags_of(folder: RunFolder) -> dict[str, object]:
    """What `flags.json` says; empty if it can't be read."""
    try:
        record = json.loads(folder.flags.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}


def flags(settings: object, profiles: object) -> list[str]:
    """The flags of a record as they were typed; none for what no tfpc wrote."""
    if isinstance(settings, list) and isinstance(profiles, list):
        return Options(tuple(settings), tuple(profiles)).flags
    return []
