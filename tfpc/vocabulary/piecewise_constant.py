"""`piecewise_constant`: one learning rate after the other."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, ClassVar

from pydantic import Field, ValidationInfo, field_validator

from tfpc.types.fragment import Fragment, call, list_of
from tfpc.types.quantity import Epochs, Steps
from tfpc.vocabulary.schedule import Duration, Place, Positive, Schedule, in_steps


class PiecewiseConstant(Schedule):
    """One learning rate after the other; each changes to the next at its boundary.

    Boundaries are counted from the beginning of training. With a warm-up, the rate
    first rises in a line to the first value.
    """

    word: ClassVar[str] = "piecewise_constant"
    example: ClassVar[str] = "piecewise_constant([30epochs], [0.1, 0.01])"
    positional: ClassVar[tuple[str, ...]] = ("boundaries", "values")
    boundaries: Annotated[tuple[Place, ...], Field(min_length=1)] = Field(
        description="where the rate changes, all in epochs or all in steps"
    )
    values: tuple[Positive, ...] = Field(
        description="the learning rates, one more than there are boundaries"
    )
    warmup: Duration = Field(
        Steps(0), description="how long it rises, in epochs or steps"
    )

    @property
    def highest(self) -> float:
        """The largest of its values."""
        return max(self.values)

    @field_validator("boundaries")
    @classmethod
    def in_order(
        cls, boundaries: tuple[Epochs | Steps, ...]
    ) -> tuple[Epochs | Steps, ...]:
        """One after the other. Raises ValueError in the user's words."""
        if len({type(each) for each in boundaries}) > 1:
            raise ValueError("must all be in epochs, or all in steps")
        if any(second.number <= first.number for first, second in pairwise(boundaries)):
            raise ValueError("must be in order, each later than the one before")
        return boundaries

    @field_validator("values")
    @classmethod
    def one_more(
        cls, values: tuple[float, ...], info: ValidationInfo
    ) -> tuple[float, ...]:
        """A value before, between and after. Raises ValueError in the user's words."""
        boundaries = info.data.get("boundaries")
        if boundaries is not None and len(values) != len(boundaries) + 1:
            raise ValueError(
                f"must hold {len(boundaries) + 1} rates, one more than `boundaries`"
            )
        return values

    @field_validator("warmup")
    @classmethod
    def before_boundaries(
        cls, warmup: Epochs | Steps, info: ValidationInfo
    ) -> Epochs | Steps:
        """It rises to the first value. Raises ValueError in the user's words."""
        for first in info.data.get("boundaries", ())[:1]:
            if type(first) is type(warmup) and warmup.number >= first.number:
                raise ValueError("must be shorter than the first of `boundaries`")
        return warmup

    def code(self, steps: Fragment, steps_per_epoch: Fragment) -> Fragment:
        """A part of the program."""
        boundaries = [in_steps(each, steps_per_epoch) for each in self.boundaries]
        warmup = in_steps(self.warmup, steps_per_epoch)
        given = list_of(*boundaries), list_of(*self.values), warmup, steps
        return call("piecewise_constant", *given)
