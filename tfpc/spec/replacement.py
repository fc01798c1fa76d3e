"""What to type instead of a value of the wrong kind, where that can be guessed."""

from __future__ import annotations

import re

from tfpc.diagnostics.diagnostic import Edit, Fix
from tfpc.spec.expectation import Expectation
from tfpc.types.quantity import (
    COUNT_UNITS,
    SIZE_UNITS,
    TIME_UNITS,
    Bytes,
    Epochs,
    Percent,
    Seconds,
    Steps,
)
from tfpc.types.value import Symbol, Value

# Truth as other languages write it, and as people type it.
TRUTH = {
    "True": "true",
    "False": "false",
    "true": "true",
    "false": "false",
    "TRUE": "true",
    "FALSE": "false",
    "yes": "true",
    "no": "false",
    "on": "true",
    "off": "false",
    "1": "true",
    "0": "false",
}
UNITS = {Epochs: "epochs", Steps: "steps"}
WHOLE = re.compile(r"-?[0-9][0-9_]*")
NUMBER = re.compile(r"-?[0-9][0-9_]*(\.[0-9]+)?([eE][+-]?[0-9]+)?")
QUANTITY = re.compile(r"[0-9][0-9_]*(?:\.[0-9]+)?(%|[A-Za-z]+)")
LARGEST_EXACT = 2**53


def fix_for(value: Value, expected: Expectation) -> Fix | None:
    """What to write in its place, None if nothing suggests itself."""
    texts = replacements(value, expected)
    if expected.numbers:
        texts = [text for text in texts if text in map(str, expected.numbers)]
    if not texts:
        return None
    written = " or ".join(f"`{text}`" for text in texts)
    # Where the value comes from elsewhere, its name would be lost.
    replaceable = len(texts) == 1 and value.origin is None and not value.how
    edits = (Edit(value.span, texts[0]),) if replaceable else ()
    return Fix(f"write {written}", edits, safe=bool(edits) and is_spelling(value))


def is_spelling(value: Value) -> bool:
    """Whether only the spelling is wrong, so that nothing else can have been meant."""
    return isinstance(value.content, str | Symbol)


def replacements(value: Value, expected: Expectation) -> list[str]:
    """Texts that would be right, if the value is one of these and spelled otherwise."""
    content = value.content
    if isinstance(content, Symbol):
        if content.called or content.shape is not None:
            return [content.word] if content.word in expected.options else []
        return spelled(content.word, expected)
    if isinstance(content, str):
        return unquoted(content, expected)
    if isinstance(content, tuple):
        loose = bool(content) and all(fits(item, expected) for item in content)
        return [", ".join(item.span.text for item in content)] if loose else []
    if isinstance(content, bool):
        return []
    if isinstance(content, Percent):
        return [f"{content.fraction:g}"] if float in expected.kinds else []
    if isinstance(content, Epochs | Steps):
        whole = content.number == int(content.number)
        return [str(int(content.number))] if whole and int in expected.kinds else []
    if isinstance(content, int | float):
        return of_number(value, content, expected)
    return []


def spelled(word: str, expected: Expectation) -> list[str]:
    """A bare word that means a truth value, or is text without its quotes."""
    if bool in expected.kinds and word in TRUTH:
        return [TRUTH[word]]
    return [f'"{word}"'] if str in expected.kinds else []


def unquoted(text: str, expected: Expectation) -> list[str]:
    """Text that should stand without its quotes."""
    if text in expected.options:
        return [text]
    if bool in expected.kinds and text in TRUTH:
        return [TRUTH[text]]
    number = NUMBER if float in expected.kinds else WHOLE
    if (int in expected.kinds or float in expected.kinds) and number.fullmatch(text):
        return [text]
    amount = QUANTITY.fullmatch(text)
    return [text] if amount and kind_of(amount[1]) in expected.kinds else []


def kind_of(unit: str) -> type | None:
    """What a quantity with that unit is, None if there is no such unit."""
    if unit == "%":
        return Percent
    if unit in TIME_UNITS:
        return Seconds
    if unit in SIZE_UNITS:
        return Bytes
    return {"epochs": Epochs, "steps": Steps}.get(COUNT_UNITS.get(unit, ""))


def of_number(value: Value, content: int | float, expected: Expectation) -> list[str]:
    """A number that needs a unit, quotes, brackets, or no point."""
    if expected.items is not None and fits(value, expected.items):
        return [f"[{value.span.text}]"] if not expected.length else []
    if bool in expected.kinds:
        return [TRUTH[str(content)]] if str(content) in TRUTH else []
    if str in expected.kinds and value.origin is None:
        return [f'"{value.span.text}"']
    if isinstance(content, float) and 0 < content <= 1 and Percent in expected.kinds:
        return [f"{content * 100:g}%"]
    if isinstance(content, float) and int in expected.kinds:
        whole = content == int(content) and abs(content) < LARGEST_EXACT
        return [str(int(content))] if whole else []
    if isinstance(content, int) and content >= 0:
        return [
            f"{content}{unit}" for kind, unit in UNITS.items() if kind in expected.kinds
        ]
    return []


def fits(value: Value, expected: Expectation) -> bool:
    """Whether a plain number is of the kind that is expected."""
    content = value.content
    if isinstance(content, bool):
        return False
    return (isinstance(content, int) and bool(expected.kinds & {int, float})) or (
        isinstance(content, float) and float in expected.kinds
    )
