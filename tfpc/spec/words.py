"""One word with its arguments: the class by its name first, then each argument."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.diagnostics.span import Span
from tfpc.diagnostics.suggestion import nearest
from tfpc.spec.arguments import convert
from tfpc.spec.expectation import Expectation, expectations
from tfpc.spec.model import Placed
from tfpc.spec.pydantic_errors import Reason, reasons
from tfpc.spec.python_word import decode_python
from tfpc.spec.shown import provenance, shown
from tfpc.spec.unknown_word import unknown_word
from tfpc.spec.use import Use
from tfpc.spec.wrong_argument import (
    Place,
    given_twice,
    missing,
    no_sizes,
    too_many,
    unknown_argument,
)
from tfpc.types.value import Symbol, Value
from tfpc.vocabulary.registry import words
from tfpc.vocabulary.word import Word


def no_layers(lines: tuple[Any, ...]) -> tuple[Placed[Any], ...]:
    """Where no layer may stand, there are no lines of any."""
    raise AssertionError(lines)


@dataclass(frozen=True, slots=True)
class Bound:
    """Arguments by name, and whether all that was given has found a name."""

    given: dict[str, Value]
    complete: bool


@dataclass
class WordDecoder:
    """Decodes words and collects what is wrong with them.

    layers: decodes the lines of a definition that stands where a layer is due.
    """

    problems: list[Diagnostic] = field(default_factory=list)
    layers: Callable[[tuple[Any, ...]], tuple[Placed[Any], ...]] = no_layers

    def decode(
        self, use: Use, families: Sequence[str], others: Sequence[str] = ()
    ) -> Placed[Word] | None:
        """The word, or None after a report.

        families: those that may stand at its place; others: what else could have been
        meant there, an option or a `let`.
        """
        if use.target is not None:
            return decode_python(use, families, self.problems)
        cls = self.find_class(use, families, others)
        if cls is None:
            return None
        bound = self.bind(cls, use)
        expected = expectations(cls)
        raw = self.convert_all(cls, bound.given, expected)
        if bound.complete and not any(
            isinstance(value.content, tuple) and expected[name].items is None
            for name, value in bound.given.items()
        ):  # a list may hold what seems to be missing
            self.report_missing(cls, use, bound.given)
        lacks = [name for name in required(cls) if name not in bound.given]
        if raw is None or lacks or not bound.complete:
            return None
        try:
            # Defaults alone need no check, and so no checker, which takes long to make.
            word = cls.model_validate(raw) if raw else cls.model_construct()
        except ValidationError as failure:
            for reason in reasons(failure, expected):
                self.report(reason, cls, use, bound.given)
            return None
        spans = {name: value.span for name, value in bound.given.items()}
        return Placed(word, use.span, spans, bound.given)

    def find_class(
        self, use: Use, families: Sequence[str], others: Sequence[str]
    ) -> type[Word] | None:
        """The class of a word in one of the families."""
        for family in families:
            found = words(family).get(use.word)
            if found is not None:
                return found
        self.problems.append(unknown_word(use, tuple(families), others))
        return None

    def bind(self, cls: type[Word], use: Use) -> Bound:
        """The arguments by name, after reporting those that have none."""
        before = len(self.problems)
        given: dict[str, Value] = {}
        names = positional_names(cls, use)
        if cls.all_positional and use.positional:
            given[cls.all_positional] = in_one(use.positional)
        elif len(use.positional) > len(names):
            self.problems.append(too_many(cls, use.positional[len(names)]))
        given.update(zip(names, use.positional, strict=False))
        for argument in use.keywords:
            if argument.name not in cls.model_fields or argument.name == "shape":
                self.problems.append(unknown_argument(cls, argument))
            elif argument.name in given:
                self.problems.append(given_twice(argument, given[argument.name]))
            else:
                given[argument.name] = argument.value
        if use.shape is not None:
            if "shape" in cls.model_fields:
                given["shape"] = Value(use.shape, use.span)
            else:
                self.problems.append(no_sizes(use.word, use.span))
        return Bound(given, len(self.problems) == before)

    def convert_all(
        self,
        cls: type[Word],
        given: dict[str, Value],
        expected: dict[str, Expectation],
    ) -> dict[str, object] | None:
        """The arguments as the class takes them, or None after reports."""
        raw: dict[str, object] = {}
        for name, value in given.items():
            converted = convert(Place(cls, name), value, expected[name], self)
            if isinstance(converted, Diagnostic):
                self.problems.append(converted)
            elif converted is not None:
                raw[name] = converted
        return raw if len(raw) == len(given) else None

    def report_missing(
        self, cls: type[Word], use: Use, given: dict[str, Value]
    ) -> None:
        """Arguments that must be there."""
        names = [name for name in required(cls) if name not in given]
        if names:
            self.problems.append(missing(cls, names, use.span))

    def report(
        self, reason: Reason, cls: type[Word], use: Use, given: dict[str, Value]
    ) -> None:
        """What the class says of an argument, or of all together."""
        value = given.get(reason.argument)
        place = Place(cls, reason.argument)
        if value is not None and reason.item is not None:
            content = value.content
            if isinstance(content, tuple) and reason.item < len(content):
                place = Place(cls, reason.argument, item=True)
                value = content[reason.item]
        subject = str(place) if reason.argument else f"`{cls.word}`"
        joint = " " if reason.text.startswith("must") else ": "
        self.problems.append(
            error(
                "TFP103",
                f"{subject}{joint}{reason.text}",
                use.span if value is None else value.span,
                "" if value is None else shown(value),
                labels=provenance(value),
                fix=place.example,
            )
        )


def positional_names(cls: type[Word], use: Use) -> tuple[str, ...]:
    """The arguments that are given by position, in order.

    Before them may stand a name, unless what stands there is meant for the first of
    them: one of its options, or something like it, or like the name of a `let`.
    """
    first = use.positional[0].content if use.positional else None
    if not cls.led_by or not isinstance(first, Symbol):
        return cls.positional
    if first.called or first.shape is not None or nearest(first.word, first.lets):
        return cls.positional
    if cls.positional and len(use.positional) == 1:
        options = expectations(cls)[cls.positional[0]].options
        if first.word in options or nearest(first.word, options):
            return cls.positional
    return (cls.led_by, *cls.positional)


def in_one(values: tuple[Value, ...]) -> Value:
    """Several values as one list."""
    return Value(values, Span.cover(values[0].span, values[-1].span))


def required(cls: type[Word]) -> list[str]:
    """The arguments that have no default."""
    return [name for name, info in cls.model_fields.items() if info.is_required()]
