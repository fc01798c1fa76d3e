"""`embedding`: a vector for each whole number."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, ClassVar

from pydantic import Field

from tfpc.types.fragment import Fragment, call
from tfpc.types.tensor import Tensor
from tfpc.vocabulary.activation import activated
from tfpc.vocabulary.layer import Layer
from tfpc.vocabulary.layer_input import refuse_text
from tfpc.vocabulary.window import Count
from tfpc.vocabulary.word import Mismatch


class Embedding(Layer):
    """A learnt vector of `output_dim` values for each of the numbers 0..input_dim - 1.

    Numbers are cut to whole ones. Say in the schema how many there are,
    `words = int64(classes = 1_000)[32]`, and they are compared with `input_dim`: one
    that has no vector stops the run on a CPU, and on a GPU it gets zeros.
    """

    word: ClassVar[str] = "embedding"
    example: ClassVar[str] = "embedding(10_000, 64)"
    positional: ClassVar[tuple[str, ...]] = ("input_dim", "output_dim")
    # A model is given float32, in which whole numbers are exact up to this.
    input_dim: Annotated[int, Field(ge=1, le=2**24)] = Field(
        description="how many numbers have a vector, from zero"
    )
    output_dim: Count = Field(description="how many values a vector has")

    def transfer(self, tensor: Tensor) -> Tensor | Mismatch:
        """[..., output_dim] in float32: one axis more."""
        refused = refuse_text(self.word, tensor) or self.refuse_numbers(tensor)
        if refused is not None:
            return refused
        shape = None if tensor.shape is None else (*tensor.shape, self.output_dim)
        return activated(replace(tensor, dtype="float32", shape=shape), None)

    def refuse_numbers(self, tensor: Tensor) -> Mismatch | None:
        """Why some of the numbers have no vector."""
        if tensor.low is not None and tensor.low < 0:
            return Mismatch(
                "`embedding` needs numbers that count from zero",
                f"is given values from {tensor.low:g} on",
                "each whole number from zero has a vector, and none below it.",
                "leave out what makes them negative, such as `normalize`",
            )
        if tensor.high is not None and tensor.high >= self.input_dim:
            return Mismatch(
                f"`embedding` has vectors for 0..{self.input_dim - 1}, "
                f"the numbers go up to {tensor.high:.0f}",
                f"is given {tensor} in {tensor.low or 0:.0f}..{tensor.high:.0f}",
                "a number without a vector stops the run, or on a GPU becomes zeros.",
                f"write `input_dim = {int(tensor.high) + 1}`",
                argument="input_dim",
            )
        return None

    def parameters(self, tensor: Tensor) -> int:
        """A vector for each number."""
        return self.input_dim * self.output_dim

    def code(self, name: str, stream: int) -> Fragment:
        """https://keras.io/api/layers/core_layers/embedding/"""
        return call(
            "keras.layers.Embedding", self.input_dim, self.output_dim, name=name
        )
