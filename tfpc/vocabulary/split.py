"""`split`: a part of the training data, held out."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from tfpc.types.quantity import Percent
from tfpc.vocabulary.word import Word


class Split(Word):
    """Holds out a part of `train`: a seeded sample over the whole, never the first n.

    The part is the same in every run with the same seed, and train is what is left.
    """

    word: ClassVar[str] = "split"
    family: ClassVar[str] = "source"
    example: ClassVar[str] = "split(20%, seed = 42)"
    positional: ClassVar[tuple[str, ...]] = ("part",)
    part: Percent | Annotated[int, Field(ge=1)] = Field(
        description="a share, `20%`, or a number of examples"
    )
    seed: Annotated[int, Field(ge=0, le=2**32 - 1)] = Field(
        42, description="which sample; independent of the spec's `seed`"
    )
