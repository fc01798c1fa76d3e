"""The errors of pydantic in the user's words; none of its own texts gets out."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from tfpc.spec.expectation import Expectation
from tfpc.types.value import Value

# What a bound means, by the type of the error and the name of its context.
BOUNDS = {
    "greater_than_equal": ("ge", "at least {}"),
    "greater_than": ("gt", "more than {}"),
    "less_than_equal": ("le", "at most {}"),
    "less_than": ("lt", "less than {}"),
    "multiple_of": ("multiple_of", "a multiple of {}"),
}
LENGTHS = {
    "too_short": ("min_length", "at least {} in the list"),
    "too_long": ("max_length", "at most {} in the list"),
    "string_too_short": ("min_length", "not empty"),
    "string_too_long": ("max_length", "at most {} characters"),
}


def reasons(
    failure: ValidationError,
    values: Mapping[str, Value],
    expectations: Mapping[str, Expectation],
) -> dict[str, str]:
    """What each wrong argument must be, by its name: `must be at least 1`.

    An argument that is missing has the reason "" ; of several errors of one argument
    (a union gives one for each member) the most telling counts.
    """
    found: dict[str, tuple[int, str]] = {}
    for details in failure.errors(include_url=False, include_input=False):
        name = str(details["loc"][0]) if details["loc"] else ""
        rank, text = reason(details, expectations.get(name))
        if name not in found or rank < found[name][0]:
            found[name] = (rank, text)
    return {name: text for name, (_, text) in found.items()}


def reason(details: ErrorDetails, expected: Expectation | None) -> tuple[int, str]:
    """(rank, text) of one error; a lower rank is more telling."""
    kind = details["type"]
    context = details.get("ctx", {})
    if kind == "missing":
        return 0, ""
    if kind == "value_error":
        return 0, str(context.get("error", "")).strip()
    for table in (BOUNDS, LENGTHS):
        if kind in table:
            key, text = table[kind]
            return 1, f"must be {text.format(number(context.get(key)))}"
    if kind == "finite_number":
        return 1, "must be a finite number"
    if kind == "literal_error" and expected is not None and not expected.options:
        return 1, f"must be {choices(str(context.get('expected', '')))}"
    return 2, f"must be {expected.in_words()}" if expected else "can't be used here"


def number(value: object) -> str:
    """A bound as a person writes it."""
    if isinstance(value, float) and value == int(value):
        value = int(value)
    return f"{value:,}" if isinstance(value, int) else str(value)


def choices(text: str) -> str:
    """`1, 3 or 4` as it is."""
    return text.replace("'", "`")
