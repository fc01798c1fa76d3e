"""Windows that move over a picture or along a sequence: sizes, and how many places."""

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


def along(axes: int, value: Pair) -> tuple[int, ...]:
    """One number for each axis that a window moves along."""
    return (value,) * axes if isinstance(value, int) else value


def places(
    size: Dimension, window: int, stride: int, padding: str, dilation: int = 1
) -> Dimension:
    """How many places a window has along one side (TensorFlow's own formula).

    https://www.tensorflow.org/api_docs/python/tf/nn#notes_on_padding
    """
    if size is None:
        return None
    if padding != "valid":
        return -(-size // stride)
    return (size - extent(window, dilation)) // stride + 1


def extent(window: int, dilation: int) -> int:
    """How many pixels or steps a window reaches over, its points `dilation` apart."""
    return (window - 1) * dilation + 1


def window_too_large(
    word: str,
    tensor: Tensor,
    window: tuple[int, ...],
    argument: str,
    dilation: tuple[int, ...],
) -> Mismatch | None:
    """Why a window that must stay inside has no place in the picture or sequence."""
    assert tensor.shape is not None
    reaches = tuple(map(extent, window, dilation))
    sides = zip(tensor.shape[1:-1], reaches, strict=True)
    if all(size is None or size >= reach for size, reach in sides):
        return None
    whole = "picture" if len(reaches) == 2 else "sequence"
    return Mismatch(
        f"a window of {' x '.join(map(str, reaches))} does not fit into the {whole}",
        f"`{word}` is given {tensor}",
        "with `padding = valid` the window stays inside, and there is no place for it.",
        f"use a smaller `{argument}`, or `padding = same`",
        argument=argument,
    )
