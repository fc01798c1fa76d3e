"""What an argument takes, read from the annotation of its field."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from tfpc.types.quantity import Bytes, Epochs, Percent, Seconds, Steps
from tfpc.vocabulary.metric_path import MetricPathMark
from tfpc.vocabulary.word import Word

AMOUNTS = {
    Percent: "a share, `20%`",
    Epochs: "a number of epochs, `3epochs`",
    Steps: "a number of steps, `100steps`",
    Seconds: "a time, `30min`",
    Bytes: "a size, `4GiB`",
}


@dataclass(frozen=True, slots=True)
class Expectation:
    """kinds: plain types, quantities and `tuple`; options: bare words; words: classes
    (or their base) of words that may stand there; items: what a list holds; metric: a
    metric's path, written bare.
    """

    kinds: frozenset[type]
    options: tuple[str, ...]
    words: tuple[type[Word], ...]
    items: Expectation | None
    metric: bool
    optional: bool

    @property
    def families(self) -> tuple[str, ...]:
        """The families that those words are of."""
        return tuple(dict.fromkeys(word.family for word in self.words))

    def in_words(self) -> str:
        """As a message says it: `a whole number`, `one of ...`."""
        said: list[str] = []
        if float in self.kinds:
            said.append("a number")
        elif int in self.kinds:
            said.append("a whole number")
        if bool in self.kinds:
            said.append("`true` or `false`")
        if str in self.kinds:
            said.append("text in quotes")
        said += [text for kind, text in AMOUNTS.items() if kind in self.kinds]
        if self.items is not None:
            said.append(f"a list in `[ ]` of {plural(self.items.in_words())}")
        if self.metric:
            said.append("a metric, `validation.loss`")
        if self.options:
            said.append(" or ".join(f"`{option}`" for option in self.options))
        said += [f"{article(family)} {family}" for family in self.families]
        return ", or ".join(said)


def article(word: str) -> str:
    """`a` or `an`."""
    return "an" if word[0] in "aeiou" else "a"


def plural(phrase: str) -> str:
    """`a number` to `numbers`."""
    if phrase in ("a number", "a whole number"):
        return phrase.removeprefix("a ") + "s"
    return phrase


def expectation(annotation: object) -> Expectation:
    """What a field of that annotation takes."""
    kinds: set[type] = set()
    options: list[str] = []
    words: list[type[Word]] = []
    items: Expectation | None = None
    metric = optional = False
    for part, marks in alternatives(annotation):
        if part is type(None):
            optional = True
        elif any(mark is MetricPathMark for mark in marks):
            metric = True
        elif typing.get_origin(part) is Literal:
            values = typing.get_args(part)
            options += [value for value in values if isinstance(value, str)]
            kinds |= {int for value in values if isinstance(value, int)}
        elif typing.get_origin(part) is tuple:
            kinds.add(tuple)
            items = expectation(typing.get_args(part)[0])
        elif isinstance(part, type) and issubclass(part, Word):
            words.append(part)
        elif isinstance(part, type):
            kinds.add(part)
    return Expectation(
        frozenset(kinds), tuple(options), tuple(words), items, metric, optional
    )


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
