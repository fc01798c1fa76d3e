"""What is wrong with an argument: its value, its name, how many there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Fix, Label
from tfpc.diagnostics.span import Span
from tfpc.diagnostics.suggestion import did_you_mean, nearest
from tfpc.resolve.tree import Argument
from tfpc.spec.expectation import Expectation
from tfpc.spec.replacement import fix_for
from tfpc.spec.shown import provenance, shown
from tfpc.types.value import Symbol, Value
from tfpc.vocabulary.word import Word


@dataclass(frozen=True, slots=True)
class Place:
    """An argument of a word; item: a value in the list that it is."""

    cls: type[Word]
    name: str
    item: bool = False

    def __str__(self) -> str:
        """As a headline begins."""
        if self.name == "shape":
            return f"each size in `[ ]` of `{self.cls.word}`"
        whole = f"`{self.name}` of `{self.cls.word}`"
        return f"each value in {whole}" if self.item else whole

    @property
    def example(self) -> str | None:
        """The word as it is written, for a fix."""
        return f"for example `{self.cls.example}`" if self.cls.example else None


def wrong_kind(place: Place, value: Value, expected: Expectation) -> Diagnostic:
    """A value of a kind that the argument does not take."""
    text = f"must be {expected.in_words()}"
    if isinstance(value.content, Symbol) and value.content.word in ("None", "null"):
        return nothing(place, value, text)
    # In a list, several values in the place of one can't be written without brackets.
    is_list = place.item and isinstance(value.content, tuple)
    fix = None if is_list else fix_for(value, expected)
    if isinstance(value.content, Symbol) and not value.content.called and fix is None:
        near = nearest(value.content.word, value.content.lets)
        fix = Fix(f"did you mean `{near[0]}`?") if near else None
    return misused(place, value, text, fix or place.example)


def nothing(place: Place, value: Value, text: str) -> Diagnostic:
    """Python's `None`, where leaving the argument out says the same."""
    required = place.cls.model_fields[place.name].is_required()
    fix = place.example if required else f"leave `{place.name}` out"
    return misused(place, value, text, fix)


def misused(place: Place, value: Value, text: str, fix: Fix | str | None) -> Diagnostic:
    """A value that an argument can't take; text goes on behind the argument's name."""
    return error(
        "TFP103",
        f"{place} {text}",
        value.span,
        shown(value),
        labels=provenance(value),
        fix=fix,
    )


def missing(cls: type[Word], names: Sequence[str], span: Span) -> Diagnostic:
    """Arguments that a word can't do without."""
    listed = " and ".join(f"`{name}`" for name in names)
    return error(
        "TFP102",
        f"`{cls.word}` needs {listed}",
        span,
        "; ".join(f"`{name}`: {cls.model_fields[name].description}" for name in names),
        fix=f"for example `{cls.example}`",
    )


def too_many(cls: type[Word], value: Value) -> Diagnostic:
    """An argument that no name belongs to."""
    count = len(cls.positional)
    names = [
        name for name in cls.model_fields if name not in (*cls.positional, "shape")
    ]
    label = "one too many" if count else "needs a name"
    if count:
        plural = "" if count == 1 else "s"
        headline = f"`{cls.word}` takes {count} argument{plural} without a name"
    elif names:
        headline = f"the arguments of `{cls.word}` are given by name"
    else:
        headline, label = f"`{cls.word}` takes no arguments", ""
    # Which of several names is meant can't be known.
    fix = f"write `{names[0]} = {value.text}`" if names else "remove it"
    return error("TFP102", headline, value.span, label, fix=fix)


def unknown_argument(cls: type[Word], argument: Argument) -> Diagnostic:
    """A name that the word does not know."""
    names = [name for name in cls.model_fields if name != "shape"]
    listed = ", ".join(f"`{name}`" for name in names)
    return error(
        "TFP102",
        f"`{cls.word}` has no argument `{argument.name}`",
        argument.name_span,
        f"`{cls.word}` takes {listed}" if names else "it takes no arguments",
        fix="write sizes in brackets behind it: `float32[28, 28]`"
        if argument.name == "shape" and "shape" in cls.model_fields
        else did_you_mean(argument.name, names) or "remove it",
    )


def given_twice(argument: Argument, first: Value) -> Diagnostic:
    """One argument, two values."""
    return error(
        "TFP102",
        f"`{argument.name}` is given twice",
        argument.name_span,
        labels=(Label(first.span, "given here already"),),
        fix="keep one of the two",
    )


def no_sizes(word: str, span: Span) -> Diagnostic:
    """`[ ]` behind a word that has no sizes."""
    return error(
        "TFP102",
        f"`{word}` takes no sizes in `[ ]`",
        span,
        fix=f"write `{word}` without them",
    )
