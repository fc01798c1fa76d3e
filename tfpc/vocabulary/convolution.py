"""Layers on pictures: convolution, pooling, normalization."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from tfpc.types.fragment import Fragment, call
from tfpc.types.tensor import Content, Dimension, Tensor
from tfpc.vocabulary.activation import ActivationName, activated
from tfpc.vocabulary.layer import Layer
from tfpc.vocabulary.word import Mismatch

Count = Annotated[int, Field(ge=1, le=2**31 - 1)]
# One number for height and width, or `[height, width]`.
Pair = Count | Annotated[tuple[Count, ...], Field(min_length=1, max_length=2)]


def pair(value: Pair) -> tuple[int, int]:
    """Height and width."""
    if isinstance(value, int):
        return value, value
    return value[0], value[-1]


def written(value: Pair) -> object:
    """As Keras takes it."""
    return value if isinstance(value, int) else pair(value)


def needs_picture(word: str, tensor: Tensor) -> Mismatch | None:
    """Why a layer on pictures can't act on a tensor."""
    if tensor.shape is not None and len(tensor.shape) == 4:
        return None
    return Mismatch(
        f"`{word}` needs pictures, [batch, height, width, channels]",
        f"is given {tensor}",
        f"`{word}` looks at neighbours in height and width.",
        f"move `{word}` above the layer that takes height and width away",
    )


def windows(
    size: Dimension, window: int, strides: int, padding: str, dilation: int = 1
) -> Dimension:
    """How many places a window has along one side (TensorFlow's own formula).

    https://www.tensorflow.org/api_docs/python/tf/nn#notes_on_padding
    """
    if size is None:
        return None
    if padding == "same":
        return -(-size // strides)
    return (size - (window - 1) * dilation - 1) // strides + 1


def too_small(
    word: str, tensor: Tensor, window: tuple[int, int], argument: str
) -> Mismatch:
    """A window that does not fit into the picture."""
    assert tensor.shape is not None
    height, width = window
    return Mismatch(
        f"a window of {height} x {width} does not fit into the picture",
        f"`{word}` is given {tensor}",
        "with `padding = valid` the window stays inside, and there is no place for it.",
        f"use a smaller `{argument}`, or `padding = same`",
        argument=argument,
    )


class Conv2d(Layer):
    """A convolution: `filters` weighted sums over a window that moves over the picture."""

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

    @model_validator(mode="after")
    def no_strides_with_dilation(self) -> Conv2d:
        """Keras refuses both at once."""
        if max(pair(self.strides)) > 1 and max(pair(self.dilation_rate)) > 1:
            raise ValueError("`strides` and `dilation_rate` can't both be more than 1")
        return self

    @property
    def output_activation(self) -> str | None:
        """Its own."""
        return None if self.activation == "linear" else self.activation

    def transfer(self, tensor: Tensor) -> Tensor | Mismatch:
        """[batch, windows, windows, filters]."""
        refused = needs_picture(self.word, tensor)
        if refused is not None:
            return refused
        assert tensor.shape is not None
        if tensor.shape[-1] is None:
            return Mismatch(
                "`conv2d` needs to know how many channels the pictures have",
                f"is given {tensor}",
                fix="decode them to a fixed number: `decode_jpeg(channels = 3)`",
            )
        sides = [
            windows(size, *numbers)
            for size, *numbers in zip(
                tensor.shape[1:3],
                pair(self.kernel_size),
                pair(self.strides),
                (self.padding, self.padding),
                pair(self.dilation_rate),
                strict=True,
            )
        ]
        if any(side is not None and side < 1 for side in sides):
            return too_small(self.word, tensor, pair(self.kernel_size), "kernel_size")
        shape = (tensor.shape[0], *sides, self.filters)
        return activated(replace(tensor, dtype="float32", shape=shape), self.activation)

    def parameters(self, tensor: Tensor) -> int:
        """window x channels x filters, and a bias for each filter."""
        assert tensor.shape is not None and tensor.shape[-1] is not None
        height, width = pair(self.kernel_size)
        weights = height * width * tensor.shape[-1] * self.filters
        return weights + self.filters * self.use_bias

    def code(self, name: str, stream: int) -> Fragment:
        """https://keras.io/api/layers/convolution_layers/convolution2d/"""
        given: dict[str, object] = {}
        if pair(self.strides) != (1, 1):
            given["strides"] = written(self.strides)
        if self.padding != "valid":
            given["padding"] = self.padding
        if pair(self.dilation_rate) != (1, 1):
            given["dilation_rate"] = written(self.dilation_rate)
        if self.activation != "linear":
            given["activation"] = self.activation
        if not self.use_bias:
            given["use_bias"] = False
        kernel = written(self.kernel_size)
        return call("keras.layers.Conv2D", self.filters, kernel, **given, name=name)


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
        """[batch, windows, windows, channels]."""
        refused = needs_picture(self.word, tensor)
        if refused is not None:
            return refused
        assert tensor.shape is not None
        strides = pair(self.pool_size if self.strides is None else self.strides)
        sides = [
            windows(size, window, stride, self.padding)
            for size, window, stride in zip(
                tensor.shape[1:3], pair(self.pool_size), strides, strict=True
            )
        ]
        if any(side is not None and side < 1 for side in sides):
            return too_small(self.word, tensor, pair(self.pool_size), "pool_size")
        shape = (tensor.shape[0], *sides, tensor.shape[-1])
        return replace(tensor, dtype="float32", shape=shape, content=Content.OTHER)

    def code(self, name: str, stream: int) -> Fragment:
        """https://keras.io/api/layers/pooling_layers/max_pooling2d/"""
        given: dict[str, object] = {}
        if self.strides is not None:
            given["strides"] = written(self.strides)
        if self.padding != "valid":
            given["padding"] = self.padding
        size = written(self.pool_size)
        return call("keras.layers.MaxPooling2D", size, **given, name=name)


class GlobalAveragePooling2d(Layer):
    """The mean of each channel over the whole picture."""

    word: ClassVar[str] = "global_average_pooling2d"
    example: ClassVar[str] = "global_average_pooling2d"

    @property
    def keeps_activation(self) -> bool:
        """A mean of shares is a share."""
        return True

    def transfer(self, tensor: Tensor) -> Tensor | Mismatch:
        """[batch, channels]."""
        refused = needs_picture(self.word, tensor)
        if refused is not None:
            return refused
        assert tensor.shape is not None
        shape = (tensor.shape[0], tensor.shape[-1])
        return replace(tensor, dtype="float32", shape=shape, content=Content.OTHER)

    def code(self, name: str, stream: int) -> Fragment:
        """https://keras.io/api/layers/pooling_layers/global_average_pooling2d/"""
        return call("keras.layers.GlobalAveragePooling2D", name=name)


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
    epsilon: Annotated[float, Field(gt=0)] = Field(
        1e-3, description="keeps the division from zero"
    )
    center: bool = Field(True, description="whether a mean is learnt")
    scale: bool = Field(True, description="whether a scale is learnt")

    def transfer(self, tensor: Tensor) -> Tensor | Mismatch:
        """The same shape."""
        if tensor.shape is None or tensor.shape[-1] is None:
            return Mismatch(
                "`batch_normalization` needs to know how many channels there are",
                f"is given {tensor}",
                fix="decode pictures to a fixed number: `decode_jpeg(channels = 3)`",
            )
        return activated(replace(tensor, dtype="float32"), None)

    def parameters(self, tensor: Tensor) -> int:
        """Two running means a channel, and what is learnt."""
        assert tensor.shape is not None and tensor.shape[-1] is not None
        return tensor.shape[-1] * (2 + self.center + self.scale)

    def code(self, name: str, stream: int) -> Fragment:
        """https://keras.io/api/layers/normalization_layers/batch_normalization/"""
        given = {
            argument: getattr(self, argument)
            for argument, info in type(self).model_fields.items()
            if getattr(self, argument) != info.default
        }
        return call("keras.layers.BatchNormalization", **given, name=name)
