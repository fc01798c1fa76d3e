"""A window of random size and proportions, brought to one size."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field

from tfpc.types.fragment import Fragment, Name, call
from tfpc.types.tensor import Tensor
from tfpc.vocabulary.images import ImageStep, Size
from tfpc.vocabulary.number_range import NumberRange, Range
from tfpc.vocabulary.step import KEY, SEED

EXTREME = 100


def is_share(area: Range) -> Range:
    """Checks that a range is one of shares of a whole."""
    if area.low <= 0:
        raise ValueError("must begin above 0: a window without area shows nothing")
    if area.high > 1:
        raise ValueError("must end at 1 at most: 1 is the whole picture")
    return area


def are_proportions(ratio: Range) -> Range:
    """Checks that a range is one of widths divided by heights."""
    if ratio.low < 1 / EXTREME or ratio.high > EXTREME:
        raise ValueError(
            f"must lie in {1 / EXTREME}..{EXTREME}: it is width divided by height"
        )
    return ratio


class RandomResizedCrop(ImageStep):
    """Cuts a window of random area and proportions and scales it to one size.

    Its area is a share of the picture's, each in `area` equally likely; `ratio` is
    width divided by height, in which 3:4 is as likely as 4:3. Of ten such windows the
    first that fits into the picture is taken, at a random place; if none does, the
    largest one in the middle whose proportions are in `ratio`. So do torchvision's
    `RandomResizedCrop` and "Going Deeper with Convolutions" (2014). Values between
    pixels are found as in `resize`. It works on one example at a time, above `batch`.
    """

    word: ClassVar[str] = "random_resized_crop"
    example: ClassVar[str] = "random_resized_crop(224, 224, area = 0.08..1.0)"
    positional: ClassVar[tuple[str, ...]] = ("height", "width")
    random: ClassVar[bool] = True
    batchable: ClassVar[bool] = False
    streams: ClassVar[int] = 4
    moves_pixels: ClassVar[bool] = True
    height: Size = Field(description="height after the step, in pixels")
    width: Size = Field(description="width after the step, in pixels")
    area: Annotated[NumberRange, AfterValidator(is_share)] = Field(
        Range(0.08, 1.0), description="the window's share of the picture's area"
    )
    ratio: Annotated[NumberRange, AfterValidator(are_proportions)] = Field(
        Range(0.75, 1.3333), description="the window's width divided by its height"
    )
    antialias: bool = Field(False, description="smooth before a window is made smaller")
    method: Literal["bilinear", "nearest"] = Field(
        "bilinear", description="how values between pixels are found"
    )

    def transfer_tensor(self, tensor: Tensor) -> Tensor:
        """[height, width, channels] of the same dtype and range."""
        assert tensor.shape is not None
        return replace(tensor, shape=(self.height, self.width, tensor.shape[-1]))

    @property
    def window(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """What decides which window is cut, for the program: area and ratio."""
        return (self.area.low, self.area.high), (self.ratio.low, self.ratio.high)

    @property
    def scaling(self) -> dict[str, Any]:
        """How the window is scaled, for the program."""
        method = {} if self.method == "bilinear" else {"method": self.method}
        return {"antialias": self.antialias, **method}

    def code(self, component: Name, before: Tensor, stream: int) -> Fragment:
        """Counter-based; a slice and a `resize`."""
        return call(
            "random_resized_crop",
            component,
            self.height,
            self.width,
            *self.window,
            KEY,
            SEED,
            stream,
            **self.scaling,
        )
