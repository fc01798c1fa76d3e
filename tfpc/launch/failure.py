"""Why a run failed: the file, the spec's line, or what the program printed last."""

from __future__ import annotations

import re
import signal

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.diagnostics.span import Source, Span
from tfpc.launch.events import Event
from tfpc.launch.folder import RunFolder

PLACE = re.compile(r"(.*):(\d+):(\d+)")
WORD = re.compile(r'[\w.]+(\s*=\s*[\w.]+)?(\((?:"[^"\n]*"|[^)"\n])*\))?')
EXCEPTION = re.compile(r"[A-Za-z_][\w.]*(Error|Exception|Interrupt|Exit|Warning)\b.*")
FATAL = re.compile(
    r"F\d{4} .*|Fatal Python error.*|.*Check failed.*|terminate called .*"
)
LONGEST = 300
MOST_OF_LOG = 1 << 20

# What a program says when the machine is too small, and what to do then.
TOO_SMALL = (
    (
        re.compile(r"ResourceExhausted|OOM when allocating|MemoryError|out of memory"),
        "the memory of the machine or of its device is full.",
        "use a smaller batch, or a machine with more memory",
    ),
    (
        re.compile(r"No space left on device|ENOSPC"),
        "the disk is full.",
        "free some space, or name a folder on another disk: `--run-dir DIR`",
    ),
)


def failure(
    failed: Event | None, folder: RunFolder, source: Source, code: int, log_start: int
) -> Diagnostic:
    """Why a program ended with a code that is not 0, with what to do.

    failed: what it told of it; code: as in `subprocess`; log_start: where in the log
    this run begins, in bytes.
    """
    if failed is not None and failed.get("code") == "input":
        return of_input(failed, source)
    if failed is not None and failed.get("code") == "devices":
        return of_devices(failed, source)
    if failed is not None and failed.get("code") == "python":
        return of_python(failed, source)
    if code == -signal.SIGKILL:
        return error(
            "TFP902",
            "the program was killed from outside",
            None,
            why="the system kills a program without a word when the machine runs out "
            "of memory; most likely it was that.",
            fix="use a smaller batch, `cache` less, or take a machine with more memory",
        )
    said = (
        str(failed.get("message"))
        if failed is not None
        else last_words(folder, log_start)
    )
    if code < 0:
        headline = f"the program was ended by {signal_name(-code)}"
    elif said:
        headline = f"the program failed: {shortened(said)}"
    else:
        headline = f"the program ended with exit code {code} and did not say why"
    why = f"the last that it said is: {shortened(said)}" if said and code < 0 else ""
    fix = f"see all that it printed: {folder.log}"
    for sign, reason, way in TOO_SMALL:
        if sign.search(said):
            why, fix = reason, way
    return error("TFP902" if code < 0 else "TFP903", headline, None, why=why, fix=fix)


def of_input(failed: Event, source: Source) -> Diagnostic:
    """Data that could not be read, with the place in the spec that reads it."""
    message = str(failed.get("message"))
    file = failed.get("file")
    span = span_of(source, str(failed.get("place")))
    if file:
        fix = f"replace or remove {file}, then start again"
    else:
        fix = "mend the data or this line, then start again"
    if file and str(file) not in message:
        message = f"{file}: {message}"
    return error("TFP901", message, span, "read here", fix=fix)


def of_devices(failed: Event, source: Source) -> Diagnostic:
    """Devices that are not there, with the place in the spec that asks for them."""
    span = span_of(source, str(failed.get("place")))
    return error(
        "TFP907",
        str(failed.get("message")),
        span,
        "asked for here",
        why="a program does not go on with fewer devices than the spec names.",
        fix="use what there is: `--set strategy=auto` takes one device, and "
        '`--set "strategy=mirrored(cpus = 2)"` shows the same without a GPU',
    )


def of_python(failed: Event, source: Source) -> Diagnostic:
    """The user's own Python failed, with the place in the spec that calls it."""
    span = span_of(source, str(failed.get("place")))
    file = failed.get("file")
    fix = f"mend {file}" if file else "mend the function, or what the spec says of it"
    return error("TFP908", str(failed.get("message")), span, "called here", fix=fix)


def span_of(source: Source, place: str) -> Span | None:
    """The word at `file:line:column` of the spec, with its arguments on that line.

    None for a place in another file, or on the command line.
    """
    found = PLACE.fullmatch(place)
    if found is None or base(found[1]) != base(source.name):
        return None
    line, column = int(found[2]), int(found[3])
    if not 1 <= line <= source.line_count or column < 1:
        return None
    rest = source.line(line)[column - 1 :]
    word = WORD.match(rest)
    start = source.line_start(line) + min(column - 1, len(source.line(line)))
    return Span(source, start, start + max(1, word.end() if word else 1))


def base(path: str) -> str:
    """The name of a file without its folders, as programs name it."""
    return path.replace("\\", "/").rpartition("/")[2]


def last_words(folder: RunFolder, start: int) -> str:
    """The last error in the log from `start` (in bytes) on, or else its last line."""
    if not folder.log.exists():
        return ""
    with open(folder.log, "rb") as stream:
        size = stream.seek(0, 2)
        stream.seek(max(start, size - MOST_OF_LOG))
        text = stream.read().decode("utf-8", errors="replace")
    lines = [line for line in text.splitlines() if line.strip()]
    for line in reversed(lines):
        # What is indented belongs to a traceback, and is not its last word.
        if EXCEPTION.match(line) or FATAL.match(line):
            return line.strip()
    return lines[-1].strip() if lines else ""


def shortened(said: str) -> str:
    """The first line of a message, if need be without its end."""
    lines = said.strip().splitlines() or [""]
    return lines[0] if len(lines[0]) <= LONGEST else f"{lines[0][:LONGEST]} ..."


def signal_name(number: int) -> str:
    """`SIGSEGV`, with what it means where that is not plain."""
    try:
        name = signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
    meaning = {
        signal.SIGSEGV: "it crashed",
        signal.SIGBUS: "it crashed",
        signal.SIGABRT: "it gave up",
        signal.SIGILL: "this processor lacks an instruction that it needs",
    }.get(signal.Signals(number))
    return f"{name} ({meaning})" if meaning else name
