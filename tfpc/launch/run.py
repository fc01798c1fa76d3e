"""Runs a program, shows what it tells, and says how it ended."""

from __future__ import annotations

import pathlib
import sys

from tfpc.diagnostics.span import Source
from tfpc.launch.events import Event
from tfpc.launch.failure import explain
from tfpc.launch.folder import RunFolder
from tfpc.launch.process import run_program
from tfpc.launch.progress import Progress
from tfpc.launch.summary import Outcome, summary

SIGNALLED = (130, 143)


def follow(
    folder: RunFolder,
    source: Source,
    root: pathlib.Path,
    *,
    resume: bool,
    quiet: bool,
    plain: bool,
) -> int:
    """Runs the program of a folder; returns the exit code of `tfpc run`."""
    progress = Progress(quiet=quiet, plain=plain)
    outcome = Outcome()

    def tell(event: Event) -> None:
        outcome.tell(event)
        progress.tell(event)

    try:
        code = run_program(folder, root, resume=resume, tell=tell)
    finally:
        progress.close()
    if code != 0 and code not in SIGNALLED:
        color = sys.stderr.isatty()
        print(explain(outcome, folder, source, code, color=color), file=sys.stderr)
    print(summary(outcome, folder, code))
    return code if code in (0, *SIGNALLED) else 1
