"""Learning rates that change from step to step."""

from __future__ import annotations

from math import inf
from typing import Annotated, ClassVar, TypeAlias

from pydantic import AfterValidator, Field, ValidationInfo, field_validator

from tfpc.types.fragment import Fragment, Literal, Operation, call
from tfpc.types.quantity import Epochs, Steps
from tfpc.vocabulary.word import Word


def not_negative(amount: Epochs | Steps) -> Epochs | Steps:
    """Raises ValueError in the user's words."""
    if not 0 <= amount.number < inf:
        raise ValueError("must be at least zero, and finite")
    return amount


def positive(amount: Epochs | Steps) -> Epochs | Steps:
    """Raises ValueError in the user's words."""
    if not 0 < amount.number < inf:
        raise ValueError("must be more than zero, and finite")
    return amount


Positive: TypeAlias = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Duration: TypeAlias = Annotated[Epochs | Steps, AfterValidator(not_negative)]
Place: TypeAlias = Annotated[Epochs | Steps, AfterValidator(positive)]


def in_steps(amount: Epochs | Steps, steps_per_epoch: Fragment) -> Fragment:
    """A number of steps, as the program computes it when it knows its data."""
    if isinstance(amount, Steps):
        return Literal(amount.number)
    if amount.number == 0:
        return Literal(0)
    if amount.number == 1:
        return steps_per_epoch
    if amount.number == int(amount.number):
        return Operation("*", Literal(int(amount.number)), steps_per_epoch)
    return call("round", Operation("*", Literal(amount.number), steps_per_epoch))


class Schedule(Word):
    """A learning rate as a function of the step, and of nothing else."""

    family: ClassVar[str] = "schedule"

    @property
    def highest(self) -> float:
        """The highest learning rate that it comes to."""
        raise NotImplementedError

    def code(self, steps: Fragment, steps_per_epoch: Fragment) -> Fragment:
        """A Keras schedule. steps: of the whole training."""
        raise NotImplementedError


class Rising(Schedule):
    """A schedule that rises in a line from zero to `peak`, if it is given a warm-up."""

    positional: ClassVar[tuple[str, ...]] = ("peak",)
    peak: Positive = Field(description="the highest learning rate")
    warmup: Duration = Field(
        Steps(0), description="how long it rises, in epochs or steps"
    )

    @property
    def highest(self) -> float:
        """Its peak."""
        return self.peak


class Falling(Rising):
    """A schedule that falls from `peak` to `floor`, where it arrives at the end."""

    floor: Annotated[float, Field(ge=0, allow_inf_nan=False)] = Field(
        0.0, description="the last learning rate"
    )

    @field_validator("floor")
    @classmethod
    def below_peak(cls, floor: float, info: ValidationInfo) -> float:
        """A learning rate that falls. Raises ValueError in the user's words."""
        if floor > info.data.get("peak", inf):
            raise ValueError("must be at most `peak`, from which the rate falls")
        return floor


class Cosine(Falling):
    """Rises in a line to `peak` during the warm-up, then falls along half a cosine.

    It reaches `floor` when training ends ("SGDR", Loshchilov and Hutter, 2017).
    """

    word: ClassVar[str] = "cosine"
    example: ClassVar[str] = "cosine(peak = 1e-3, warmup = 1epoch)"

    def code(self, steps: Fragment, steps_per_epoch: Fragment) -> Fragment:
        """A part of the program, on `keras.optimizers.schedules.CosineDecay`."""
        warmup = in_steps(self.warmup, steps_per_epoch)
        return call("cosine", self.peak, self.floor, warmup, steps)
