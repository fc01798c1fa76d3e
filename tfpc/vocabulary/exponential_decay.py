"""`exponential_decay`: a learning rate that is multiplied again and again."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from tfpc.types.fragment import Fragment, call
from tfpc.vocabulary.schedule import Place, Rising, in_steps


class ExponentialDecay(Rising):
    """Rises to `peak` during the warm-up, then is multiplied again and again.

    From the end of the warm-up on it falls by the factor `decay_rate` in each time of
    `every`: bit by bit, or with `staircase` at the end of that time.
    """

    word: ClassVar[str] = "exponential_decay"
    example: ClassVar[str] = (
        "exponential_decay(peak = 0.1, decay_rate = 0.5, every = 10epochs)"
    )
    decay_rate: Annotated[float, Field(gt=0, lt=1)] = Field(
        description="what the rate is multiplied by"
    )
    every: Place = Field(description="in which time that happens, in epochs or steps")
    staircase: bool = Field(False, description="whether it falls all at once")

    def code(self, steps: Fragment, steps_per_epoch: Fragment) -> Fragment:
        """A part of the program, on `keras.optimizers.schedules.ExponentialDecay`."""
        every = in_steps(self.every, steps_per_epoch)
        warmup = in_steps(self.warmup, steps_per_epoch)
        given = self.peak, self.decay_rate, every, self.staircase, warmup, steps
        return call("exponential_decay", *given)
