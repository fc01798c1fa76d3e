"""Stops training when the run has taken a time."""

from __future__ import annotations

import datetime
import time

from tfpc.program.monitor import Monitor
from tfpc.program.training import Training


class StopAfter(Monitor):
    """Stops after `seconds` of this run, the parts before a restart counted in.

    It counts from when it is made, at the start of the program, so that reading data
    and evaluating count, too.
    """

    def __init__(self, seconds: float) -> None:
        self.limit = seconds
        self.started = time.monotonic()
        self.before = 0.0

    @property
    def seconds(self) -> float:
        """What the run has taken, up to now."""
        return self.before + time.monotonic() - self.started

    def after_steps(self, training: Training) -> None:
        """Stops if the time is over."""
        if training.stop is None and self.seconds >= self.limit:
            training.stop = "stop_after"
            taken = datetime.timedelta(seconds=int(self.seconds))
            training.run.reporter.note(
                f"stopped after {taken}: the time of this run is over"
            )

    def after_epoch(self, training: Training) -> None:
        """The evaluation may have taken the rest of the time."""
        self.after_steps(training)

    def state(self) -> dict[str, object]:
        """What the run has taken."""
        return {"seconds": self.seconds}

    def restore(self, state: dict[str, object]) -> None:
        """Takes back what `state` gave."""
        self.before = state["seconds"]  # type: ignore[assignment]
