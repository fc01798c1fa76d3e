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
    """A monitor; what it does is a part of the program.

    once: whether a spec can have one of it only.
    """

    family: ClassVar[str] = "monitor"
    once: ClassVar[bool] = False


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
    once: ClassVar[bool] = True
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


class StopAfter(Monitor):
    """Stops when the run has taken a time, wherever training stands then.

    The time counts from the moment at which the program has started up, with reading
    data and evaluating in it, and over all parts of a run that was resumed: what the
    parts before took up to the checkpoint that was gone on from. Training ends the next
    time that the program looks, mostly within a second; an evaluation that has begun is
    finished first. The run ends as one that is done: with a checkpoint if it keeps any,
    and with the evaluation of `test`. Resumed, it trains no further.
    """

    word: ClassVar[str] = "stop_after"
    once: ClassVar[bool] = True
    example: ClassVar[str] = "stop_after(48h)"
    positional: ClassVar[tuple[str, ...]] = ("time",)
    time: Seconds = Field(description="how long the run may take")

    _positive = field_validator("time")(positive)


class Tensorboard(Monitor):
    """Charts for TensorBoard: training and validation as two lines of each chart.

    `loss` and each metric stand at the step at which they were measured, those of
    training as running means over the epoch so far; beside them are the learning rate,
    examples/s and the share of the time spent waiting for input (not under
    `determinism`, which forbids to measure it). With `images` the first pictures of the
    first batch of each epoch are shown, as the device gets them; floats are stretched
    to 0..255. A resumed run goes on with the charts of its checkpoint: what a killed
    part wrote behind that is taken away. See them with `tensorboard --logdir FOLDER`.
    """

    word: ClassVar[str] = "tensorboard"
    once: ClassVar[bool] = True
    example: ClassVar[str] = 'tensorboard("runs/x", images = 4, every = 100steps)'
    positional: ClassVar[tuple[str, ...]] = ("folder",)
    folder: Annotated[str, Field(min_length=1)] | None = Field(
        None,
        description="where charts go, from the current folder on "
        "(default: `tensorboard/` in the run's folder)",
    )
    images: Annotated[int, Field(ge=0)] = Field(
        0, description="how many pictures are shown of each epoch"
    )
    every: Steps = Field(
        Steps(100), description="how many steps lie between two points of training"
    )

    _positive = field_validator("every")(positive)
