"""Layers that bring values to a common mean and scale."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, ClassVar

from pydantic import Field

from tfpc.types.fragment import Fragment, call
from tfpc.types.tensor import Tensor
from tfpc.vocabulary.activation import activated
from tfpc.vocabulary.layer import Layer
from tfpc.vocabulary.layer_input import refuse_unless_features
from tfpc.vocabulary.word import Mismatch


class BatchNormalization(Layer):
    """Brings each channel to mean 0 and variance 1 over the batch, then scales it.

    In evaluation it uses the running means of training ("Batch Normalization", Ioffe
    and Szegedy, 2015).
    """

    word: ClassVar[str] = "batch_normalization"
    example: ClassVar[str] = "batch_normalization"
    momentum: Annotated[float, Field(ge=0, lt=1)] = Field(
        0.99, description="how much of the running means is kept in each step"
    )
    epsilon: Annotated[float, Field(gt=0, allow_inf_nan=False)] = Field(
        1e-3, description="keeps the division from zero"
    )
    center: bool = Field(True, description="whether a mean is learnt")
    scale: bool = Field(True, description="whether a scale is learnt")

    def transfer(self, tensor: Tensor) -> Tensor | Mismatch:
        """The same shape in float32."""
        refused = refuse_unless_features(self.word, tensor)
        return refused or activated(replace(tensor, dtype="float32"), None)

    def parameters(self, tensor: Tensor) -> int:
        """Two running means a channel, and what is learnt."""
        assert tensor.shape is not None
        assert tensor.shape[-1] is not None
        return tensor.shape[-1] * (2 + self.center + self.scale)

    def code(self, name: str, stream: int) -> Fragment:
        """https://keras.io/api/layers/normalization_layers/batch_normalization/"""
        return call("keras.layers.BatchNormalization", **changed(self), name=name)


class LayerNormalization(Layer):
    """Brings the values of the last axis to mean 0 and variance 1, then scales them.

    Each example is taken by itself, in training and evaluation alike ("Layer
    Normalization", Ba, Kiros and Hinton, 2016).
    """

    word: ClassVar[str] = "layer_normalization"
    example: ClassVar[str] = "layer_normalization"
    epsilon: Annotated[float, Field(gt=0, allow_inf_nan=False)] = Field(
        1e-3, description="keeps the division from zero"
    )
    center: bool = Field(True, description="whether a mean is learnt")
    scale: bool = Field(True, description="whether a scale is learnt")

    def transfer(self, tensor: Tensor) -> Tensor | Mismatch:
        """The same shape in float32."""
        refused = refuse_unless_features(self.word, tensor)
        return refused or activated(replace(tensor, dtype="float32"), None)

    def parameters(self, tensor: Tensor) -> int:
        """What is learnt for each value of the last axis."""
        assert tensor.shape is not None
        assert tensor.shape[-1] is not None
        return tensor.shape[-1] * (self.center + self.scale)

    def code(self, name: str, stream: int) -> Fragment:
        """https://keras.io/api/layers/normalization_layers/layer_normalization/"""
        return call("keras.layers.LayerNormalization", **changed(self), name=name)


def changed(layer: Layer) -> dict[str, object]:
    """The arguments of a layer that are not at their defaults."""
    return {
        argument: getattr(layer, argument)
        for argument, info in type(layer).model_fields.items()
        if getattr(layer, argument) != info.default
    }
