"""The contact sheets: where they go, and what their rows are."""

from __future__ import annotations

import pathlib
import shutil
from collections.abc import Sequence

from tfpc.diagnostics.columns import visible
from tfpc.launch.events import Event
from tfpc.launch.folder import RunFolder
from tfpc.launch.peek.row import Row
from tfpc.launch.refusal import RefusedError


def save(folder: RunFolder, peeked: Event, target: pathlib.Path) -> pathlib.Path | None:
    """Puts the sheet of a batch into the folder `target`; None if there is none.

    Raises RefusedError if it can't be written there.
    """
    if not peeked["rows"]:
        return None
    name = f"peek-{peeked['mode']}.png"
    try:
        target.mkdir(parents=True, exist_ok=True)
        return pathlib.Path(shutil.copyfile(folder.path / name, target / name))
    except OSError as problem:
        raise RefusedError(
            "TFP905",
            f"{problem.filename or target} can't be written: {problem.strerror}",
            "name another folder: `-o DIR`",
        ) from None


def legend(path: pathlib.Path, peeked: Event, rows: Sequence[Row]) -> list[str]:
    """The sheet's path, then what its rows are, from the top."""
    steps = {row.number: row for row in rows}
    drawn = peeked["rows"]
    several = len({each["component"] for each in drawn}) > 1
    most = max(each["pictures"] for each in drawn)
    lines = [
        "",
        f"pictures: {path}",
        f"  the first {most} examples; rows from the top:",
    ]
    width = max(len(steps[each["step"]].line) for each in drawn)
    for each in drawn:
        row = steps[each["step"]]
        said = f"  {row.line:>{width}}  {visible(row.step)}"
        if several:
            said += f", {each['component']}"
        if each["stretched"]:
            low, high = each["stretched"]
            said += f"  ({float(low):.4g} is black, {float(high):.4g} white)"
        lines.append(said)
    return lines
