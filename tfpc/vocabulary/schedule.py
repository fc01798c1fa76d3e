"""Learning rates that change from step to step."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from tfpc.types.fragment import Fragment, Literal, Operation, call
from tfpc.types.quantity import Epochs, Steps
from tfpc.vocabulary.word import Word


class Schedule(Word):
    """A learning rate as a function of the step."""

    family: ClassVar[str] = "schedule"

    def code(self, steps: Fragment, steps_per_epoch: Fragment) -> Fragment:
        """A Keras schedule. steps: of the whole training."""
        raise NotImplementedError


class Cosine(Schedule):
    """Rises in a line to `peak` during the warm-up, then falls along half a cosine.

    It reaches `floor` in the last step ("SGDR", Loshchilov and Hutter, 2017).
    """

    word: ClassVar[str] = "cosine"
    example: ClassVar[str] = "cosine(peak = 1e-3, warmup = 1epoch)"
    positional: ClassVar[tuple[str, ...]] = ("peak",)
    peak: Annotated[float, Field(gt=0, allow_inf_nan=False)] = Field(
        description="the highest learning rate"
    )
    warmup: Epochs | Steps = Field(
        Steps(0), description="how long it rises, in epochs or steps"
    )
    floor: Annotated[float, Field(ge=0, allow_inf_nan=False)] = Field(
        0.0, description="the last learning rate"
    )

    def code(self, steps: Fragment, steps_per_epoch: Fragment) -> Fragment:
        """A part of the program, on `keras.optimizers.schedules.CosineDecay`."""
        warmup: Fragment = Literal(0)
        if isinstance(self.warmup, Steps):
            warmup = Literal(self.warmup.number)
        elif self.warmup.number == 1:
            warmup = steps_per_epoch
        elif self.warmup.number == int(self.warmup.number):
            number = Literal(int(self.warmup.number))
            warmup = Operation("*", number, steps_per_epoch)
        else:
            number = Literal(self.warmup.number)
            warmup = call("round", Operation("*", number, steps_per_epoch))
        return call("cosine", self.peak, self.floor, warmup, steps)
