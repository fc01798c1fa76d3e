"""Activations: as a layer of their own, and as `activation = ...` of another."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, ClassVar, Literal, TypeAlias

from pydantic import Field

from tfpc.types.fragment import Fragment, call
from tfpc.types.tensor import Content, Tensor
from tfpc.vocabulary.layer import Layer
from tfpc.vocabulary.layer_input import refuse_text, refuse_unless_features
from tfpc.vocabulary.word import Mismatch

ActivationName: TypeAlias = Literal[
    "relu",
    "elu",
    "selu",
    "gelu",
    "silu",
    "tanh",
    "sigmoid",
    "softmax",
    "softplus",
    "linear",
]

# The values that an activation can give: (low, high), None where there is no bound.
RANGES: dict[str, tuple[float | None, float | None]] = {
    "relu": (0, None),
    "elu": (-1, None),
    "tanh": (-1, 1),
    "sigmoid": (0, 1),
    "softmax": (0, 1),
    "softplus": (0, None),
}


def activated(tensor: Tensor, activation: str | None) -> Tensor:
    """The type after an activation."""
    low, high = RANGES.get(activation or "linear", (None, None))
    return replace(tensor, low=low, high=high, content=Content.OTHER, classes=None)


class Activation(Layer):
    """An activation by its own name, on every value."""

    @property
    def output_activation(self) -> str:
        """Itself."""
        return self.word

    def transfer(self, tensor: Tensor) -> Tensor | Mismatch:
        """The same shape in float32."""
        refused = refuse_text(self.word, tensor)
        return refused or activated(replace(tensor, dtype="float32"), self.word)

    def code(self, name: str, stream: int) -> Fragment:
        """https://keras.io/api/layers/activations/"""
        return call("keras.layers.Activation", self.word, name=name)


class Relu(Activation):
    """max(x, 0)."""

    word: ClassVar[str] = "relu"
    example: ClassVar[str] = "relu"


class LeakyRelu(Activation):
    """x above zero, `negative_slope` times x below."""

    word: ClassVar[str] = "leaky_relu"
    example: ClassVar[str] = "leaky_relu(0.1)"
    positional: ClassVar[tuple[str, ...]] = ("negative_slope",)
    negative_slope: Annotated[float, Field(ge=0, allow_inf_nan=False)] = Field(
        0.3, description="what values below zero are multiplied by"
    )

    def code(self, name: str, stream: int) -> Fragment:
        """https://keras.io/api/layers/activation_layers/leaky_relu/"""
        return call("keras.layers.LeakyReLU", self.negative_slope, name=name)


class Elu(Activation):
    """x above zero, exp(x) - 1 below."""

    word: ClassVar[str] = "elu"
    example: ClassVar[str] = "elu"


class Selu(Activation):
    """`elu` scaled so that means and variances keep themselves."""

    word: ClassVar[str] = "selu"
    example: ClassVar[str] = "selu"


class Gelu(Activation):
    """x times the normal distribution's share below x."""

    word: ClassVar[str] = "gelu"
    example: ClassVar[str] = "gelu"


class Silu(Activation):
    """x times its sigmoid (also known as swish)."""

    word: ClassVar[str] = "silu"
    example: ClassVar[str] = "silu"


class Tanh(Activation):
    """The hyperbolic tangent, in -1..1."""

    word: ClassVar[str] = "tanh"
    example: ClassVar[str] = "tanh"


class Sigmoid(Activation):
    """1 / (1 + exp(-x)), in 0..1."""

    word: ClassVar[str] = "sigmoid"
    example: ClassVar[str] = "sigmoid"


class Softmax(Activation):
    """Shares that add up to one, along the last axis."""

    word: ClassVar[str] = "softmax"
    example: ClassVar[str] = "softmax"

    def transfer(self, tensor: Tensor) -> Tensor | Mismatch:
        """The same shape in float32, if there is an axis besides the batch."""
        return refuse_unless_features(self.word, tensor) or super().transfer(tensor)


class Softplus(Activation):
    """log(1 + exp(x))."""

    word: ClassVar[str] = "softplus"
    example: ClassVar[str] = "softplus"
