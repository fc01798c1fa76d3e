"""What a monitor is: something that looks at training from outside."""

from __future__ import annotations

from tfpc.program.training import Training


class Monitor:
    """Looks in after some steps and after each epoch; may ask training to stop.

    What it must remember over a restart it gives in `state`, as JSON values.
    """

    def steps_until_due(self, training: Training) -> int | None:
        """How many more steps until it wants to look, if it counts steps."""
        return None

    def after_steps(self, training: Training) -> None:
        """Called whenever the host looks in."""

    def after_epoch(self, training: Training) -> None:
        """Called when an epoch is over and evaluated."""

    def at_end(self, training: Training) -> None:
        """Called once when training ends, for whatever reason."""

    def state(self) -> dict[str, object]:
        """What must survive a restart."""
        return {}

    def restore(self, state: dict[str, object]) -> None:
        """Takes back what `state` gave."""
