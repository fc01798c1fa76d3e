"""Layers that take one value of a window of steps, or of the whole sequence."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from tfpc.vocabulary.pooling import GlobalPooling, Pooling
from tfpc.vocabulary.window import Count


class Pooling1d(Pooling):
    """One value of each window of steps."""

    axes: ClassVar[int] = 1
    pool_size: Count = Field(2, description="size of the window, in steps")
    strides: Count | None = Field(
        None, description="how far the window moves (default: its size)"
    )
    padding: Literal["valid", "same"] = Field(
        "valid", description="`same` lets windows reach over the end"
    )


class MaxPooling1d(Pooling1d):
    """The largest value of each window of steps."""

    word: ClassVar[str] = "max_pooling1d"
    example: ClassVar[str] = "max_pooling1d(2)"
    keras_name: ClassVar[str] = "MaxPooling"


class AveragePooling1d(Pooling1d):
    """The mean of each window of steps; what reaches over the end does not count."""

    word: ClassVar[str] = "average_pooling1d"
    example: ClassVar[str] = "average_pooling1d(2)"
    keras_name: ClassVar[str] = "AveragePooling"


class GlobalAveragePooling1d(GlobalPooling):
    """The mean of each channel over all steps."""

    word: ClassVar[str] = "global_average_pooling1d"
    example: ClassVar[str] = "global_average_pooling1d"
    keras_name: ClassVar[str] = "GlobalAveragePooling"
    axes: ClassVar[int] = 1


class GlobalMaxPooling1d(GlobalPooling):
    """The largest value of each channel over all steps."""

    word: ClassVar[str] = "global_max_pooling1d"
    example: ClassVar[str] = "global_max_pooling1d"
    keras_name: ClassVar[str] = "GlobalMaxPooling"
    axes: ClassVar[int] = 1
