"""Layers that take one value of a window, or of the whole picture."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, Literal

from pydantic import Field

from tfpc.types.fragment import Fragment, call
from tfpc.types.tensor import Content, Tensor
from tfpc.vocabulary.layer import Layer
from tfpc.vocabulary.layer_input import refuse_unless_picture
from tfpc.vocabulary.window import Pair, pair, places, window_too_large
from tfpc.vocabulary.word import Mismatch


class MaxPooling2d(Layer):
    """The largest value of each window."""

    word: ClassVar[str] = "max_pooling2d"
    example: ClassVar[str] = "max_pooling2d(2)"
    positional: ClassVar[tuple[str, ...]] = ("pool_size",)
    pool_size: Pair = Field(2, description="size of the window, one number or `[h, w]`")
    strides: Pair | None = Field(
        None, description="how far the window moves (default: its size)"
    )
    padding: Literal["valid", "same"] = Field(
        "valid", description="`same` lets windows reach over the border"
    )

    @property
    def keeps_activation(self) -> bool:
        """The values that are left stay what they are."""
        return True

    def transfer(self, tensor: Tensor) -> Tensor | Mismatch:
        """[batch, places, places, channels] in float32."""
        refused = refuse_unless_picture(self.word, tensor)
        if refused is None and self.padding == "valid":
            size = pair(self.pool_size)
            refused = window_too_large(self.word, tensor, size, "pool_size")
        if refused is not None:
            return refused
        assert tensor.shape is not None
        strides = pair(self.pool_size if self.strides is None else self.strides)
        sides = [
            places(size, window, stride, self.padding)
            for size, window, stride in zip(
                tensor.shape[1:3], pair(self.pool_size), strides, strict=True
            )
        ]
        shape = (tensor.shape[0], *sides, tensor.shape[-1])
        return replace(tensor, dtype="float32", shape=shape, content=Content.OTHER)

    def code(self, name: str, stream: int) -> Fragment:
        """https://keras.io/api/layers/pooling_layers/max_pooling2d/"""
        given: dict[str, object] = {}
        if self.strides is not None and pair(self.strides) != pair(self.pool_size):
            given["strides"] = self.strides
        if self.padding != "valid":
            given["padding"] = self.padding
        # The size is said even where it is Keras's default: people write it.
        return call("keras.layers.MaxPooling2D", self.pool_size, **given, name=name)


class GlobalAveragePooling2d(Layer):
    """The mean of each channel over the whole picture."""

    word: ClassVar[str] = "global_average_pooling2d"
    example: ClassVar[str] = "global_average_pooling2d"

    @property
    def keeps_activation(self) -> bool:
        """A mean of shares is a share."""
        return True

    def transfer(self, tensor: Tensor) -> Tensor | Mismatch:
        """[batch, channels] in float32."""
        refused = refuse_unless_picture(self.word, tensor)
        if refused is not None:
            return refused
        assert tensor.shape is not None
        shape = (tensor.shape[0], tensor.shape[-1])
        return replace(tensor, dtype="float32", shape=shape, content=Content.OTHER)

    def code(self, name: str, stream: int) -> Fragment:
        """https://keras.io/api/layers/pooling_layers/global_average_pooling2d/"""
        return call("keras.layers.GlobalAveragePooling2D", name=name)
