"""Brackets that are never closed, closed by another kind, or closed twice."""

from __future__ import annotations

from lark import Token

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Edit, Fix, Label
from tfpc.diagnostics.span import Span
from tfpc.syntax.situation import Situation

_CLOSING = {"LPAR": ")", "LSQB": "]", "LBRACE": "}"}
_OPENING = {"RPAR": "LPAR", "RSQB": "LSQB", "RBRACE": "LBRACE"}


def wrong_partner(at: Situation) -> Diagnostic | None:
    """`resize(224, 224]`."""
    if at.kind not in ("RPAR", "RSQB") or not at.inside:
        return None
    if _OPENING[at.kind] == at.bracket:
        return None
    opener = at.open[-1]
    right = _CLOSING[opener.type]
    return error(
        "TFP018",
        f"`{opener}` is closed by `{right}`, not by `{at.token}`",
        at.span,
        labels=(Label(at.of(opener), "opened here"),),
        fix=Fix(f"write `{right}`", (Edit(at.span, right),)),
    )


def never_closed(at: Situation) -> Diagnostic | None:
    """A `(`, `[` or `{` whose partner is missing."""
    if not at.open:
        return None
    opener = at.open[-1]
    if at.kind == "$END" or (at.inside and _has_left(at, opener)):
        return _unclosed(at, opener)
    return None


def _has_left(at: Situation, opener: Token) -> bool:
    """Whether the text has gone on to something outside of the open bracket."""
    if at.kind in ("LBRACE", "RBRACE"):
        return True
    last = at.last
    if at.token is None or last is None:
        return False
    line = at.span.line
    if line == at.line_of(last):
        return False
    # Arguments on lines of their own are indented deeper than what opened them, or
    # else begin right behind the bracket and end on its line.
    indent = _indent(at, at.line_of(opener))
    deeper = at.span.column - 1 > indent
    opens_a_column = at.source.line(at.line_of(opener)).rstrip().endswith(str(opener))
    return not deeper or not opens_a_column


def _indent(at: Situation, line: int) -> int:
    text = at.source.line(line)
    return len(text) - len(text.lstrip())


def _unclosed(at: Situation, opener: Token) -> Diagnostic:
    right = _CLOSING[opener.type]
    labels: tuple[Label, ...] = ()
    edits: tuple[Edit, ...] = ()
    if opener.type == "LBRACE":
        fix = "add `}` on a line of its own where the block ends"
        if suspect := _badly_indented(at, opener):
            labels = (suspect,)
    else:
        place = at.behind_last()
        fix = f"add `{right}` at the end of line {place.line}"
        if at.kind in ("LBRACE", "RBRACE") and place.line == at.span.line:
            fix = f"add `{right}` before `{at.token}`"
        edits = (Edit(place, right),)
    return error(
        "TFP007",
        f"this `{opener}` is never closed",
        at.of(opener),
        labels=labels,
        fix=Fix(fix, edits),
    )


def _badly_indented(at: Situation, opener: Token) -> Label | None:
    """A line below that is indented like the opener's, so the block ends before it."""
    indent = _indent(at, at.line_of(opener))
    for number in range(at.line_of(opener) + 1, at.source.line_count + 1):
        text = at.source.line(number)
        words = text.strip()
        if (
            words
            and not words.startswith(("#", "}", ")", "]"))
            and (_indent(at, number) <= indent)
        ):
            start = at.source.line_start(number) + _indent(at, number)
            span = Span(at.source, start, start + len(words))
            return Label(span, f"still inside the `{{` of line {at.line_of(opener)}")
    return None


def belong_to_no_word(at: Situation) -> Diagnostic | None:
    """`optimizer = (learning_rate = 1e-3)`, and `(channels = 3)` on a line."""
    if at.kind == "LPAR" and not at.line and "NAME" in at.expected:
        opener = at.span
    elif at.kind == "EQUAL" and at.bracket == "LPAR" and at.expected >= {"RPAR"}:
        opener = at.of(at.open[-1])
        before = at.source.text[: opener.start].rstrip()
        if before[-1:].isalnum() or before[-1:] in ("_", '"'):
            return None
    else:
        return None
    return error(
        "TFP001",
        "these parentheses belong to no word",
        opener,
        fix="write the word that takes these arguments before the `(`",
    )


def stray(at: Situation) -> Diagnostic | None:
    """A closing bracket that closes nothing."""
    if at.kind not in _OPENING or at.bracket == _OPENING[at.kind]:
        return None
    return error(
        "TFP018",
        f"this `{at.token}` closes nothing",
        at.span,
        fix=Fix("remove it", (Edit(at.span, ""),)),
    )
