"""Windows that move over a picture: their sizes, and how many places they have."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import Field

from tfpc.types.tensor import Dimension, Tensor
from tfpc.vocabulary.word import Mismatch

Count: TypeAlias = Annotated[int, Field(ge=1, le=2**31 - 1)]
# One number for height and width, or `[height, width]`.
Pair: TypeAlias = (
    Count | Annotated[tuple[Count, ...], Field(min_length=2, max_length=2)]
)


def pair(value: Pair) -> tuple[int, int]:
    """Height and width."""
    if isinstance(value, int):
        return value, value
    height, width = value
    return height, width


def places(
    size: Dimension, window: int, stride: int, padding: str, dilation: int = 1
) -> Dimension:
    """How many places a window has along one side (TensorFlow's own formula).

    https://www.tensorflow.org/api_docs/python/tf/nn#notes_on_padding
    """
    if size is None:
        return None
    if padding == "same":
        return -(-size // stride)
    return (size - extent(window, dilation)) // stride + 1


def extent(window: int, dilation: int) -> int:
    """How many pixels a window reaches over, with its points `dilation` apart."""
    return (window - 1) * dilation + 1


def window_too_large(
    word: str,
    tensor: Tensor,
    window: tuple[int, int],
    argument: str,
    dilation: tuple[int, int] = (1, 1),
) -> Mismatch | None:
    """Why a window that must stay inside has no place in the picture."""
    assert tensor.shape is not None
    height, width = map(extent, window, dilation)
    sides = zip(tensor.shape[1:3], (height, width), strict=True)
    if all(size is None or size >= reach for size, reach in sides):
        return None
    return Mismatch(
        f"a window of {height} x {width} does not fit into the picture",
        f"`{word}` is given {tensor}",
        "with `padding = valid` the window stays inside, and there is no place for it.",
        f"use a smaller `{argument}`, or `padding = same`",
        argument=argument,
    )
