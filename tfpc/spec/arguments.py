"""One argument: from the value in the spec to what the word's class takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Edit, Fix
from tfpc.diagnostics.suggestion import did_you_mean
from tfpc.spec.expectation import AMOUNTS, Expectation
from tfpc.types.quantity import Epochs, Percent, Steps
from tfpc.types.value import Anything, Interval, Symbol, Value
from tfpc.vocabulary.word import Word

if TYPE_CHECKING:
    from tfpc.spec.words import WordDecoder

BOOLEANS = {
    "True": "true",
    "False": "false",
    "yes": "true",
    "no": "false",
    "on": "true",
    "off": "false",
}


def convert(
    name: str,
    value: Value,
    expected: Expectation,
    cls: type[Word],
    decoder: WordDecoder,
) -> object | Diagnostic | None:
    """The value as the class takes it; a Diagnostic, or None after a report."""
    content = value.content
    if isinstance(content, Symbol):
        return convert_symbol(name, value, content, expected, cls, decoder)
    if isinstance(content, str):
        return convert_text(name, value, content, expected, cls)
    if isinstance(content, tuple):
        if expected.items is None:
            return wrong(name, value, expected, cls)
        items = [convert(name, v, expected.items, cls, decoder) for v in content]
        for item in items:
            if item is None or isinstance(item, Diagnostic):
                return item
        return tuple(items)
    if isinstance(content, Interval | Anything):
        return wrong(name, value, expected, cls)
    if isinstance(content, bool):
        return content if bool in expected.kinds else wrong(name, value, expected, cls)
    if isinstance(content, int | float):
        if int in expected.kinds or float in expected.kinds:
            return content
        return needs_unit(name, value, expected, cls)
    if type(content) in expected.kinds:
        return content
    if isinstance(content, Percent) and float in expected.kinds:
        fix = f"write `{content.fraction:g}`"
        return misused(name, value, cls, f"must be {expected.in_words()}", fix)
    return wrong(name, value, expected, cls)


def convert_symbol(
    name: str,
    value: Value,
    symbol: Symbol,
    expected: Expectation,
    cls: type[Word],
    decoder: WordDecoder,
) -> object | Diagnostic | None:
    """A bare word: an option, a metric's path, or another word with its arguments."""
    if symbol.word in expected.options and not symbol.called:
        return symbol.word
    if expected.metric and not symbol.called:
        return symbol.word
    if expected.words:
        from tfpc.spec.words import Use

        placed = decoder.decode(Use.of_symbol(symbol, value.span), expected.families)
        return None if placed is None else placed.word
    if symbol.word in BOOLEANS and bool in expected.kinds:
        right = BOOLEANS[symbol.word]
        return misused(
            name,
            value,
            cls,
            f"must be {expected.in_words()}",
            Fix(f"write `{right}`", (Edit(value.span, right),), safe=True),
        )
    if expected.options:
        if symbol.called and symbol.word in expected.options:
            fix: Fix | str = f"write `{symbol.word}` without parentheses"
        else:
            fix = did_you_mean(symbol.word, expected.options) or ("write one of these")
        return misused(name, value, cls, f"must be {expected.in_words()}", fix)
    if str in expected.kinds:
        quoted = f'"{symbol.word}"'
        edits = () if symbol.called else (Edit(value.span, quoted),)
        return misused(
            name,
            value,
            cls,
            "is text, and text is written in quotes",
            Fix(f"write `{quoted}`", edits, safe=bool(edits)),
        )
    near = did_you_mean(symbol.word, symbol.lets) if symbol.lets else ""
    if near and not symbol.called:
        return misused(name, value, cls, f"must be {expected.in_words()}", near)
    return wrong(name, value, expected, cls)


def convert_text(
    name: str, value: Value, text: str, expected: Expectation, cls: type[Word]
) -> object | Diagnostic:
    """Quoted text: text, or a word that should stand without quotes."""
    if str in expected.kinds:
        return text
    if expected.options or expected.words or expected.metric:
        known = text in expected.options
        edits = (Edit(value.span, text),) if known else ()
        return misused(
            name,
            value,
            cls,
            "is a word, and words are written without quotes",
            Fix(
                f"write `{text}`" if known else f"write {expected.in_words()}",
                edits,
                safe=known,
            ),
        )
    return wrong(name, value, expected, cls)


def needs_unit(
    name: str, value: Value, expected: Expectation, cls: type[Word]
) -> Diagnostic:
    """A bare number where a quantity is due."""
    kinds = [kind for kind in AMOUNTS if kind in expected.kinds]
    if not kinds:
        if expected.items is not None:
            text = f"[{value.text}]"
            return misused(
                name,
                value,
                cls,
                f"must be {expected.in_words()}",
                Fix(f"write `{text}`", (Edit(value.span, text),), safe=True),
            )
        return wrong(name, value, expected, cls)
    units: dict[type, str] = {Epochs: "epochs", Steps: "steps"}
    written = [f"`{value.text}{units[kind]}`" for kind in kinds if kind in units]
    return misused(
        name,
        value,
        cls,
        "needs a unit",
        f"write {' or '.join(written)}" if written else f"write {expected.in_words()}",
    )


def wrong(
    name: str, value: Value, expected: Expectation, cls: type[Word]
) -> Diagnostic:
    """A value of the wrong kind."""
    fix = f"for example `{cls.example}`" if cls.example else None
    return misused(name, value, cls, f"must be {expected.in_words()}", fix)


def misused(
    name: str, value: Value, cls: type[Word], text: str, fix: Fix | str | None
) -> Diagnostic:
    """A value that an argument can't take."""
    from tfpc.spec.words import provenance

    return error(
        "TFP103",
        f"`{name}` of `{cls.word}` {text}",
        value.span,
        f"is {value.quoted}",
        labels=provenance(value),
        fix=fix,
    )
