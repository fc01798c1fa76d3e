"""Braces where the language has none."""

from __future__ import annotations

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Edit, Fix
from tfpc.diagnostics.span import Span
from tfpc.syntax.situation import Situation


def block_as_value(at: Situation) -> Diagnostic | None:
    """`optimizer = { ... }` and `optimizer = adam { ... }`."""
    if at.kind != "LBRACE" or not (at.is_setting or at.inside):
        return None
    if at.inside and at.last_kind not in ("EQUAL", "COMMA", "LPAR", "LSQB"):
        return None
    fix = "write the value as a call, `word(name = value)`"
    name = at.subject
    if at.inside:
        fix += "; several values are a list, `[a, b]`"
    elif at.last_kind == "EQUAL" and name:
        fix += f", or `{name} {{ }}` without `=` if it is a block"
    else:
        fix = "put the arguments in parentheses, `word(name = value)`"
    return error(
        "TFP005",
        "a value cannot be a `{ }` block",
        at.span,
        why="a brace never follows `=`: blocks hold steps, layers and settings.",
        fix=fix,
    )


def brace_on_next_line(at: Situation) -> Diagnostic | None:
    """A `{` at the start of a line."""
    if at.kind != "LBRACE" or at.line:
        return None
    before = at.source.text[: at.offset].rstrip()
    if not before or before[-1] in "{}":
        return error(
            "TFP027",
            "a `{` needs a word before it",
            at.span,
            why="a block says what it is: `data`, `pipeline`, `model`, `train`, ...",
            fix="write the word of the block before `{`",
        )
    source = at.source
    line = source.position(len(before) - 1)[0]
    place = Span(source, len(before), at.offset)
    edits = () if "#" in source.line(line) else (Edit(place, " "),)
    return error(
        "TFP027",
        "the `{` of a block stands on the line of its word",
        at.span,
        why="the line break ends a step, so the line above is complete.",
        fix=Fix(f"move the `{{` to the end of line {line}", edits, safe=bool(edits)),
    )
