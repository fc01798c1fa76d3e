"""Convolution of pictures and of sequences."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import ClassVar, Literal

from pydantic import Field

from tfpc.types.fragment import Fragment, call
from tfpc.types.tensor import Tensor
from tfpc.vocabulary.activation import ActivationName, activated
from tfpc.vocabulary.layer import Layer
from tfpc.vocabulary.layer_input import refuse_unless_features, refuse_unless_places
from tfpc.vocabulary.window import Count, Pair, along, places, window_too_large
from tfpc.vocabulary.word import Mismatch


class Convolution(Layer):
    """Weighted sums over a window that moves along `axes` axes."""

    positional: ClassVar[tuple[str, ...]] = ("filters", "kernel_size")
    axes: ClassVar[int]
    filters: Count = Field(description="how many channels come out")
    kernel_size: Pair = Field(description="size of the window, one number or `[h, w]`")
    strides: Pair = Field(1, description="how far the window moves")
    padding: Literal["valid", "same", "causal"] = "valid"
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
        """[batch, places, ..., filters] in float32."""
        refused = (
            refuse_unless_places(self.word, tensor, self.axes)
            or refuse_unless_features(self.word, tensor)
            or self.refuse_strides_with_dilation()
            or self.refuse_window(tensor)
        )
        if refused is not None:
            return refused
        assert tensor.shape is not None
        sides = [
            places(size, window, stride, self.padding, dilation)
            for size, window, stride, dilation in zip(
                tensor.shape[1:-1],
                along(self.axes, self.kernel_size),
                along(self.axes, self.strides),
                along(self.axes, self.dilation_rate),
                strict=True,
            )
        ]
        shape = (tensor.shape[0], *sides, self.filters)
        return activated(replace(tensor, dtype="float32", shape=shape), self.activation)

    def refuse_strides_with_dilation(self) -> Mismatch | None:
        """Keras's own limit."""
        strides = along(self.axes, self.strides)
        if max(strides) == 1 or max(along(self.axes, self.dilation_rate)) == 1:
            return None
        return Mismatch(
            "`strides` and `dilation_rate` can't both be more than 1",
            "more than 1, as `strides` are",
            "Keras has no convolution that does both.",
            "leave one of the two out",
            argument="dilation_rate",
        )

    def refuse_window(self, tensor: Tensor) -> Mismatch | None:
        """Whether the window has a place."""
        if self.padding != "valid":
            return None
        dilation = along(self.axes, self.dilation_rate)
        kernel = along(self.axes, self.kernel_size)
        return window_too_large(self.word, tensor, kernel, "kernel_size", dilation)

    def parameters(self, tensor: Tensor) -> int:
        """window x channels x filters, and a bias for each filter."""
        assert tensor.shape is not None
        assert tensor.shape[-1] is not None
        points = prod(along(self.axes, self.kernel_size))
        return points * tensor.shape[-1] * self.filters + self.filters * self.use_bias

    def code(self, name: str, stream: int) -> Fragment:
        """https://keras.io/api/layers/convolution_layers/"""
        given: dict[str, object] = {}
        if max(along(self.axes, self.strides)) > 1:
            given["strides"] = self.strides
        if self.padding != "valid":
            given["padding"] = self.padding
        if max(along(self.axes, self.dilation_rate)) > 1:
            given["dilation_rate"] = self.dilation_rate
        if self.activation != "linear":
            given["activation"] = self.activation
        if not self.use_bias:
            given["use_bias"] = False
        function = f"keras.layers.Conv{self.axes}D"
        return call(function, self.filters, self.kernel_size, **given, name=name)


class Conv2d(Convolution):
    """A convolution: `filters` weighted sums over a window that moves on the picture.

    With `padding = valid` the window stays inside the picture; with `same` there are
    zeros around it, and the size stays (divided by the strides).
    """

    word: ClassVar[str] = "conv2d"
    example: ClassVar[str] = "conv2d(32, 3, activation = relu)"
    axes: ClassVar[int] = 2
    padding: Literal["valid", "same"] = Field(
        "valid", description="`same` keeps the size (divided by the strides)"
    )


class Conv1d(Convolution):
    """A convolution: `filters` weighted sums over a window that moves along the steps.

    With `padding = valid` the window stays inside the sequence; with `same` there are
    zeros on both sides, with `causal` only before it, so that no step sees later ones.
    """

    word: ClassVar[str] = "conv1d"
    example: ClassVar[str] = "conv1d(64, 5, activation = relu)"
    axes: ClassVar[int] = 1
    kernel_size: Count = Field(description="size of the window, in steps")
    strides: Count = Field(1, description="how far the window moves")
    padding: Literal["valid", "same", "causal"] = Field(
        "valid",
        description="`same` and `causal` keep the size (divided by the strides); "
        "with `causal` no step sees later ones",
    )
    dilation_rate: Count = Field(1, description="distance between points of the window")
