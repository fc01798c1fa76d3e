"""What an argument takes, read from the annotation of its field."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pydantic.fields import FieldInfo

from tfpc.types.quantity import Bytes, Epochs, Percent, Seconds, Steps
from tfpc.types.value import Interval
from tfpc.vocabulary.bare_name import BareName
from tfpc.vocabulary.word import Word

WITH_EXAMPLES = {
    Percent: "a share, `20%`",
    Epochs: "a number of epochs, `3epochs`",
    Steps: "a number of steps, `100steps`",
    Seconds: "a time, `30min`",
    Bytes: "a size, `4GiB`",
    Interval: "a range of numbers, `0.5..1.0`",
}


@dataclass(frozen=True, slots=True)
class Expectation:
    """What may stand at a place.

    kinds: plain types, quantities and `tuple`; numbers: the few numbers that are
    possible, if not all; options: bare words; words: classes (or their base) of words
    that may stand there; items: what a list holds, length: how many, None for any
    number; name: a name that is written bare, and of what.
    """

    kinds: frozenset[type] = frozenset()
    numbers: tuple[int, ...] = ()
    options: tuple[str, ...] = ()
    words: tuple[type[Word], ...] = ()
    items: Expectation | None = None
    length: int | None = None
    name: type[BareName] | None = None
    optional: bool = False

    @property
    def families(self) -> tuple[str, ...]:
        """The families that those words are of."""
        return tuple(dict.fromkeys(word.family for word in self.words))

    @property
    def is_word(self) -> bool:
        """Whether only bare words may stand there."""
        several = self.items is not None and self.items.is_word
        plain = self.kinds - {tuple} if several else self.kinds
        return not plain and bool(self.options or self.words or self.name)

    def in_words(self) -> str:
        """As a message says it: `a whole number`, `one of ...`."""
        said: list[str] = []
        if self.numbers:
            said.append(alternatives_in_words([str(number) for number in self.numbers]))
        elif float in self.kinds:
            said.append("a number")
        elif int in self.kinds:
            said.append("a whole number")
        if bool in self.kinds:
            said.append("`true` or `false`")
        if str in self.kinds:
            said.append("text in quotes")
        said += [text for kind, text in WITH_EXAMPLES.items() if kind in self.kinds]
        if self.items is not None and self.name is None:
            count = f"{self.length} " if self.length else ""
            said.append(f"a list in `[ ]` of {count}{plural(self.items.in_words())}")
        if self.name is not None:
            said.append(f"{self.name.what}, `{self.name.example}`")
            if self.items is not None:
                said.append("several in `[ ]`")
        if self.options:
            said.append(alternatives_in_words(self.options))
        said += [f"{article(family)} {family}" for family in self.families]
        shown = [f"`{word.example}`" for word in self.words if is_base(word)]
        said[-1:] = [", such as ".join((*said[-1:], *shown[:1]))]
        return ", or ".join(said)


WHOLE_NUMBER = Expectation(kinds=frozenset({int}))
TRUTH = Expectation(kinds=frozenset({bool}))


def is_base(word: type[Word]) -> bool:
    """Whether it stands for all words of its family, with one of them as example."""
    return not hasattr(word, "word") and bool(word.example)


def article(word: str) -> str:
    """`a` or `an`."""
    return "an" if word[0] in "aeiou" else "a"


def plural(phrase: str) -> str:
    """`a number` to `numbers`."""
    if phrase in ("a number", "a whole number"):
        return phrase.removeprefix("a ") + "s"
    return phrase


def alternatives_in_words(options: Sequence[str]) -> str:
    """`a`, `b` or `c`, with `one of` before many."""
    quoted = [f"`{option}`" for option in options]
    if len(quoted) == 1:
        return quoted[0]
    listed = f"{', '.join(quoted[:-1])} or {quoted[-1]}"
    return f"one of {listed}" if len(quoted) > 3 else listed


def expectations(cls: type[Word]) -> dict[str, Expectation]:
    """What each argument of a word takes."""
    return {name: of_field(info) for name, info in cls.model_fields.items()}


def of_field(info: FieldInfo) -> Expectation:
    """What a field takes; pydantic keeps the marks of an outermost `Annotated` apart."""
    found = expectation(info.annotation)
    name = name_in(info.metadata)
    if name is not None:
        return replace(found, name=name, kinds=found.kinds - {str})
    return found


def expectation(annotation: object) -> Expectation:
    """What a field of that annotation takes."""
    kinds: set[type] = set()
    numbers: list[int] = []
    options: list[str] = []
    words: list[type[Word]] = []
    items: Expectation | None = None
    length: int | None = None
    name: type[BareName] | None = None
    optional = False
    for part, marks in alternatives(annotation):
        if part is type(None):
            optional = True
        elif name_in(marks) is not None:
            name = name_in(marks)
        elif typing.get_origin(part) is Literal:
            values = typing.get_args(part)
            options += [value for value in values if isinstance(value, str)]
            numbers += [value for value in values if isinstance(value, int)]
            kinds |= {int for value in values if isinstance(value, int)}
        elif typing.get_origin(part) is tuple:
            kinds.add(tuple)
            members = typing.get_args(part)
            items = expectation(members[0])
            length = len(members) if members[-1] is not Ellipsis else exact(marks)
        elif isinstance(part, type) and issubclass(part, Word):
            words.append(part)
        elif isinstance(part, type):
            kinds.add(part)
    return Expectation(
        frozenset(kinds),
        tuple(numbers),
        tuple(options),
        tuple(words),
        items,
        length,
        name,
        optional,
    )


def name_in(marks: Sequence[object]) -> type[BareName] | None:
    """The kind of bare name that is among the marks of a field."""
    for mark in marks:
        if isinstance(mark, type) and issubclass(mark, BareName):
            return mark
    return None


def exact(marks: Sequence[object]) -> int | None:
    """The length that a list must have by its marks, None if several are possible."""
    constraints = [each for mark in marks for each in getattr(mark, "metadata", [mark])]
    least = [each.min_length for each in constraints if hasattr(each, "min_length")]
    most = [each.max_length for each in constraints if hasattr(each, "max_length")]
    return least[0] if least and least == most else None


def alternatives(
    annotation: object, marks: tuple[object, ...] = ()
) -> Iterator[tuple[object, tuple[object, ...]]]:
    """The members of a union, each with the marks of its `Annotated`."""
    origin = typing.get_origin(annotation)
    if origin is typing.Annotated:
        inner, *more = typing.get_args(annotation)
        yield from alternatives(inner, (*marks, *more))
    elif origin in (typing.Union, types.UnionType):
        for part in typing.get_args(annotation):
            yield from alternatives(part, marks)
    else:
        yield annotation, marks
