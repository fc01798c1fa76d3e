"""Words that make one tensor of several: paths side by side, and layers further up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Literal

from pydantic import Field

from tfpc.types.fragment import Call, call
from tfpc.types.tensor import Tensor
from tfpc.vocabulary.bare_name import TapName
from tfpc.vocabulary.layer import Layer
from tfpc.vocabulary.word import Mismatch

# By how tensors are joined: the layer of Keras that does it.
KERAS = {
    "add": "Add",
    "average": "Average",
    "concat": "Concatenate",
    "maximum": "Maximum",
    "multiply": "Multiply",
}
FIX = (
    "give the paths layers that end in equal sizes: `padding = same`, equal strides, or "
    "a projection such as `conv2d(filters, 1)`"
)
FIX_RANK = (
    "bring them to the same number of sizes: put `flatten` or "
    "`global_average_pooling2d` behind the one that has more"
)


class Add(Layer):
    """Adds what layers further up gave, by the names that stand behind `as` there.

    All must have the same shape.
    """

    word: ClassVar[str] = "add"
    example: ClassVar[str] = "add(summary)"
    positional: ClassVar[tuple[str, ...]] = ("names",)
    names: TapName | tuple[TapName, ...] = Field(
        description="the name of a layer, or several in `[ ]`"
    )

    @property
    def taps(self) -> tuple[str, ...]:
        """The names."""
        return (self.names,) if isinstance(self.names, str) else self.names


class Concat(Add):
    """Puts what layers further up gave behind what comes in, along the last axis.

    They are named by what stands behind `as` there; all other sizes must be equal.
    """

    word: ClassVar[str] = "concat"
    example: ClassVar[str] = "concat(summary)"


class Merge(Layer):
    """Sends its input along each `path { }` and joins what they make of it.

    `concat` puts the results behind each other along the last axis, where all other
    sizes must be equal; the others combine them number by number, in one shape. An
    empty path passes its input on.
    """

    word: ClassVar[str] = "merge"
    example: ClassVar[str] = "merge(concat) { path { relu } path { tanh } }"
    positional: ClassVar[tuple[str, ...]] = ("how",)
    has_body: ClassVar[bool] = True
    how: Literal["concat", "add", "multiply", "average", "maximum"] = Field(
        description="how the results are joined"
    )


class Path(Layer):
    """One of the ways through a `merge`."""

    word: ClassVar[str] = "path"
    example: ClassVar[str] = "path { conv2d(16, 3, padding = same) }"
    has_body: ClassVar[bool] = True
    may_be_empty: ClassVar[bool] = True


def joined(how: str, tensors: Sequence[Tensor]) -> Tensor | Mismatch:
    """The type of what several tensors become. how: one of `KERAS`."""
    first = tensors[0]
    texts = [tensor for tensor in tensors if not tensor.is_float]
    if texts:
        return Mismatch(f"`{how}` joins numbers", f"is given {texts[0]}")
    if any(tensor.shape is None for tensor in tensors) or first.shape is None:
        return replace(first, shape=None, low=None, high=None)
    kept = slice(None, -1) if how == "concat" else slice(None)
    shapes = [tensor.shape or () for tensor in tensors]
    other = next((s for s in shapes if s[kept] != first.shape[kept]), None)
    if other is not None or any(len(s) != len(first.shape) for s in shapes):
        fix = FIX if len({len(shape) for shape in shapes}) == 1 else FIX_RANK
        rest = "all sizes but the last" if how == "concat" else "all sizes"
        return Mismatch(
            f"`{how}` joins tensors of different shapes",
            " and ".join(str(tensor) for tensor in tensors),
            f"{rest} must be equal.",
            fix,
        )
    if how != "concat":
        return replace(first, low=None, high=None)
    last = [shape[-1] for shape in shapes]
    known = [size for size in last if size is not None]
    total = sum(known) if len(known) == len(last) else None
    return replace(first, shape=(*first.shape[:-1], total), low=None, high=None)


def join_code(how: str, name: str) -> Call:
    """The layer of Keras that joins a list of tensors."""
    return call(f"keras.layers.{KERAS[how]}", name=name)
