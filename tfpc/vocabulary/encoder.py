"""Encoders: what `features` makes numbers of a column with."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from tfpc.types.fragment import Fragment, call
from tfpc.types.tensor import Dimension, Tensor
from tfpc.vocabulary.window import Count
from tfpc.vocabulary.word import Mismatch, Word

# A row of float32 carries the numbers of categories, which is exact up to here.
LARGEST_CATEGORY = 2**24


class Encoder(Word):
    """How a column of a table becomes numbers.

    What it needs to know is learnt from the training split alone, once, before the
    first step, and kept in the run folder.
    """

    family: ClassVar[str] = "encoder"

    def unfit(self, column: str, tensor: Tensor) -> Mismatch | None:
        """Why it can't encode a column of that type."""
        raise NotImplementedError

    def carried(self, tensor: Tensor) -> int:
        """How many numbers of a model's input carry the column."""
        return 1

    def width(self, tensor: Tensor) -> Dimension:
        """How many numbers it makes, None if the data decides."""
        raise NotImplementedError

    @property
    def has_weights(self) -> bool:
        """Whether a part of it is trained."""
        return False

    def code(self) -> Fragment:
        """The encoder of the program."""
        raise NotImplementedError


class Normalize(Encoder):
    """A number less the mean, divided by the standard deviation of the column."""

    word: ClassVar[str] = "normalize"
    example: ClassVar[str] = "age = normalize"

    def unfit(self, column: str, tensor: Tensor) -> Mismatch | None:
        """It needs numbers, one or a fixed number of them."""
        if tensor.dtype == "string":
            return Mismatch(
                f"`normalize` needs numbers, `{column}` is text",
                f"`{column}` is {tensor}",
                fix=f"write `{column} = one_hot`, or `{column} = embed(8)`",
            )
        if not tensor.is_static or len(tensor.shape or ()) > 1:
            return Mismatch(
                f"`normalize` needs a fixed number of values, `{column}` is {tensor}",
                "of another shape in each example",
                fix="leave the column out",
            )
        return None

    def carried(self, tensor: Tensor) -> int:
        """All of its values."""
        return tensor.shape[0] or 1 if tensor.shape else 1

    def width(self, tensor: Tensor) -> Dimension:
        """As many as there are."""
        return self.carried(tensor)

    def code(self) -> Fragment:
        """A part of the program."""
        return call("NormalizedColumn")


class Categorical(Encoder):
    """An encoder of columns that hold one of a few texts or whole numbers."""

    def unfit(self, column: str, tensor: Tensor) -> Mismatch | None:
        """It needs one text or whole number."""
        if tensor.is_float:
            return Mismatch(
                f"`{self.word}` needs text or whole numbers, `{column}` is {tensor}",
                "numbers with fractions are no categories",
                fix=f"write `{column} = normalize`, or say in the schema that the numbers "
                f"are whole: `{column} = int64`",
            )
        if tensor.shape != ():
            return Mismatch(
                f"`{self.word}` needs one value in each example",
                f"`{column}` is {tensor}",
                fix="leave the column out",
            )
        return None


class OneHotColumn(Categorical):
    """A place for each value that the training split has: 1 there, 0 at all others.

    A value that was not seen in training has no place, so that all are 0.
    """

    word: ClassVar[str] = "one_hot"
    example: ClassVar[str] = "workclass = one_hot"

    def width(self, tensor: Tensor) -> Dimension:
        """As many as the training split has values."""
        return None

    def code(self) -> Fragment:
        """A part of the program."""
        return call("OneHotColumn")


class Embed(Categorical):
    """A vector for each value that the training split has, trained with the model.

    A value that was not seen in training has a vector of zeros.
    """

    word: ClassVar[str] = "embed"
    example: ClassVar[str] = "education = embed(8)"
    positional: ClassVar[tuple[str, ...]] = ("dimension",)
    dimension: Count = Field(description="how many numbers a vector has")

    def width(self, tensor: Tensor) -> Dimension:
        """Those of a vector."""
        return self.dimension

    @property
    def has_weights(self) -> bool:
        """The vectors."""
        return True

    def code(self) -> Fragment:
        """A part of the program."""
        return call("EmbeddedColumn", self.dimension)
