"""What looks at training from outside."""

from __future__ import annotations

from math import inf
from typing import Annotated, ClassVar, Literal

from pydantic import Field, field_validator

from tfpc.types.quantity import Epochs, Seconds, Steps
from tfpc.vocabulary.bare_name import MetricPath
from tfpc.vocabulary.word import Word

Every = Epochs | Steps | Seconds


class Monitor(Word):
    """A monitor; what it does is a part of the program."""

    family: ClassVar[str] = "monitor"


def positive(value: Every) -> Every:
    """A time or count that comes up. Raises ValueError in the user's words."""
    if not 0 < value.number < inf:
        raise ValueError("must be more than zero, and finite")
    if isinstance(value, Epochs) and value.number != int(value.number):
        raise ValueError("must be whole epochs; a part of one is a number of steps")
    return value


class Log(Monitor):
    """Says the step and all metrics on a line, every so many steps."""

    word: ClassVar[str] = "log"
    example: ClassVar[str] = "log(every = 100steps)"
    every: Steps = Field(description="how many steps lie between two lines")

    _positive = field_validator("every")(positive)


class Checkpoint(Monitor):
    """Saves all that a run needs to go on with the very next batch (`--resume`).

    With `monitor`, the weights of the best epoch are kept beside, and are the ones
    that `test` is evaluated with at the end.
    """

    word: ClassVar[str] = "checkpoint"
    example: ClassVar[str] = "checkpoint(every = 1epoch, keep = 3)"
    every: Epochs | Steps | Seconds = Field(
        Epochs(1), description="how often: epochs, steps, or a time"
    )
    keep: Annotated[int, Field(ge=1)] = Field(
        3, description="how many of the newest are kept"
    )
    monitor: MetricPath | None = Field(
        None, description="the metric by which an epoch is the best"
    )
    mode: Literal["max", "min"] | None = Field(
        None, description="whether more or less is better (default: by the metric)"
    )

    _positive = field_validator("every")(positive)


class StopEarly(Monitor):
    """Stops when a metric has not become better for `patience` epochs."""

    word: ClassVar[str] = "stop_early"
    example: ClassVar[str] = "stop_early(validation.loss, patience = 3epochs)"
    positional: ClassVar[tuple[str, ...]] = ("monitor",)
    monitor: MetricPath = Field(description="the metric that must become better")
    patience: Epochs = Field(description="how many epochs it may take")
    mode: Literal["max", "min"] | None = Field(
        None, description="whether more or less is better (default: by the metric)"
    )
    min_delta: Annotated[float, Field(ge=0, allow_inf_nan=False)] = Field(
        0.0, description="how much better a value must be to count"
    )

    _positive = field_validator("patience")(positive)
