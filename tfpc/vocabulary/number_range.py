"""An argument that is a range of numbers, `0.08..1.0`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, TypeAlias

from pydantic import PlainValidator

from tfpc.types.value import Interval


@dataclass(frozen=True, slots=True)
class Range:
    """Numbers from `low` to `high`, both included."""

    low: float
    high: float

    def __str__(self) -> str:
        """As a spec says it."""
        return f"{self.low}..{self.high}"


def ends(value: object) -> Range:
    """The range that a spec has written. Raises ValueError with what it must be."""
    if isinstance(value, Range):
        return value
    if not isinstance(value, Interval):
        raise ValueError("must be a range of numbers, `0.5..1.0`")
    low, high = value.low.content, value.high.content
    # A boolean is an integer to Python.
    if type(low) not in (int, float) or type(high) not in (int, float):
        raise ValueError("must go from a number to a number, `0.5..1.0`")
    assert isinstance(low, int | float)
    assert isinstance(high, int | float)
    if low > high:
        raise ValueError("must begin with the smaller number")
    return Range(float(low), float(high))


# Decoding looks at the annotation for what may be written, an interval; what a word
# then has is the range.
if TYPE_CHECKING:
    NumberRange: TypeAlias = Range
else:
    NumberRange = Annotated[Interval, PlainValidator(ends)]
