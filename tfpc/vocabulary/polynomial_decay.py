"""`polynomial_decay`: a learning rate that falls as a power of the time left."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from tfpc.types.fragment import Fragment, call
from tfpc.vocabulary.schedule import Falling, Positive, in_steps


class PolynomialDecay(Falling):
    """Rises to `peak` during the warm-up, then falls as a power of the time left.

    With `power = 1.0` that is a straight line. It reaches `floor` when training ends.
    """

    word: ClassVar[str] = "polynomial_decay"
    example: ClassVar[str] = "polynomial_decay(peak = 1e-3, power = 2.0)"
    power: Positive = Field(1.0, description="1 is a line; with more it falls sooner")

    def code(self, steps: Fragment, steps_per_epoch: Fragment) -> Fragment:
        """A part of the program, on `keras.optimizers.schedules.PolynomialDecay`."""
        warmup = in_steps(self.warmup, steps_per_epoch)
        given = self.peak, self.floor, self.power, warmup, steps
        return call("polynomial_decay", *given)
