"""Steps that act on the stream of examples: kept, reordered, grouped, fetched ahead."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from tfpc.types.element import Element
from tfpc.vocabulary.step import Step
from tfpc.vocabulary.word import Word

# How many records are mixed at a time where the spec does not say it.
RECORD_BUFFER = 8192


class StreamStep(Step):
    """A step that leaves each example as it is."""

    def transfer(self, element: Element) -> Element:
        """The element stays."""
        return element


class Cache(StreamStep):
    """Keeps every example as it is here, so that the steps above run only once.

    `cache(memory)` keeps all examples of a split in the memory of the machine. What
    is random must stand below it: above, it would be drawn once and then replayed.
    """

    word: ClassVar[str] = "cache"
    example: ClassVar[str] = "cache(memory)"
    positional: ClassVar[tuple[str, ...]] = ("where",)
    where: Literal["memory"] = Field("memory", description="where examples are kept")


class Shuffle(StreamStep):
    """Puts the examples in a new order in every epoch.

    Alone it does the best that the source allows: a permutation of everything where
    examples can be read in any order (folders of files, anything cached), shuffled
    files and a buffer for TFRecords. With `buffer`, no example comes more than that
    many places early or late.
    """

    word: ClassVar[str] = "shuffle"
    example: ClassVar[str] = "shuffle"
    buffer: Annotated[int, Field(ge=2, le=2**31 - 1)] | None = Field(
        None, description="how many examples are mixed at a time (default: all)"
    )


class Batch(StreamStep):
    """Groups examples. The size is that of the global batch, over all devices.

    Training leaves out an incomplete last batch; evaluation counts every example.
    """

    word: ClassVar[str] = "batch"
    example: ClassVar[str] = "batch(128)"
    positional: ClassVar[tuple[str, ...]] = ("size",)
    size: Annotated[int, Field(ge=1, le=2**31 - 1)] = Field(
        description="examples in a batch"
    )


class Prefetch(StreamStep):
    """Makes batches ahead of the training step.

    tfpc does this without being asked, and lets TensorFlow choose how many; with a
    number, it is that many.
    """

    word: ClassVar[str] = "prefetch"
    example: ClassVar[str] = "prefetch(4)"
    positional: ClassVar[tuple[str, ...]] = ("count",)
    count: Annotated[int, Field(ge=1, le=1024)] | None = Field(
        None,
        description="how many batches are made ahead (default: TensorFlow chooses)",
    )


class When(Word):
    """Steps for one mode only: `train`, or `eval` (every use that is not training)."""

    word: ClassVar[str] = "when"
    family: ClassVar[str] = "step"
    example: ClassVar[str] = "when(train) { random_flip(horizontal) }"
    positional: ClassVar[tuple[str, ...]] = ("mode",)
    has_body: ClassVar[bool] = True
    mode: Literal["train", "eval"] = Field(description="when the steps apply")
