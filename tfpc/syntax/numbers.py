"""Reads the literals of numbers and quantities."""

from __future__ import annotations

import math
import re

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Edit, Fix
from tfpc.diagnostics.span import Span

# The grammar's QUANTITY, with its two halves as groups.
_QUANTITY = re.compile(
    r"([0-9][0-9_]*(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)(%|[A-Za-z][A-Za-z0-9_]*)"
)
_FOREIGN = re.compile(r"0[xX][0-9A-Fa-f_]+|0[bB][01_]+|0[oO][0-7_]+")
# Python refuses to read integers of more digits than some thousand; far below that
# no field of a spec means anything.
_MOST_DIGITS = 300


def read(literal: str) -> int | float:
    """The value of `1_000` or `1e-3`; infinity if it is too large to mean anything."""
    digits = literal.replace("_", "")
    if digits.isdigit():
        return int(digits) if len(digits) <= _MOST_DIGITS else math.inf
    return float(digits)


def split_unit(literal: str) -> tuple[str, str]:
    """`1e3steps` as `("1e3", "steps")`."""
    found = _QUANTITY.fullmatch(literal)
    assert found is not None, literal
    return found[1], found[2]


def too_large(span: Span) -> Diagnostic:
    """A number beyond what a float64 holds."""
    return error(
        "TFP021",
        "this number is too large",
        span,
        "more than 1.8e308" if "e" in span.text.lower() else "too many digits",
        fix="write a smaller number",
    )


def foreign_literal(span: Span) -> Diagnostic | None:
    """A hexadecimal, binary or octal number, which reads as a quantity at first."""
    if not _FOREIGN.fullmatch(span.text):
        return None
    decimal = str(int(span.text.replace("_", ""), 0))
    return error(
        "TFP021",
        "numbers are written in decimal",
        span,
        fix=Fix(f"write `{decimal}`", (Edit(span, decimal),), safe=True),
    )
