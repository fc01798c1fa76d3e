"""Pieces of program text as small trees: names are ours, all else is a literal.

Text from a spec can only become a `Literal`, which is printed by `repr`; there is no
way to make it code. What a piece needs (imports, parts of the program) is found by
its names.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Name:
    """A name that the program defines or imports: `image`, `keras.layers.Dense`."""

    text: str


@dataclass(frozen=True, slots=True)
class Literal:
    """A Python literal: None, a number, text, or a list or tuple of such."""

    value: object


@dataclass(frozen=True, slots=True)
class Call:
    """`function(arguments, name=argument)`."""

    function: Fragment
    arguments: tuple[Fragment, ...] = ()
    keywords: tuple[tuple[str, Fragment], ...] = ()


@dataclass(frozen=True, slots=True)
class Sequence:
    """`[a, b]`, or `(a, b)` with `tuple`."""

    items: tuple[Fragment, ...]
    brackets: str = "[]"


@dataclass(frozen=True, slots=True)
class Mapping:
    """`{"name": value}`; the keys are literals."""

    items: tuple[tuple[str, Fragment], ...]


@dataclass(frozen=True, slots=True)
class Operation:
    """`left operator right`, or `(left operator right)` inside another."""

    operator: str
    left: Fragment
    right: Fragment


@dataclass(frozen=True, slots=True)
class Item:
    """`owner[key]`."""

    owner: Fragment
    key: Fragment


Fragment: TypeAlias = Name | Literal | Call | Sequence | Mapping | Operation | Item


def fragment(value: object) -> Fragment:
    """The value itself if it is a fragment, else its literal."""
    if isinstance(value, Name | Literal | Call | Sequence | Mapping | Operation | Item):
        return value
    return Literal(value)


def name(text: str) -> Name:
    """A name. Only ever called with text that is written in tfpc."""
    return Name(text)


def call(function: str | Fragment, *arguments: object, **keywords: object) -> Call:
    """A call; values that are no fragments become literals."""
    return Call(
        Name(function) if isinstance(function, str) else function,
        tuple(fragment(argument) for argument in arguments),
        tuple((key, fragment(value)) for key, value in keywords.items()),
    )


def tuple_of(*items: object) -> Sequence:
    """`(a, b)`."""
    return Sequence(tuple(fragment(item) for item in items), "()")


def list_of(*items: object) -> Sequence:
    """`[a, b]`."""
    return Sequence(tuple(fragment(item) for item in items))
