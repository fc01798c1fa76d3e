"""`constant`: one learning rate, after a warm-up."""

from __future__ import annotations

from typing import ClassVar

from tfpc.types.fragment import Fragment, call
from tfpc.vocabulary.schedule import Rising, in_steps


class Constant(Rising):
    """Rises in a line to `peak` during the warm-up, and stays there."""

    word: ClassVar[str] = "constant"
    example: ClassVar[str] = "constant(peak = 1e-3, warmup = 1epoch)"

    def code(self, steps: Fragment, steps_per_epoch: Fragment) -> Fragment:
        """A part of the program."""
        return call(
            "constant", self.peak, in_steps(self.warmup, steps_per_epoch), steps
        )
