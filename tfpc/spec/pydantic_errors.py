"""The errors of pydantic in the user's words; none of its own texts gets out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from tfpc.spec.expectation import Expectation

# What a bound means, by the type of the error and the name of its context.
BOUNDS = {
    "greater_than_equal": ("ge", "must be at least {}"),
    "greater_than": ("gt", "must be more than {}"),
    "less_than_equal": ("le", "must be at most {}"),
    "less_than": ("lt", "must be less than {}"),
    "multiple_of": ("multiple_of", "must be a multiple of {}"),
    "too_short": ("min_length", "must hold at least {}"),
    "too_long": ("max_length", "must hold at most {}"),
    "string_too_long": ("max_length", "must have at most {} characters"),
}
FIXED = {
    "string_too_short": "must not be empty",
    "finite_number": "must be a finite number",
}
# A list of fixed length that is too short misses its last values, says pydantic.
LENGTHS = ("too_short", "too_long", "missing")


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an argument is wrong.

    argument: its name, "" for the word as a whole; text: `must be at least 1`, or "" if
    it is missing; item: the place of the value in the list that the argument is.
    """

    argument: str
    text: str
    item: int | None = None


def reasons(
    failure: ValidationError, expectations: Mapping[str, Expectation]
) -> list[Reason]:
    """One reason for each wrong argument.

    Of several errors of one argument (a union gives one for each member) the most
    telling counts.
    """
    found: dict[str, tuple[int, Reason]] = {}
    for details in failure.errors(include_url=False, include_input=False):
        name = str(details["loc"][0]) if details["loc"] else ""
        rank, reason = ranked(details, name, expectations.get(name))
        if name not in found or rank < found[name][0]:
            found[name] = (rank, reason)
    return [reason for _, reason in found.values()]


def ranked(
    details: ErrorDetails, name: str, expected: Expectation | None
) -> tuple[int, Reason]:
    """(rank, reason) of one error; a lower rank is more telling."""
    kind = details["type"]
    context = details.get("ctx", {})
    inner = details["loc"][1:]
    places = [part for part in inner if isinstance(part, int)]
    item = places[-1] if places else None
    if kind == "missing" and not inner:
        return 0, Reason(name, "")
    if kind == "value_error":
        return 0, Reason(name, str(context.get("error", "")).strip(), item)
    if kind in LENGTHS and expected is not None and expected.length:
        return 1, Reason(name, f"must be {expected.in_words()}")
    if kind in BOUNDS:
        key, text = BOUNDS[kind]
        return 1, Reason(name, text.format(number(context.get(key))), item)
    if kind in FIXED:
        return 1, Reason(name, FIXED[kind], item)
    text = f"must be {expected.in_words()}" if expected else "can't be used here"
    return 2, Reason(name, text)


def number(value: object) -> str:
    """A bound as a person writes it."""
    if isinstance(value, float) and value == int(value):
        value = int(value)
    return f"{value:,}" if isinstance(value, int) else str(value)
