"""`prelu`: an activation that learns its slope below zero."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import Annotated, ClassVar

from pydantic import Field, field_validator

from tfpc.types.fragment import Fragment, call, list_of
from tfpc.types.tensor import Tensor
from tfpc.vocabulary.activation import Activation, activated
from tfpc.vocabulary.layer_input import refuse_text
from tfpc.vocabulary.word import Mismatch


class Prelu(Activation):
    """x above zero, a learnt slope times x below.

    There is a slope for each value of an example; axes in `shared_axes` share theirs:
    `[1, 2]` leaves each channel of a picture one ("Delving Deep into Rectifiers", He,
    Zhang, Ren and Sun, 2015).
    """

    word: ClassVar[str] = "prelu"
    example: ClassVar[str] = "prelu(shared_axes = [1, 2])"
    shared_axes: tuple[Annotated[int, Field(ge=1)], ...] | None = Field(
        None, description="axes along which a slope is shared, counted from 1"
    )

    @field_validator("shared_axes")
    @classmethod
    def once_each(cls, axes: tuple[int, ...] | None) -> tuple[int, ...] | None:
        """An axis can be shared once. Raises ValueError in the user's words."""
        if axes is not None and len(set(axes)) < len(axes):
            raise ValueError("names an axis twice")
        return axes

    def transfer(self, tensor: Tensor) -> Tensor | Mismatch:
        """The same shape in float32, if the number of slopes is fixed."""
        refused = (
            refuse_text(self.word, tensor)
            or self.refuse_axes(tensor)
            or self.refuse_sizes(tensor)
        )
        return refused or activated(replace(tensor, dtype="float32"), None)

    def refuse_axes(self, tensor: Tensor) -> Mismatch | None:
        """Why the axes are none of this tensor's."""
        highest = max(self.shared_axes or (0,))
        if tensor.shape is None or highest < max(1, len(tensor.shape)):
            return None
        last = len(tensor.shape) - 1
        return Mismatch(
            f"`prelu` is given no axis {highest}",
            f"is given {tensor}",
            f"axes are counted from the batch, which is 0; here the last one is {last}.",
            "name axes that there are, or leave `shared_axes` out",
            argument="shared_axes",
        )

    def refuse_sizes(self, tensor: Tensor) -> Mismatch | None:
        """Why there is no fixed number of slopes."""
        if tensor.shape is not None and None not in self.slopes(tensor):
            return None
        pictures = tensor.shape is not None and len(tensor.shape) == 4
        return Mismatch(
            "`prelu` needs to know how many values an example has",
            f"is given {tensor}",
            "it learns a slope for each, so their number must be fixed.",
            "let the places of a channel share one: `prelu(shared_axes = [1, 2])`"
            if pictures
            else "give the examples one size, or use `leaky_relu`",
        )

    def slopes(self, tensor: Tensor) -> tuple[int | None, ...]:
        """The shape of the slopes."""
        assert tensor.shape is not None
        return tuple(
            1 if axis in (self.shared_axes or ()) else size
            for axis, size in enumerate(tensor.shape[1:], 1)
        )

    def parameters(self, tensor: Tensor) -> int:
        """One for each slope."""
        return prod(size for size in self.slopes(tensor) if size is not None)

    def code(self, name: str, stream: int) -> Fragment:
        """https://keras.io/api/layers/activation_layers/prelu/"""
        if not self.shared_axes:
            return call("keras.layers.PReLU", name=name)
        axes = list_of(*self.shared_axes)
        return call("keras.layers.PReLU", shared_axes=axes, name=name)
