"""Words that arrange other layers."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from tfpc.vocabulary.layer import Layer


class Residual(Layer):
    """Adds what goes in to what its layers make of it ("Deep Residual Learning", 2015).

    Both must have the same shape; a `shortcut` layer brings what goes in to it.
    """

    word: ClassVar[str] = "residual"
    example: ClassVar[str] = "residual { conv2d(64, 3, padding = same) }"
    has_body: ClassVar[bool] = True
    shortcut: Literal["identity"] | Layer = Field(
        "identity", description="a layer on the way around, or `identity`"
    )


class Sequence(Layer):
    """Layers one after the other where one is due: a definition as an argument.

    layers: as they are placed in the spec. It is no word: nothing is written so.
    """

    layers: tuple[Any, ...]


class Repeat(Layer):
    """Its layers several times in a row, each time with weights of their own."""

    word: ClassVar[str] = "repeat"
    example: ClassVar[str] = "repeat(3) { dense(64, activation = relu) }"
    positional: ClassVar[tuple[str, ...]] = ("count",)
    has_body: ClassVar[bool] = True
    count: Annotated[int, Field(ge=1, le=1000)] = Field(description="how many times")
