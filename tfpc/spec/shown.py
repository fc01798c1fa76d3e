"""How messages show a value: what it is, and where it came from."""

from __future__ import annotations

import re

from tfpc.diagnostics.diagnostic import Label
from tfpc.types.value import Value

LONGEST = 60
# A number or quantity as it can be written, which is how it is quoted.
LITERAL = re.compile(r"-?[0-9][0-9_.]*([eE][+-]?[0-9]+)?(%|[A-Za-z]+)?")


def shown(value: Value) -> str:
    """`is 3`, as a label under the value; the source of what has no place in a text."""
    written = (value.origin or value.span).text
    text = written if LITERAL.fullmatch(written) else value.quoted
    if len(text) > LONGEST:
        text = f"{text[:LONGEST]}..."
    how = f", {value.how}" if value.how and value.origin is None else ""
    return f"is {text}{how}"


def provenance(value: Value | None) -> tuple[Label, ...]:
    """The place that a value came from, if it is another one."""
    if value is None or value.origin is None or value.origin == value.span:
        return ()
    return (Label(value.origin, value.how),)
