"""The type of one tensor, as far as it is known without running anything."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from math import prod
from typing import TypeAlias

Dimension: TypeAlias = int | None
"""A size, or None where it differs from example to example or is not known."""

BYTES = {
    "bool": 1,
    "uint8": 1,
    "int8": 1,
    "int32": 4,
    "int64": 8,
    "float16": 2,
    "bfloat16": 2,
    "float32": 4,
    "float64": 8,
}


class Content(Enum):
    """What a tensor holds, so that a step finds the component that it acts on."""

    ENCODED_IMAGE = "the bytes of a picture"
    IMAGE = "a picture"
    LABEL = "a label"
    FEATURES = "columns of a table, as many numbers as the training data has values"
    OTHER = "a value"


@dataclass(frozen=True, slots=True)
class Tensor:
    """dtype by TensorFlow's name; shape without the batch until it is batched.

    low, high: the range of the values, where it is known (both included).
    classes: for a label, how many there are. A shape of None has no known rank.
    """

    dtype: str
    shape: tuple[Dimension, ...] | None = ()
    content: Content = Content.OTHER
    low: float | None = None
    high: float | None = None
    classes: int | None = None

    def __str__(self) -> str:
        """As in messages and assertions: `uint8[32, 32, 3]`, `float32[?, 10]`."""
        if self.shape is None:
            return f"{self.dtype}[...]"
        sizes = ", ".join("?" if size is None else str(size) for size in self.shape)
        return f"{self.dtype}[{sizes}]"

    @property
    def is_static(self) -> bool:
        """Whether every size is known."""
        return self.shape is not None and None not in self.shape

    @property
    def is_integer(self) -> bool:
        """Whether it holds whole numbers."""
        return self.dtype.startswith(("int", "uint"))

    @property
    def is_float(self) -> bool:
        """Whether it holds floating-point numbers."""
        return self.dtype.startswith(("float", "bfloat"))

    @property
    def bytes(self) -> int | None:
        """Its size in memory, if that is known."""
        if self.shape is None or self.dtype not in BYTES:
            return None
        sizes = [size for size in self.shape if size is not None]
        if len(sizes) < len(self.shape):
            return None
        return prod(sizes) * BYTES[self.dtype]

    def batched(self, size: Dimension) -> Tensor:
        """The same with a batch in front."""
        shape = None if self.shape is None else (size, *self.shape)
        return replace(self, shape=shape)
