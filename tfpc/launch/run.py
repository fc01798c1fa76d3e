"""Runs a program, shows what it tells, and says how it ended."""

from __future__ import annotations

import pathlib
import sys
from dataclasses import dataclass

from tfpc.diagnostics.span import Source
from tfpc.diagnostics.text import render
from tfpc.launch.events import Event, EventFile
from tfpc.launch.failure import failure
from tfpc.launch.folder import RunFolder
from tfpc.launch.outcome import Outcome
from tfpc.launch.process import Ended, run_program
from tfpc.launch.progress import Progress
from tfpc.launch.summary import summary
from tfpc.launch.terminal import colored, let_go


@dataclass(frozen=True, slots=True)
class Launch:
    """What is to be run.

    source: the spec, for messages; root: the folder that its paths are relative to;
    again: the command that resumes the run.
    """

    folder: RunFolder
    source: Source
    root: pathlib.Path
    again: str
    resume: bool = False


def launch(job: Launch, *, quiet: bool, plain: bool) -> int:
    """Runs the program of a folder; returns the exit code of `tfpc run`.

    Raises RefusedError if the run is still going on.
    """
    folder = job.folder
    outcome = Outcome()
    for event in EventFile(folder.events).new():  # of what is resumed
        outcome.tell(event)
    log_start = folder.log.stat().st_size if folder.log.exists() else 0
    progress = Progress(quiet=quiet, plain=plain)

    def tell(event: Event) -> None:
        outcome.tell(event)
        progress.tell(event)

    try:
        progress.say(f"run folder: {folder.path}")
        ended = run_program(
            folder, job.root, resume=job.resume, tell=tell, say=progress.say
        )
    finally:
        progress.close()
    try:
        report(job, outcome, ended, log_start)
    except OSError:  # Nobody reads it any more; the exit code still counts.
        let_go(sys.stdout)
        let_go(sys.stderr)
    return outcome.exit_code(ended)


def report(job: Launch, outcome: Outcome, ended: Ended, log_start: int) -> None:
    """Says why the run failed, if it did, and sums it up."""
    folder = job.folder
    if ended.code != 0 and outcome.stopped_by(ended) is None:
        problem = failure(outcome.failed, folder, job.source, ended.code, log_start)
        said = render(problem, color=colored(sys.stderr))
        print(f"\n{said}\n\nlog: {folder.log}", file=sys.stderr, flush=True)
    print(f"\n{summary(outcome, ended, folder, job.again)}", flush=True)
