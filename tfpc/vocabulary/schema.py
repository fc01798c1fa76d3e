"""The fields of a `schema { }`: name, type, and the key in the record."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from tfpc.vocabulary.word import Word


class SchemaField(Word):
    """A field of an example; `shape` is written in brackets, `float32[28, 28]`."""

    family: ClassVar[str] = "field"
    shape: tuple[Annotated[int, Field(ge=1)], ...] = Field(
        (), description="sizes, in brackets after the type"
    )
    key: str | None = Field(
        None, min_length=1, description="its name in the record (default: the field's)"
    )


class StringField(SchemaField):
    """Text, or the bytes of a picture.

    A label that is text has `values`, its classes in their order; a class that is
    written in several ways is a list of them: `[["<=50K", "<=50K."], [">50K"]]`.
    """

    word: ClassVar[str] = "string"
    example: ClassVar[str] = 'image = string(key = "image/encoded")'
    values: tuple[str | tuple[str, ...], ...] | None = Field(
        None, description="the classes of a label, in their order", min_length=2
    )
    default: str | None = Field(None, description="stands where it is missing")

    @property
    def spellings(self) -> tuple[tuple[str, ...], ...]:
        """The ways in which each class is written."""
        return tuple(
            (value,) if isinstance(value, str) else value for value in self.values or ()
        )


class Int64Field(SchemaField):
    """Whole numbers; `classes` says that they number that many classes from zero."""

    word: ClassVar[str] = "int64"
    example: ClassVar[str] = "label = int64(classes = 10)"
    classes: Annotated[int, Field(ge=1)] | None = Field(
        None, description="how many classes the numbers 0 .. classes - 1 stand for"
    )
    default: int | None = Field(None, description="stands where it is missing")


class Float32Field(SchemaField):
    """Floating-point numbers."""

    word: ClassVar[str] = "float32"
    example: ClassVar[str] = "weight = float32"
    default: Annotated[float, Field(allow_inf_nan=False)] | None = Field(
        None, description="stands where it is missing"
    )
