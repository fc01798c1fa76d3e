"""What a run has come to, gathered from its events and its end."""

from __future__ import annotations

import signal

from tfpc.launch.events import Event, number
from tfpc.launch.figures import figures
from tfpc.launch.process import Ended

FAILED = 1
SIGNALED = 128
STOPPED = {SIGNALED + signal.SIGINT, SIGNALED + signal.SIGTERM}


class Outcome:
    """Collects the events that the last word needs."""

    def __init__(self) -> None:
        self.finished: Event | None = None
        self.failed: Event | None = None
        self.progress: Event | None = None
        self.epochs: dict[int, dict[str, float]] = {}

    def tell(self, event: Event) -> None:
        """Takes an event in."""
        kind = event["event"]
        if kind == "started":
            # A new start of the same run: how the one before ended is past.
            self.finished = self.failed = self.progress = None
        elif kind == "finished":
            self.finished = event
        elif kind == "failed":
            self.failed = event
        elif kind == "progress":
            self.progress = event
        elif kind == "epoch":
            epoch = number(event.get("epoch"))
            if epoch is not None:
                self.epochs[int(epoch)] = figures(event.get("metrics"))

    def stopped_by(self, ended: Ended) -> int | None:
        """The signal that a user stopped the run with; None if that was not it."""
        if ended.code in STOPPED and self.failed is None:
            return ended.code - SIGNALED
        if ended.asked is None or ended.code == 0 or self.failed is not None:
            return None
        # It may not have come so far as to catch signals itself.
        return ended.asked

    def exit_code(self, ended: Ended) -> int:
        """The exit code of `tfpc run`."""
        if ended.code == 0:
            return 0
        stopped = self.stopped_by(ended)
        return FAILED if stopped is None else SIGNALED + stopped
