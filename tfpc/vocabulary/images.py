"""Steps on pictures: size, crops, flips, values."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from tfpc.types.fragment import Fragment, Name, call
from tfpc.types.tensor import Content, Dimension, Tensor
from tfpc.vocabulary.component import NamedStep
from tfpc.vocabulary.step import KEY, SEED
from tfpc.vocabulary.word import Mismatch

Size = Annotated[int, Field(ge=1, le=65_536)]


class ImageStep(NamedStep):
    """A step on the only picture of the element, or on the one that it names."""

    acts_on: ClassVar[tuple[Content, ...]] = (Content.IMAGE,)
    batchable: ClassVar[bool] = True


class Resize(ImageStep):
    """Scales a picture to `height` x `width`, whatever its proportions are.

    Integer pictures stay integer: values are rounded and clipped.
    """

    word: ClassVar[str] = "resize"
    example: ClassVar[str] = "resize(224, 224)"
    moves_pixels: ClassVar[bool] = True
    positional: ClassVar[tuple[str, ...]] = ("height", "width")
    height: Size = Field(description="height after the step, in pixels")
    width: Size = Field(description="width after the step, in pixels")
    method: Literal[
        "bilinear", "nearest", "bicubic", "area", "lanczos3", "lanczos5", "gaussian"
    ] = Field("bilinear", description="how values between pixels are found")
    antialias: bool = Field(
        False, description="smooth before a picture is made smaller"
    )

    def transfer_tensor(self, tensor: Tensor) -> Tensor:
        """[height, width, channels] of the same dtype."""
        assert tensor.shape is not None
        shape = (*tensor.shape[:-3], self.height, self.width, tensor.shape[-1])
        overshoots = self.method in ("bicubic", "lanczos3", "lanczos5")
        if tensor.is_float and overshoots:
            return replace(tensor, shape=shape, low=None, high=None)
        return replace(tensor, shape=shape)

    def code(self, component: Name, before: Tensor, stream: int) -> Fragment:
        """Ours rounds; https://www.tensorflow.org/api_docs/python/tf/image/resize"""
        return call(
            "resize",
            component,
            self.height,
            self.width,
            self.method,
            antialias=self.antialias,
        )


class Crop(ImageStep):
    """What the crops share."""

    positional: ClassVar[tuple[str, ...]] = ("height", "width")
    moves_pixels: ClassVar[bool] = True
    height: Size = Field(description="height of the window, in pixels")
    width: Size = Field(description="width of the window, in pixels")

    def cut(self, tensor: Tensor, padding: int = 0) -> Tensor | Mismatch:
        """The window's type, or why it does not fit."""
        assert tensor.shape is not None
        sides: tuple[tuple[str, int, Dimension], ...] = (
            ("height", self.height, tensor.shape[-3]),
            ("width", self.width, tensor.shape[-2]),
        )
        for side, wanted, there in sides:
            if there is not None and wanted > there + 2 * padding:
                room = f"{there} pixels" + (
                    f" and {padding} of padding on each side" if padding else ""
                )
                return Mismatch(
                    f"a crop of {self.height} x {self.width} is larger than the picture",
                    f"the picture is {tensor}",
                    f"its {side} is {room}, the window needs {wanted}.",
                    f"use at most {there + 2 * padding}, or `resize` above it",
                    argument=side,
                )
        shape = (*tensor.shape[:-3], self.height, self.width, tensor.shape[-1])
        return replace(tensor, shape=shape)


class RandomCrop(Crop):
    """Cuts a window at a random place, another one for each example and epoch.

    With `padding`, zeros are put around the picture first, so that a window of the
    picture's own size moves by up to that many pixels.
    """

    word: ClassVar[str] = "random_crop"
    example: ClassVar[str] = "random_crop(32, 32, padding = 4)"
    random: ClassVar[bool] = True
    streams: ClassVar[int] = 2
    padding: Annotated[int, Field(ge=0, le=65_536)] = Field(
        0, description="pixels of zeros around the picture before the cut"
    )

    @property
    def moves_values(self) -> bool:
        """Padding brings new values in."""
        return self.padding == 0

    def transfer_tensor(self, tensor: Tensor) -> Tensor | Mismatch:
        """[height, width, channels]; zeros widen the range of the values."""
        after = self.cut(tensor, self.padding)
        if isinstance(after, Tensor) and self.padding and after.low is not None:
            high = after.high if after.high is None else max(after.high, 0)
            return replace(after, low=min(after.low, 0), high=high)
        return after

    def code(self, component: Name, before: Tensor, stream: int) -> Fragment:
        """Counter-based; one gather for a batch."""
        image = call("pad", component, self.padding) if self.padding else component
        return call("random_crop", image, self.height, self.width, KEY, SEED, stream)


class CenterCrop(Crop):
    """Cuts the window in the middle of the picture."""

    word: ClassVar[str] = "center_crop"
    example: ClassVar[str] = "center_crop(224, 224)"

    @property
    def moves_values(self) -> bool:
        """A window of what was there."""
        return True

    def transfer_tensor(self, tensor: Tensor) -> Tensor | Mismatch:
        """[height, width, channels]."""
        return self.cut(tensor)

    def code(self, component: Name, before: Tensor, stream: int) -> Fragment:
        """A slice."""
        return call("center_crop", component, self.height, self.width)


class RandomFlip(ImageStep):
    """Mirrors half of the pictures, others in each epoch."""

    word: ClassVar[str] = "random_flip"
    example: ClassVar[str] = "random_flip(horizontal)"
    positional: ClassVar[tuple[str, ...]] = ("direction",)
    moves_pixels: ClassVar[bool] = True
    random: ClassVar[bool] = True
    streams: ClassVar[int] = 1
    direction: Literal["horizontal", "vertical"] = Field(
        "horizontal", description="`horizontal` swaps left and right"
    )

    @property
    def moves_values(self) -> bool:
        """The same values at other places."""
        return True

    def transfer_tensor(self, tensor: Tensor) -> Tensor:
        """The type stays."""
        return tensor

    def code(self, component: Name, before: Tensor, stream: int) -> Fragment:
        """Counter-based."""
        axis = -2 if self.direction == "horizontal" else -3
        return call("random_flip", component, axis, KEY, SEED, stream)


class Normalize(ImageStep):
    """Subtracts a mean from each channel and divides by a standard deviation.

    The result is float32. Both are in the units of the picture's own values: for
    `uint8`, `mean = [127.5], std = [127.5]` gives -1..1.
    """

    word: ClassVar[str] = "normalize"
    example: ClassVar[str] = "normalize(mean = [127.5], std = [127.5])"
    makes_float: ClassVar[bool] = True
    mean: tuple[float, ...] = Field(
        min_length=1, description="one number, or one for each channel"
    )
    std: tuple[Annotated[float, Field(gt=0)], ...] = Field(
        min_length=1, description="one number, or one for each channel"
    )

    def transfer_tensor(self, tensor: Tensor) -> Tensor | Mismatch:
        """float32 of the same shape, its range moved and scaled."""
        assert tensor.shape is not None
        channels = tensor.shape[-1]
        for argument, numbers in (("mean", self.mean), ("std", self.std)):
            if len(numbers) not in (1, channels):
                plural = "" if channels == 1 else "s"
                return Mismatch(
                    f"`{argument}` has {len(numbers)} numbers, "
                    f"the picture has {channels} channel{plural}",
                    f"the picture is {tensor}",
                    fix="give one number for all channels"
                    + ("" if channels == 1 else f", or {channels}"),
                    argument=argument,
                )
        low, high = tensor.low, tensor.high
        if low is not None and high is not None:
            count = max(len(self.mean), len(self.std))
            pairs = list(
                zip(spread(self.mean, count), spread(self.std, count), strict=True)
            )
            low = min((low - mean) / std for mean, std in pairs)
            high = max((tensor.high - mean) / std for mean, std in pairs)  # type: ignore[operator]
        return replace(tensor, dtype="float32", low=low, high=high)

    def code(self, component: Name, before: Tensor, stream: int) -> Fragment:
        """On float32."""
        return call("normalize", component, list(self.mean), list(self.std))


def spread(numbers: tuple[float, ...], count: int) -> tuple[float, ...]:
    """One number for each of `count` channels."""
    return numbers * count if len(numbers) == 1 else numbers
