"""Where training stands: what the loop moves on and the monitors look at."""

from __future__ import annotations

import dataclasses

import keras

from tfpc.program.failures import InputError
from tfpc.program.position import Position
from tfpc.program.run import Run
from tfpc.program.source import Source


@dataclasses.dataclass
class Training:
    """Where training stands, for the loop and its monitors.

    results: the latest metrics by name, as in `validation.accuracy`.
    """

    run: Run
    epochs: int
    steps_per_epoch: int
    batch: int
    model: keras.Model
    optimizer: keras.Optimizer
    position: Position
    metrics: dict[str, keras.metrics.Metric]
    results: dict[str, float] = dataclasses.field(default_factory=dict)
    stop: str | None = None
    diverged: bool = False
    seconds: float = 0.0
    waited: float = 0.0
    examples: int = 0

    @property
    def step(self) -> int:
        """Steps done since the beginning, over all epochs and restarts."""
        return self.position.epoch * self.steps_per_epoch + self.position.step

    def advance(self, steps: int) -> None:
        """Moves the position forward within the epoch."""
        self.position = Position(self.position.epoch, self.position.step + steps)
        self.examples += steps * self.batch


def steps_in(source: Source, batch: int) -> int:
    """Whole batches in an epoch. Raises InputError if there is none."""
    if source.count < batch:
        raise InputError(
            f"{source.count} examples do not fill one batch of {batch}", source.place
        )
    return source.count // batch
