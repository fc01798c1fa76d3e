"""Dense layers, and what brings pictures to them."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import Annotated, ClassVar

from pydantic import Field

from tfpc.types.fragment import Fragment, Name, call
from tfpc.types.tensor import Content, Tensor
from tfpc.vocabulary.activation import ActivationName, activated
from tfpc.vocabulary.layer import Layer
from tfpc.vocabulary.layer_input import refuse_text, refuse_unless_features
from tfpc.vocabulary.window import Count
from tfpc.vocabulary.word import Mismatch


class Dense(Layer):
    """A weighted sum of all inputs for each of `units` outputs, along the last axis."""

    word: ClassVar[str] = "dense"
    example: ClassVar[str] = "dense(64, activation = relu)"
    positional: ClassVar[tuple[str, ...]] = ("units", "activation")
    units: Count = Field(description="how many outputs")
    activation: ActivationName = Field(
        "linear", description="what the outputs go through"
    )
    use_bias: bool = Field(True, description="whether each output has a bias")

    @property
    def output_activation(self) -> str | None:
        """Its own."""
        return None if self.activation == "linear" else self.activation

    def transfer(self, tensor: Tensor) -> Tensor | Mismatch:
        """The last axis becomes `units`."""
        refused = refuse_unless_features(self.word, tensor)
        if refused is not None:
            return refused
        assert tensor.shape is not None
        after = replace(tensor, dtype="float32", shape=(*tensor.shape[:-1], self.units))
        return activated(after, self.activation)

    def parameters(self, tensor: Tensor) -> int:
        """inputs x units, and a bias for each unit."""
        assert tensor.shape is not None
        assert tensor.shape[-1] is not None
        return tensor.shape[-1] * self.units + self.units * self.use_bias

    def code(self, name: str, stream: int) -> Fragment:
        """https://keras.io/api/layers/core_layers/dense/"""
        given: dict[str, object] = {}
        if self.activation != "linear":
            given["activation"] = self.activation
        if not self.use_bias:
            given["use_bias"] = False
        return call("keras.layers.Dense", self.units, **given, name=name)


class Flatten(Layer):
    """All values of an example in one row."""

    word: ClassVar[str] = "flatten"
    example: ClassVar[str] = "flatten"

    @property
    def keeps_activation(self) -> bool:
        """The values stay what they are."""
        return True

    def transfer(self, tensor: Tensor) -> Tensor | Mismatch:
        """[batch, product of all other sizes] in float32."""
        refused = refuse_text(self.word, tensor)
        if refused is not None:
            return refused
        sizes = None if tensor.shape is None else tensor.shape[1:]
        if tensor.shape is None or sizes is None or None in sizes:
            return Mismatch(
                "`flatten` needs to know the size of the pictures",
                f"is given {tensor}",
                "the layers below have a weight for each value, so their number must "
                "be fixed.",
                fix="give them one size: `resize(224, 224)`, "
                "or use `global_average_pooling2d`",
            )
        whole = prod(size for size in sizes if size is not None)
        return replace(
            tensor,
            dtype="float32",
            shape=(tensor.shape[0], whole),
            content=Content.OTHER,
        )

    def code(self, name: str, stream: int) -> Fragment:
        """https://keras.io/api/layers/reshaping_layers/flatten/"""
        return call("keras.layers.Flatten", name=name)


class Dropout(Layer):
    """Sets a share `rate` of the values to zero in training, others in each step."""

    word: ClassVar[str] = "dropout"
    example: ClassVar[str] = "dropout(0.3)"
    positional: ClassVar[tuple[str, ...]] = ("rate",)
    random: ClassVar[bool] = True
    rate: Annotated[float, Field(ge=0, lt=1)] = Field(
        description="the share that becomes zero, 0..1"
    )

    @property
    def keeps_activation(self) -> bool:
        """In evaluation the values stay what they are."""
        return True

    def transfer(self, tensor: Tensor) -> Tensor | Mismatch:
        """The same shape; what is left is scaled, so its range is not known."""
        refused = refuse_text(self.word, tensor)
        return refused or replace(
            tensor, dtype="float32", low=None, high=None, content=Content.OTHER
        )

    def code(self, name: str, stream: int) -> Fragment:
        """Counter-based, a part of the program."""
        scope = Name("SEED"), stream, Name("clock"), Name("BATCH")
        return call("CounterDropout", self.rate, *scope, name=name)
