"""Steps that change the colors of pictures at random. Whole numbers in and out."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import AfterValidator, Field

from tfpc.types.fragment import Fragment, Name, call
from tfpc.types.tensor import Tensor
from tfpc.vocabulary.images import ImageStep
from tfpc.vocabulary.number_range import NumberRange, Range
from tfpc.vocabulary.step import KEY, SEED
from tfpc.vocabulary.word import Mismatch

# The program computes with 16 bits behind the point, in 32 bits altogether.
LARGEST_FACTOR = 100


def are_factors(factor: Range) -> Range:
    """Checks that values can be multiplied by what is in a range."""
    if factor.low < 0:
        raise ValueError(
            "must begin at 0 or above: 1 changes nothing, 0 takes all away"
        )
    if factor.high > LARGEST_FACTOR:
        raise ValueError(f"must end at {LARGEST_FACTOR} at most")
    return factor


class ColorStep(ImageStep):
    """A random step on the values of pictures in 0..255; rounds and clips."""

    random: ClassVar[bool] = True
    streams: ClassVar[int] = 1

    def transfer_tensor(self, tensor: Tensor) -> Tensor | Mismatch:
        """uint8 of the same shape, in 0..255."""
        if tensor.dtype == "uint8":
            return Tensor("uint8", tensor.shape, tensor.content, 0, 255)
        return Mismatch(
            f"`{self.word}` acts on whole numbers in 0..255",
            f"the picture is {tensor}",
            "how much of a color there can be is known for whole numbers only.",
            f"move `{self.word}` above the step that makes them float: `normalize`",
        )


class HueStep(ColorStep):
    """A step that needs a picture in color."""

    def transfer_tensor(self, tensor: Tensor) -> Tensor | Mismatch:
        """uint8[height, width, 3]."""
        assert tensor.shape is not None
        channels = tensor.shape[-1]
        if channels == 3:
            return super().transfer_tensor(tensor)
        kind = "gray" if channels == 1 else f"one of {channels} channels"
        return Mismatch(
            f"`{self.word}` needs a picture in color",
            f"the picture is {tensor}",
            f"a color is red, green and blue, and the picture is {kind}.",
            f"decode it with `channels = 3`, or remove `{self.word}`",
        )


class RandomBrightness(ColorStep):
    """Adds a random amount to all values of a picture, the same to each.

    It is a share of the whole range, in -max_delta..max_delta: with 0.2, up to 51
    levels of 255 lighter or darker, as `tf.image.random_brightness` does.
    """

    word: ClassVar[str] = "random_brightness"
    example: ClassVar[str] = "random_brightness(0.2)"
    positional: ClassVar[tuple[str, ...]] = ("max_delta",)
    max_delta: Annotated[float, Field(gt=0, le=1)] = Field(
        description="how much lighter or darker at most, as a share of 255"
    )

    def code(self, component: Name, before: Tensor, stream: int) -> Fragment:
        """Counter-based."""
        delta = self.max_delta
        return call("random_brightness", component, delta, KEY, SEED, stream)


class RandomContrast(ColorStep):
    """Moves the values of each channel away from their mean, or towards it.

    The distance of a value from the mean of its channel is multiplied by a random
    number in `factor`, as `tf.image.random_contrast` does.
    """

    word: ClassVar[str] = "random_contrast"
    example: ClassVar[str] = "random_contrast(0.8..1.2)"
    positional: ClassVar[tuple[str, ...]] = ("factor",)
    factor: Annotated[NumberRange, AfterValidator(are_factors)] = Field(
        description="what distances from the mean are multiplied by"
    )

    def code(self, component: Name, before: Tensor, stream: int) -> Fragment:
        """Counter-based; sums of whole numbers, so the mean is exact."""
        factor = (self.factor.low, self.factor.high)
        return call("random_contrast", component, factor, KEY, SEED, stream)


class RandomSaturation(HueStep):
    """Makes colors stronger or paler.

    The saturation of each pixel (in hue, saturation and value) is multiplied by a
    random number in `factor`, up to the strongest color that there is, as
    `tf.image.random_saturation` does.
    """

    word: ClassVar[str] = "random_saturation"
    example: ClassVar[str] = "random_saturation(0.8..1.2)"
    positional: ClassVar[tuple[str, ...]] = ("factor",)
    factor: Annotated[NumberRange, AfterValidator(are_factors)] = Field(
        description="what the saturation is multiplied by"
    )

    def code(self, component: Name, before: Tensor, stream: int) -> Fragment:
        """Counter-based."""
        factor = (self.factor.low, self.factor.high)
        return call("random_saturation", component, factor, KEY, SEED, stream)


class RandomHue(HueStep):
    """Turns all colors of a picture on the wheel of hues, each by the same angle.

    The angle is a share of a full turn, in -max_delta..max_delta; half a turn brings
    each color to its opposite. So does `tf.image.random_hue`.
    """

    word: ClassVar[str] = "random_hue"
    example: ClassVar[str] = "random_hue(0.05)"
    positional: ClassVar[tuple[str, ...]] = ("max_delta",)
    max_delta: Annotated[float, Field(gt=0, le=0.5)] = Field(
        description="how far at most, as a share of a full turn"
    )

    def code(self, component: Name, before: Tensor, stream: int) -> Fragment:
        """Counter-based."""
        return call("random_hue", component, self.max_delta, KEY, SEED, stream)
