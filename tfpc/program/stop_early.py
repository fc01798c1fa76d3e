"""Stops training when a metric has not become better for some epochs."""

from __future__ import annotations

from tfpc.program.monitor import Monitor
from tfpc.program.training import Training


class StopEarly(Monitor):
    """Stops after `patience` epochs without a better value.

    metric: as in `validation.loss`; mode: `max` or `min`; min_delta: how much better
    a value must be to count.
    """

    def __init__(self, metric: str, mode: str, patience: int, min_delta: float) -> None:
        self.metric = metric
        self.sign = 1.0 if mode == "max" else -1.0
        self.patience = patience
        self.min_delta = min_delta
        self.value: float | None = None
        self.waited = 0

    def after_epoch(self, training: Training) -> None:
        """Counts the epochs since the last better value."""
        value = training.results[self.metric]
        if self.value is None or self.sign * (value - self.value) > self.min_delta:
            self.value, self.waited = value, 0
            return
        self.waited += 1
        if self.waited >= self.patience:
            training.stop = "stop_early"
            training.run.reporter.note(
                f"stopped early: {self.metric} did not get better for "
                f"{self.waited} epochs"
            )

    def state(self) -> dict[str, object]:
        """The best value and the epochs since."""
        return {"value": self.value, "waited": self.waited}

    def restore(self, state: dict[str, object]) -> None:
        """Takes back what `state` gave."""
        self.value, self.waited = state["value"], state["waited"]  # type: ignore[assignment]
