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

# In float32 whole numbers are exact up to this.
EXACT = 2**24


class Embedding(Layer):
    """A learnt vector of `output_dim` values for each of the numbers 0..input_dim - 1.

    It takes whole numbers. Say in the schema how many there are,
    `words = int64(classes = 1_000)[32]`, and they are compared with `input_dim`: one
    that has no vector stops the run on a CPU, and on a GPU it gets zeros.
    """

    word: ClassVar[str] = "embedding"
    example: ClassVar[str] = "embedding(10_000, 64)"
    positional: ClassVar[tuple[str, ...]] = ("input_dim", "output_dim")
    whole_numbers: ClassVar[bool] = True
    input_dim: Annotated[int, Field(ge=1, le=2**31 - 1)] = Field(
        description="how many numbers have a vector, from zero"
    )
    output_dim: Count = Field(description="how many values a vector has")

    def transfer(self, tensor: Tensor) -> Tensor | Mismatch:
        """[..., output_dim] in float32: one axis more."""
        refused = refuse_text(self.word, tensor) or self.refuse_inexact(tensor)
        if refused is not None:
            return refused
        shape = None if tensor.shape is None else (*tensor.shape, self.output_dim)
        return activated(replace(tensor, dtype="float32", shape=shape), None)

    def refuse_inexact(self, tensor: Tensor) -> Mismatch | None:
        """Why some of the numbers could not be told apart."""
        if not tensor.is_float or self.input_dim <= EXACT:
            return None
        return Mismatch(
            f"`embedding` can't tell {self.input_dim:,} numbers apart in {tensor.dtype}",
            f"is given {tensor}",
            f"whole numbers above {EXACT:,} are rounded there.",
            "put `embedding` first in the model, on whole numbers, which stay whole then",
            argument="input_dim",
        )

    def parameters(self, tensor: Tensor) -> int:
        """A vector for each number."""
        return self.input_dim * self.output_dim

    def code(self, name: str, stream: int) -> Fragment:
        """https://keras.io/api/layers/core_layers/embedding/"""
        return call(
            "keras.layers.Embedding", self.input_dim, self.output_dim, name=name
        )
