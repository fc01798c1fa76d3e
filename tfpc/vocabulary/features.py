"""`features`: the columns of a table as one row of numbers."""

from __future__ import annotations

from typing import ClassVar

from tfpc.types.fragment import Fragment, Name, call
from tfpc.vocabulary.layer import Layer


class Features(Layer):
    """Makes a row of numbers of the columns that it names, each by its encoder.

    It is the first layer of a model. What encoders must know (means, values) is learnt
    from the training split alone and kept in `learnt.json` of the run folder. A column
    that it does not name is not used.
    """

    word: ClassVar[str] = "features"
    example: ClassVar[str] = "features { age = normalize }"
    has_body: ClassVar[bool] = True

    def code(self, name: str, stream: int) -> Fragment:
        """A part of the program."""
        return call("FeatureColumns", Name("FEATURES"), Name("learnt"), name=name)
