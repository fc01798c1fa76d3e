"""Runs the program of a peek in a folder that is gone afterwards."""

from __future__ import annotations

import contextlib
import pathlib
import shutil
import sys
import tempfile
from collections.abc import Iterator

from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.diagnostics.span import Source
from tfpc.launch.events import Event
from tfpc.launch.failure import failure
from tfpc.launch.folder import RunFolder
from tfpc.launch.outcome import Outcome
from tfpc.launch.process import Ended, run_program
from tfpc.launch.progress import Progress


class Look:
    """A look at a batch: the program's folder, what it told, how it ended."""

    def __init__(self, folder: RunFolder) -> None:
        self.folder = folder
        self.peeked: list[Event] = []
        self.outcome = Outcome()
        self.ended = Ended(0)
        self.keep = False

    def tell(self, event: Event) -> None:
        """Takes an event in."""
        self.outcome.tell(event)
        if event["event"] == "peeked":
            self.peeked.append(event)

    @property
    def exit_code(self) -> int:
        """The exit code of `tfpc peek`."""
        return self.outcome.exit_code(self.ended)

    def problem(self, source: Source) -> Diagnostic | None:
        """Why it failed; None if it did not, or was stopped. The log is kept then."""
        ended = self.ended
        if ended.code == 0 or self.outcome.stopped_by(ended) is not None:
            return None
        self.keep = True
        return failure(self.outcome.failed, self.folder, source, ended.code, 0)


@contextlib.contextmanager
def looked(program: str, root: pathlib.Path) -> Iterator[Look]:
    """Runs the program to its end; its folder goes unless it failed.

    root: the folder that the spec's paths are relative to.
    """
    look = Look(RunFolder(pathlib.Path(tempfile.mkdtemp(prefix="tfpc-peek-"))))
    try:
        look.folder.program.write_text(program, encoding="utf-8", newline="\n")
        progress = Progress(stream=sys.stderr)
        try:
            look.ended = run_program(
                look.folder, root, resume=False, tell=look.tell, say=lambda line: None
            )
        finally:
            progress.close()
        yield look
    finally:
        if not look.keep:
            shutil.rmtree(look.folder.path, ignore_errors=True)
