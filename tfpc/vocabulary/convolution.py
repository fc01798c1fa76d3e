"""Convolution of pictures."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, Literal

from pydantic import Field

from tfpc.types.fragment import Fragment, call
from tfpc.types.tensor import Tensor
from tfpc.vocabulary.activation import ActivationName, activated
from tfpc.vocabulary.layer import Layer
from tfpc.vocabulary.layer_input import refuse_unless_features, refuse_unless_picture
from tfpc.vocabulary.window import Count, Pair, pair, places, window_too_large
from tfpc.vocabulary.word import Mismatch


class Conv2d(Layer):
    """A convolution: `filters` weighted sums over a window that moves on the picture.

    With `padding = valid` the window stays inside the picture; with `same` there are
    zeros around it, and the size stays (divided by the strides).
    """

    word: ClassVar[str] = "conv2d"
    example: ClassVar[str] = "conv2d(32, 3, activation = relu)"
    positional: ClassVar[tuple[str, ...]] = ("filters", "kernel_size")
    filters: Count = Field(description="how many channels come out")
    kernel_size: Pair = Field(description="size of the window, one number or `[h, w]`")
    strides: Pair = Field(1, description="how far the window moves")
    padding: Literal["valid", "same"] = Field(
        "valid", description="`same` keeps the size (divided by the strides)"
    )
    activation: ActivationName = Field(
        "linear", description="what the outputs go through"
    )
    use_bias: bool = Field(True, description="whether each filter has a bias")
    dilation_rate: Pair = Field(1, description="distance between points of the window")

    @property
    def output_activation(self) -> str | None:
        """Its own."""
        return None if self.activation == "linear" else self.activation

    def transfer(self, tensor: Tensor) -> Tensor | Mismatch:
        """[batch, places, places, filters] in float32."""
        refused = (
            refuse_unless_picture(self.word, tensor)
            or refuse_unless_features(self.word, tensor)
            or self.refuse_strides_with_dilation()
            or self.refuse_picture(tensor)
        )
        if refused is not None:
            return refused
        assert tensor.shape is not None
        sides = [
            places(size, window, stride, self.padding, dilation)
            for size, window, stride, dilation in zip(
                tensor.shape[1:3],
                pair(self.kernel_size),
                pair(self.strides),
                pair(self.dilation_rate),
                strict=True,
            )
        ]
        shape = (tensor.shape[0], *sides, self.filters)
        return activated(replace(tensor, dtype="float32", shape=shape), self.activation)

    def refuse_strides_with_dilation(self) -> Mismatch | None:
        """Keras's own limit."""
        if max(pair(self.strides)) == 1 or max(pair(self.dilation_rate)) == 1:
            return None
        return Mismatch(
            "`strides` and `dilation_rate` can't both be more than 1",
            "more than 1, as `strides` are",
            "Keras has no convolution that does both.",
            "leave one of the two out",
            argument="dilation_rate",
        )

    def refuse_picture(self, tensor: Tensor) -> Mismatch | None:
        """Whether the window has a place."""
        if self.padding == "same":
            return None
        dilation = pair(self.dilation_rate)
        kernel = pair(self.kernel_size)
        return window_too_large(self.word, tensor, kernel, "kernel_size", dilation)

    def parameters(self, tensor: Tensor) -> int:
        """window x channels x filters, and a bias for each filter."""
        assert tensor.shape is not None
        assert tensor.shape[-1] is not None
        height, width = pair(self.kernel_size)
        weights = height * width * tensor.shape[-1] * self.filters
        return weights + self.filters * self.use_bias

    def code(self, name: str, stream: int) -> Fragment:
        """https://keras.io/api/layers/convolution_layers/convolution2d/"""
        given: dict[str, object] = {}
        if pair(self.strides) != (1, 1):
            given["strides"] = self.strides
        if self.padding != "valid":
            given["padding"] = self.padding
        if pair(self.dilation_rate) != (1, 1):
            given["dilation_rate"] = self.dilation_rate
        if self.activation != "linear":
            given["activation"] = self.activation
        if not self.use_bias:
            given["use_bias"] = False
        kernel = self.kernel_size
        return call("keras.layers.Conv2D", self.filters, kernel, **given, name=name)
