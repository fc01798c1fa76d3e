"""Layers that take one value of a window, or of the whole picture or sequence."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, Literal

from pydantic import Field

from tfpc.types.fragment import Fragment, call
from tfpc.types.tensor import Content, Tensor
from tfpc.vocabulary.layer import Layer
from tfpc.vocabulary.layer_input import refuse_unless_places
from tfpc.vocabulary.window import Pair, along, places, window_too_large
from tfpc.vocabulary.word import Mismatch


class Pooling(Layer):
    """One value of each window that moves along `axes` axes."""

    positional: ClassVar[tuple[str, ...]] = ("pool_size",)
    axes: ClassVar[int] = 2
    keras_name: ClassVar[str]
    pool_size: Pair = Field(2, description="size of the window, one number or `[h, w]`")
    strides: Pair | None = Field(
        None, description="how far the window moves (default: its size)"
    )
    padding: Literal["valid", "same"] = Field(
        "valid", description="`same` lets windows reach over the border"
    )

    @property
    def keeps_activation(self) -> bool:
        """The values that are left stay what they are; a mean of shares is a share."""
        return True

    def transfer(self, tensor: Tensor) -> Tensor | Mismatch:
        """[batch, places, ..., channels] in float32."""
        refused = refuse_unless_places(self.word, tensor, self.axes)
        sizes = along(self.axes, self.pool_size)
        if refused is None and self.padding == "valid":
            apart = along(self.axes, 1)
            refused = window_too_large(self.word, tensor, sizes, "pool_size", apart)
        if refused is not None:
            return refused
        assert tensor.shape is not None
        strides = sizes if self.strides is None else along(self.axes, self.strides)
        sides = [
            places(size, window, stride, self.padding)
            for size, window, stride in zip(
                tensor.shape[1:-1], sizes, strides, strict=True
            )
        ]
        shape = (tensor.shape[0], *sides, tensor.shape[-1])
        return replace(tensor, dtype="float32", shape=shape, content=Content.OTHER)

    def code(self, name: str, stream: int) -> Fragment:
        """https://keras.io/api/layers/pooling_layers/"""
        given: dict[str, object] = {}
        sizes = along(self.axes, self.pool_size)
        if self.strides is not None and along(self.axes, self.strides) != sizes:
            given["strides"] = self.strides
        if self.padding != "valid":
            given["padding"] = self.padding
        # The size is said even where it is Keras's default: people write it.
        function = f"keras.layers.{self.keras_name}{self.axes}D"
        return call(function, self.pool_size, **given, name=name)


class GlobalPooling(Layer):
    """One value of each channel, over all that `axes` axes hold."""

    axes: ClassVar[int] = 2
    keras_name: ClassVar[str]

    @property
    def keeps_activation(self) -> bool:
        """A largest value stays what it is; a mean of shares is a share."""
        return True

    def transfer(self, tensor: Tensor) -> Tensor | Mismatch:
        """[batch, channels] in float32."""
        refused = refuse_unless_places(self.word, tensor, self.axes)
        if refused is not None:
            return refused
        assert tensor.shape is not None
        shape = (tensor.shape[0], tensor.shape[-1])
        return replace(tensor, dtype="float32", shape=shape, content=Content.OTHER)

    def code(self, name: str, stream: int) -> Fragment:
        """https://keras.io/api/layers/pooling_layers/"""
        return call(f"keras.layers.{self.keras_name}{self.axes}D", name=name)


class MaxPooling2d(Pooling):
    """The largest value of each window."""

    word: ClassVar[str] = "max_pooling2d"
    example: ClassVar[str] = "max_pooling2d(2)"
    keras_name: ClassVar[str] = "MaxPooling"


class AveragePooling2d(Pooling):
    """The mean of each window; what reaches over the border does not count."""

    word: ClassVar[str] = "average_pooling2d"
    example: ClassVar[str] = "average_pooling2d(2)"
    keras_name: ClassVar[str] = "AveragePooling"


class GlobalAveragePooling2d(GlobalPooling):
    """The mean of each channel over the whole picture."""

    word: ClassVar[str] = "global_average_pooling2d"
    example: ClassVar[str] = "global_average_pooling2d"
    keras_name: ClassVar[str] = "GlobalAveragePooling"


class GlobalMaxPooling2d(GlobalPooling):
    """The largest value of each channel over the whole picture."""

    word: ClassVar[str] = "global_max_pooling2d"
    example: ClassVar[str] = "global_max_pooling2d"
    keras_name: ClassVar[str] = "GlobalMaxPooling"
