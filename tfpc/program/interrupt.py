"""SIGINT and SIGTERM: the first one ends after the current step, a second one at once."""

from __future__ import annotations

import signal
import sys


class Interrupt:
    """Remembers the signal that asked the program to stop.

    patient: whether there is a step to finish; before, a signal ends the program.
    """

    def __init__(self) -> None:
        self.signal: int | None = None
        self.patient = False
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self.receive)

    def receive(self, number: int, frame: object) -> None:
        """Notes the signal; the next one has its usual effect."""
        if not self.patient:
            sys.exit(128 + number)
        self.signal = number
        for again in (signal.SIGINT, signal.SIGTERM):
            signal.signal(again, signal.SIG_DFL)
