"""One argument: from the value in the spec to what the word's class takes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Edit, Fix
from tfpc.diagnostics.suggestion import did_you_mean, nearest
from tfpc.spec.expectation import Expectation
from tfpc.spec.replacement import fix_for
from tfpc.spec.use import Use
from tfpc.spec.wrong_argument import Place, misused, wrong_kind
from tfpc.types.quantity import Epochs, Steps
from tfpc.types.value import Symbol, Value
from tfpc.vocabulary.structure import Sequence

if TYPE_CHECKING:
    from tfpc.spec.words import WordDecoder


def convert(
    place: Place, value: Value, expected: Expectation, decoder: WordDecoder
) -> object | Diagnostic | None:
    """The value as the class takes it; a Diagnostic, or None after a report."""
    content = value.content
    if isinstance(content, Symbol):
        return convert_symbol(place, value, content, expected, decoder)
    if isinstance(content, str):
        return convert_text(place, value, content, expected)
    if isinstance(content, tuple):
        return convert_list(place, value, content, expected, decoder)
    if isinstance(content, bool):
        return content if bool in expected.kinds else wrong_kind(place, value, expected)
    if isinstance(content, int | float):
        return convert_number(place, value, content, expected)
    if type(content) in expected.kinds:
        return content
    return wrong_kind(place, value, expected)


def convert_number(
    place: Place, value: Value, number: int | float, expected: Expectation
) -> object | Diagnostic:
    """A plain number; whether it is whole where it must be is left to the class."""
    if float in expected.kinds or (int in expected.kinds and isinstance(number, int)):
        return number
    if int not in expected.kinds and expected.kinds & {Epochs, Steps}:
        fix = fix_for(value, expected)
        text = f"write {expected.in_words()}"
        return misused(place, value, "needs a unit", fix or text)
    return wrong_kind(place, value, expected)


def convert_list(
    place: Place,
    value: Value,
    content: tuple[Value, ...],
    expected: Expectation,
    decoder: WordDecoder,
) -> object | Diagnostic | None:
    """A list, after reporting what is wrong with each of its values."""
    if expected.items is None:
        return wrong_kind(place, value, expected)
    each = replace(place, item=True)
    items = [convert(each, item, expected.items, decoder) for item in content]
    problems = [item for item in items if isinstance(item, Diagnostic)]
    decoder.problems += problems
    return None if problems or None in items else tuple(items)


def convert_symbol(
    place: Place,
    value: Value,
    symbol: Symbol,
    expected: Expectation,
    decoder: WordDecoder,
) -> object | Diagnostic | None:
    """A bare word: an option, a name, or another word with its arguments."""
    is_bare = not symbol.called and symbol.shape is None
    if symbol.word in expected.options:
        if is_bare:
            return symbol.word
        written = "parentheses" if symbol.called else "`[ ]`"
        fix = Fix(f"write `{symbol.word}` without {written}")
        return misused(place, value, f"must be {expected.in_words()}", fix)
    if expected.name is not None:
        if is_bare:
            return symbol.word
        return misused(
            place,
            value,
            f"must be {expected.name.what}",
            f"write its name alone, for example `{expected.name.example}`",
        )
    if expected.words:
        return convert_word(place, value, symbol, expected, decoder)
    if expected.options and symbol.word not in ("None", "null"):
        meant = did_you_mean(symbol.word.rpartition(".")[2], expected.options)
        fix = Fix(meant or "write one of these")
        return misused(place, value, f"must be {expected.in_words()}", fix)
    if str in expected.kinds and is_bare:
        near = nearest(symbol.word, symbol.lets)
        fix_or_none = (
            Fix(f"did you mean `{near[0]}`?") if near else fix_for(value, expected)
        )
        said = "is text, and text is written in quotes"
        return misused(place, value, said, fix_or_none)
    return wrong_kind(place, value, expected)


def convert_word(
    place: Place,
    value: Value,
    symbol: Symbol,
    expected: Expectation,
    decoder: WordDecoder,
) -> object | Diagnostic | None:
    """A word that stands as an argument, such as a schedule."""
    if symbol.word in ("None", "null"):
        return wrong_kind(place, value, expected)
    if symbol.lines is not None and "layer" in expected.families:
        return Sequence(layers=decoder.layers(symbol.lines))
    use = Use.of_symbol(symbol, value.span)
    placed = decoder.decode(use, expected.families, (*expected.options, *symbol.lets))
    if placed is None:
        return None
    if placed.word.has_body:
        return error(
            "TFP104",
            f"`{symbol.word}` can't stand as an argument",
            value.span,
            "needs braces",
            why="a brace never follows `=`, so there is no place for what it holds.",
            fix=f"write a {placed.word.family} without braces",
        )
    return placed.word


def convert_text(
    place: Place, value: Value, text: str, expected: Expectation
) -> object | Diagnostic:
    """Quoted text: text, or a word or number that should stand without quotes."""
    if str in expected.kinds:
        return text
    if not expected.is_word:
        return wrong_kind(place, value, expected)
    fix = fix_for(value, expected) or Fix(f"write {expected.in_words()}")
    if expected.name and is_path(text):
        edits = () if value.origin else (Edit(value.span, text),)
        fix = Fix(f"write `{text}`", edits, safe=bool(edits))
    said = "is a word, and words are written without quotes"
    return misused(place, value, said, fix)


def is_path(text: str) -> bool:
    """Whether a text is names with dots between."""
    return all(part.isidentifier() for part in text.split("."))
