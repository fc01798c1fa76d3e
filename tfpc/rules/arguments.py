"""Edits of the arguments of a word that is used as a value."""

from __future__ import annotations

from tfpc.diagnostics.diagnostic import Edit
from tfpc.diagnostics.span import Span
from tfpc.rules.lines import around
from tfpc.syntax import nodes


def without_argument(span: Span) -> tuple[Edit, ...]:
    """The edit that leaves out the argument at a place; none if it stands elsewhere."""
    found = around(span)
    call = getattr(found[-1], "value", None) if found else None
    if not isinstance(call, nodes.Call) or call.arguments is None:
        return ()
    given = [
        each.span for each in (*call.arguments.positional, *call.arguments.keywords)
    ]
    holding = [each for each in given if each.start <= span.start < each.end]
    if not holding:
        return ()
    if len(given) == 1:
        return (Edit(call.arguments.span, ""),)
    number = given.index(holding[0])
    if number + 1 < len(given):
        unwanted = Span(span.source, given[number].start, given[number + 1].start)
    else:
        unwanted = Span(span.source, given[number - 1].end, given[number].end)
    return (Edit(unwanted, ""),)
