"""What an activation is: a layer of its own, or `activation = ...` of another."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, TypeAlias

from tfpc.types.fragment import Fragment, call
from tfpc.types.tensor import Content, Tensor
from tfpc.vocabulary.layer import Layer
from tfpc.vocabulary.layer_input import refuse_text
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
    "softsign",
    "mish",
    "exponential",
    "relu6",
    "hard_sigmoid",
    "hard_silu",
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
    "softsign": (-1, 1),
    "exponential": (0, None),
    "relu6": (0, 6),
    "hard_sigmoid": (0, 1),
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
