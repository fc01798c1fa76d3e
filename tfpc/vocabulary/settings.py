"""Words that settings of the whole spec take."""

from __future__ import annotations

from typing import ClassVar

from tfpc.types.fragment import Fragment, call
from tfpc.vocabulary.word import Word


class Strategy(Word):
    """On which devices the model is trained.

    several: whether each batch is divided among several devices.
    """

    family: ClassVar[str] = "strategy"
    several: ClassVar[bool] = False

    @property
    def replicas(self) -> int | None:
        """How many devices share a batch; None if that is decided at start."""
        return 1

    def code(self, reporter: Fragment, place: str) -> Fragment:
        """The `tf.distribute.Strategy`. place: the line of the spec, for messages."""
        return call("one_device", reporter)


class Auto(Strategy):
    """Decides when the program starts: the first GPU, or the CPU where there is none.

    This version uses one device; the program says which, and why.
    """

    word: ClassVar[str] = "auto"
    example: ClassVar[str] = "strategy = auto"


class Single(Strategy):
    """One device: the first GPU, or the CPU where there is none."""

    word: ClassVar[str] = "single"
    example: ClassVar[str] = "strategy = single"


class Precision(Word):
    """In which numbers the model computes."""

    family: ClassVar[str] = "precision"


class Float32(Precision):
    """Weights, activations and gradients in float32."""

    word: ClassVar[str] = "float32"
    example: ClassVar[str] = "precision = float32"


class Memory(Word):
    """How much of a GPU's memory a program takes."""

    family: ClassVar[str] = "memory"
    environment: ClassVar[tuple[tuple[str, str], ...]] = ()
    """What must be in the environment before TensorFlow is imported."""

    def code(self, reporter: Fragment, *, asked: bool) -> Fragment:
        """The call that sets it. asked: whether the spec says it."""
        return call("memory_growth", reporter, asked=asked)


class Growth(Memory):
    """As much as is needed, more and more, so that others find room beside (default).

    What was taken once is kept until the program ends.
    """

    word: ClassVar[str] = "growth"
    example: ClassVar[str] = "memory = growth"
