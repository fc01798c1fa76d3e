"""Activations without weights, as layers of their own."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from tfpc.types.fragment import Fragment, call
from tfpc.types.tensor import Tensor
from tfpc.vocabulary.activation import Activation
from tfpc.vocabulary.layer_input import refuse_unless_features
from tfpc.vocabulary.word import Mismatch


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


class Softsign(Activation):
    """x / (1 + |x|), in -1..1."""

    word: ClassVar[str] = "softsign"
    example: ClassVar[str] = "softsign"


class Mish(Activation):
    """x times the `tanh` of its `softplus` ("Mish", Misra, 2019)."""

    word: ClassVar[str] = "mish"
    example: ClassVar[str] = "mish"


class Exponential(Activation):
    """exp(x)."""

    word: ClassVar[str] = "exponential"
    example: ClassVar[str] = "exponential"


class Relu6(Activation):
    """`relu` that ends at 6: min(max(x, 0), 6)."""

    word: ClassVar[str] = "relu6"
    example: ClassVar[str] = "relu6"


class HardSigmoid(Activation):
    """`sigmoid` of straight lines: x / 6 + 1 / 2, cut to 0..1."""

    word: ClassVar[str] = "hard_sigmoid"
    example: ClassVar[str] = "hard_sigmoid"


class HardSilu(Activation):
    """x times its `hard_sigmoid` (also known as hard swish)."""

    word: ClassVar[str] = "hard_silu"
    example: ClassVar[str] = "hard_silu"
