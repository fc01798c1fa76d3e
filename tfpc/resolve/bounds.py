"""How large a value may grow: a `let` used twice in the next one doubles every line."""

from __future__ import annotations

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.diagnostics.span import Span
from tfpc.types.value import Interval, Symbol, Value

MOST_PARTS = 10_000
LONGEST_TEXT = 100_000


def too_many_parts(value: Value) -> Diagnostic | None:
    """A list or word with more values in it than anyone could mean."""
    if parts_of(value) <= MOST_PARTS:
        return None
    return too_large(value.span, f"more than {MOST_PARTS:,} values")


def too_long(text: str, span: Span) -> Diagnostic | None:
    """Text that is longer than any path or name."""
    if len(text) <= LONGEST_TEXT:
        return None
    return too_large(span, f"text of {len(text):,} characters")


def too_large(span: Span, label: str) -> Diagnostic:
    """A value that has grown beyond what anything could mean."""
    return error(
        "TFP120", "this value is too large", span, label, fix="write a smaller one"
    )


def parts_of(value: Value) -> int:
    """How many values a value holds; it stops counting soon after the limit."""
    pending, count = [value], 0
    while pending and count <= MOST_PARTS:
        content = pending.pop().content
        count += 1
        if isinstance(content, tuple):
            pending += content
        elif isinstance(content, Interval):
            pending += (content.low, content.high)
        elif isinstance(content, Symbol):
            pending += content.positional
            pending += (each for _, each, _ in content.keywords)
            pending += content.shape or ()
    return count
