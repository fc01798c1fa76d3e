"""How much is left to the graph between two looks of the host."""

from __future__ import annotations

SECONDS_BETWEEN_LOOKS = 0.5


class Pace:
    """How many steps to leave to the graph so that the host looks in often enough."""

    def __init__(self) -> None:
        self.steps = 1
        self.warm = False

    def took(self, steps: int, seconds: float) -> None:
        """Learns from a call; the first one is not counted, it traces the graph."""
        if self.warm:
            per_step = seconds / steps
            fitting = int(SECONDS_BETWEEN_LOOKS / max(per_step, 1e-6))
            self.steps = max(1, min(fitting, 2 * self.steps))
        self.warm = True
