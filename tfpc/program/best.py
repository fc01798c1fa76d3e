"""The best weights so far, by a metric, kept in the run folder."""

from __future__ import annotations

import math

from tfpc.program.checkpoint import read_variables, write_aside
from tfpc.program.monitor import Monitor
from tfpc.program.run import Run
from tfpc.program.training import Training


class Best(Monitor):
    """Keeps the weights of the epoch in which a metric was best.

    metric: as in `validation.accuracy`; mode: `max` or `min`.
    """

    def __init__(self, run: Run, metric: str, mode: str) -> None:
        self.run = run
        self.folder = run.folder / "checkpoints" / "best"
        self.metric = metric
        self.sign = 1.0 if mode == "max" else -1.0
        self.value: float | None = None
        self.epoch = 0

    def after_epoch(self, training: Training) -> None:
        """Keeps the weights if the metric is better than ever."""
        value = training.results[self.metric]
        if math.isnan(value) or (
            self.value is not None and self.sign * value <= self.sign * self.value
        ):
            return
        self.value, self.epoch = value, training.position.epoch
        variables = [variable.value for variable in training.model.variables]
        state = {"metric": self.metric, "value": value, "epoch": self.epoch}
        write_aside(self.folder, variables, state)
        self.run.reporter.event(
            "saved", path=str(self.folder), step=training.step, why="best"
        )

    def state(self) -> dict[str, object]:
        """The best value, and when it was."""
        return {"value": self.value, "epoch": self.epoch}

    def restore(self, state: dict[str, object]) -> None:
        """Takes back what `state` gave."""
        self.value, self.epoch = state["value"], state["epoch"]  # type: ignore[assignment]

    def at_end(self, training: Training) -> None:
        """Takes the best weights over, if training came to its end."""
        if training.stop == "signal" or self.value is None:
            return
        variables = [variable.value for variable in training.model.variables]
        read_variables(self.folder, variables)
        self.run.reporter.note(
            f"best {self.metric} {self.value:.4f} in epoch {self.epoch}"
        )
