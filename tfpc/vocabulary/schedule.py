"""Learning rates that change from step to step."""

from __future__ import annotations

from math import inf
from typing import Annotated, ClassVar

from pydantic import Field, ValidationInfo, field_validator

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

    It reaches `floor` when training ends ("SGDR", Loshchilov and Hutter, 2017).
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

    @field_validator("warmup")
    @classmethod
    def not_negative(cls, warmup: Epochs | Steps) -> Epochs | Steps:
        """Zero is no warm-up. Raises ValueError in the user's words."""
        if not 0 <= warmup.number < inf:
            raise ValueError("must be at least zero, and finite")
        return warmup

    @field_validator("floor")
    @classmethod
    def below_peak(cls, floor: float, info: ValidationInfo) -> float:
        """A learning rate that falls. Raises ValueError in the user's words."""
        if floor > info.data.get("peak", inf):
            raise ValueError("must be at most `peak`, from which the rate falls")
        return floor

    def code(self, steps: Fragment, steps_per_epoch: Fragment) -> Fragment:
        """A part of the program, on `keras.optimizers.schedules.CosineDecay`."""
        warmup: Fragment
        if isinstance(self.warmup, Steps):
            warmup = Literal(self.warmup.number)
        elif self.warmup.number == 0:
            warmup = Literal(0)
        elif self.warmup.number == 1:
            warmup = steps_per_epoch
        elif self.warmup.number == int(self.warmup.number):
            number = Literal(int(self.warmup.number))
            warmup = Operation("*", number, steps_per_epoch)
        else:
            number = Literal(self.warmup.number)
            warmup = call("round", Operation("*", number, steps_per_epoch))
        return call("cosine", self.peak, self.floor, warmup, steps)
