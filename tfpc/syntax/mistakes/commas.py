"""Commas that are missing inside brackets, or stand between lines."""

from __future__ import annotations

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Edit, Fix, Label
from tfpc.diagnostics.span import Span
from tfpc.syntax.situation import VALUE_KINDS, WORD_KINDS, Situation


def missing_comma(at: Situation) -> Diagnostic | None:
    """`resize(224 224)`."""
    if not at.inside or "COMMA" not in at.expected or at.last is None:
        return None
    if at.kind not in (VALUE_KINDS | WORD_KINDS):
        return None
    before = str(at.last)
    place = at.behind_last()
    gap = "," if place.line != at.span.line else ", "
    end = place.end if gap == "," else at.offset
    edit = Edit(Span(at.source, place.start, end), gap)
    span = at.span if gap == "," else Span.cover(at.of(at.last), at.span)
    where = f"between `{before}` and `{at.token}`"
    return error(
        "TFP008",
        f"a comma is missing {where}",
        span,
        fix=Fix(f"write `{before}, {at.token}`", (edit,), safe=True),
    )


def tuple_of_values(at: Situation) -> Diagnostic | None:
    """`mean = (1, 2)`."""
    if at.kind != "COMMA" or at.bracket != "LPAR" or "RPAR" not in at.expected:
        return None
    return error(
        "TFP028",
        "several values are a list, in `[ ]`",
        at.span,
        labels=(Label(at.of(at.open[-1]), "these parentheses hold one value"),),
        fix="write `[a, b]` instead of `(a, b)`",
    )


def stray_comma(at: Situation) -> Diagnostic | None:
    """`epochs = 10,`, `{ a, b }`, `1, 2` without brackets."""
    if at.kind != "COMMA" or at.inside:
        return None
    after = at.rest[1:].strip()
    if not after or after.startswith("#"):
        fix = Fix("remove the comma", (Edit(at.span, ""),), safe=True)
        return error("TFP028", "lines do not end with a comma", at.span, fix=fix)
    fix = Fix("put each on its own line, without a comma")
    headline = "commas stand inside `( )` and `[ ]` only"
    if at.is_setting:
        fix = Fix("put several values in a list, `[a, b]`, and settings on own lines")
    elif at.line and all(token.type in ("NAME", "DOT") for token in at.line):
        fix = Fix("put each on its own line, without a comma; arguments stand in `( )`")
    return error("TFP028", headline, at.span, fix=fix)
