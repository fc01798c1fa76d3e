"""Says why a run failed: the file, the spec's line, or what the program printed last."""

from __future__ import annotations

import re
import signal

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.span import Source, Span
from tfpc.diagnostics.text import render
from tfpc.launch.folder import RunFolder
from tfpc.launch.summary import Outcome

PLACE = re.compile(r".*:(\d+):(\d+)")
EXCEPTION = re.compile(r"^[A-Za-z_][\w.]*(Error|Exception|Interrupt|Exit): ?.*")


def explain(
    outcome: Outcome, folder: RunFolder, source: Source, code: int, *, color: bool
) -> str:
    """Why the program ended with a code that is not 0, for a person."""
    failed = outcome.failed
    if failed is not None and failed.get("place"):
        diagnostic = error(
            "TFP901",
            str(failed.get("message")),
            span_of(source, str(failed.get("place"))),
            "read here",
            fix="mend or remove that file, then start again"
            if failed.get("file")
            else "mend the data, then start again",
        )
        return f"{render(diagnostic, color=color)}\n\nlog: {folder.log}"
    if code == -signal.SIGKILL:
        said = error(
            "TFP902",
            "the program was killed",
            None,
            why="nobody but the system kills without a word, most likely since the "
            "memory of the machine was full.",
            fix="use a smaller batch, or a machine with more memory",
        )
    elif code < 0:
        name = signal.Signals(-code).name
        said = error("TFP902", f"the program was ended by {name}", None)
    else:
        message = str(failed.get("message")) if failed else last_words(folder)
        headline = "the program failed"
        if message:
            headline += f": {message.splitlines()[0]}"
        said = error("TFP903", headline, None, fix=f"see {folder.log} for all of it")
    return f"{render(said, color=color)}\n\nlog: {folder.log}"


def span_of(source: Source, place: str) -> Span | None:
    """The word at `file:line:column` of the spec."""
    found = PLACE.fullmatch(place)
    if found is None:
        return None
    line, column = int(found[1]), int(found[2])
    if not 1 <= line <= source.line_count:
        return None
    start = source.line_start(line) + column - 1
    rest = source.line(line)[column - 1 :]
    closing = rest.rfind(")")
    length = closing + 1 if closing >= 0 else len(rest.rstrip())
    return Span(source, start, start + max(1, length))


def last_words(folder: RunFolder) -> str:
    """The last exception that the program printed, or else its last line."""
    if not folder.log.exists():
        return ""
    text = folder.log.read_text(encoding="utf-8", errors="replace")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for line in reversed(lines):
        if EXCEPTION.match(line):
            return line
    return lines[-1] if lines else ""
