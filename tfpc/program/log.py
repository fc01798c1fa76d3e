"""A line every so many steps."""

from __future__ import annotations

from tfpc.program.monitor import Monitor
from tfpc.program.reporter import in_words
from tfpc.program.training import Training


class Log(Monitor):
    """Says where training stands every `steps` steps."""

    def __init__(self, steps: int) -> None:
        self.steps = steps

    def steps_until_due(self, training: Training) -> int:
        """Steps to the next line."""
        return self.steps - training.step % self.steps

    def after_steps(self, training: Training) -> None:
        """Says it if it is due."""
        if training.step % self.steps == 0:
            place = f"step {training.step}/{training.epochs * training.steps_per_epoch}"
            metrics = {
                name: value
                for name, value in training.results.items()
                if name.startswith("train.")
            }
            training.run.reporter.note(f"{place}  {in_words(metrics)}")
