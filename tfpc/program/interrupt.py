"""SIGINT and SIGTERM: the first one ends after the current step, a second one at once."""

from __future__ import annotations

import signal


class Interrupt:
    """Remembers the signal that asked the program to stop."""

    def __init__(self) -> None:
        self.signal: int | None = None
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self.receive)

    def receive(self, number: int, frame: object) -> None:
        """Notes the signal; the next one has its usual effect."""
        self.signal = number
        for again in (signal.SIGINT, signal.SIGTERM):
            signal.signal(again, signal.SIG_DFL)
