"""`name = value`, written in another way."""

from __future__ import annotations

import re

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Edit, Fix
from tfpc.diagnostics.span import Span
from tfpc.syntax.situation import VALUE_KINDS, WORD_KINDS, Situation

_OPERATORS = ("PLUS", "MINUS", "STAR", "SLASH", "DOTDOT")
_ENDS = ("NL", "$END", "RPAR", "RSQB", "RBRACE", "COMMA", "EQUAL", "LBRACE")


def colon(at: Situation) -> Diagnostic | None:
    """`epochs: 10`, and `train:` above an indented block."""
    if at.token is not None or at.rest[:1] != ":":
        return None
    after = at.rest[1:]
    if not after.strip() or after.lstrip().startswith("#"):
        return error(
            "TFP003",
            "a block is written with `{ }`, not with `:`",
            at.ahead(1),
            fix="write `{` here and `}` on a line of its own after the block",
        )
    name = str(at.last) if at.last_kind == "NAME" and at.inside else at.subject
    headline = "named arguments use `=`, not `:`" if at.inside else ""
    value = after.split("#")[0].strip()
    span = Span(at.source, at.behind_last().end, at.offset + 1 + _blanks(after))
    fix = Fix("write `name = value`")
    if at.last_kind == "NAME" and name:
        edit = (Edit(span, " = "),)
        simple = re.match(r"[^,()\[\]{}]*", value)
        if at.inside and simple is not None:
            value = simple[0].strip()
        shown = f"{name} = {value or '...'}"
        fix = Fix(f"write `{shown}`", edit, safe=True)
    headline = headline or "settings use `=`, not `:`"
    return error("TFP003", headline, at.ahead(1), fix=fix)


def _blanks(text: str) -> int:
    return len(text) - len(text.lstrip(" \t"))


def double_equal(at: Situation) -> Diagnostic | None:
    """`x == 3`."""
    if at.kind != "EQUAL" or at.last_kind != "EQUAL" or not at.adjacent:
        return None
    span = Span(at.source, at.offset - 1, at.offset + 1)
    why = "nothing is compared in a spec, so `==` has no meaning."
    fix = Fix("write `=`", (Edit(span, "="),), safe=True)
    return error("TFP022", "settings use one `=`", span, why=why, fix=fix)


def missing_value(at: Situation) -> Diagnostic | None:
    """`epochs =`, `2 +`, `f(a, , b)`."""
    due = "INT" in at.expected and "STRING" in at.expected
    if not due or at.kind not in (*_ENDS, *_OPERATORS) or at.last is None:
        return None
    if at.last_kind == "EQUAL":
        name = _name_before(at)
        return error(
            "TFP025",
            f"there is no value after `{name} =`",
            at.behind_last(),
            fix="write the value on the same line, or remove the setting",
        )
    if at.last_kind in _OPERATORS:
        return error(
            "TFP025",
            f"there is no value after `{at.last}`",
            at.of(at.last),
            fix="write what it applies to on the same line",
        )
    if at.kind == "COMMA":
        edit = (Edit(at.span, ""),)
        fix = Fix("remove the comma, or write the value", edit)
        return error("TFP025", "there is no value before this comma", at.span, fix=fix)
    return error("TFP025", f"there is no value before `{at.token}`", at.span)


def _name_before(at: Situation) -> str:
    if not at.inside:
        return at.subject
    return str(at.line[-2]) if len(at.line) > 1 else ""


def missing_equal(at: Situation) -> Diagnostic | None:
    """`epochs 10`, `loss python "losses:focal"`."""
    if at.inside or not at.line or at.kind not in (VALUE_KINDS | {"MINUS"}):
        return None
    if any(token.type not in ("NAME", "DOT") for token in at.line):
        return None
    words = at.line
    start = at.offset
    if at.kind == "STRING" and str(at.last) == "python" and len(words) > 1:
        start = at.of(words[-1]).start
        words = words[:-1]
    subject = "".join(map(str, words))
    names = [str(token) for token in words if token.type == "NAME"]
    if len(names) > 1 and "." not in subject:
        return error(
            "TFP001",
            f"a value cannot follow `{' '.join(names)}`",
            at.span,
            fix=f"write `name = {at.token}` for a setting, or "
            f"`{names[0]}({at.token})` for a step",
        )
    place = Span(at.source, at.of(words[-1]).end, start)
    line_end = at.offset + len(at.rest.split("#")[0].rstrip())
    return equal_between(place, subject, at.source.text[start:line_end])


def let_without_equal(at: Situation) -> Diagnostic | None:
    """`let size 224`, `let size`."""
    if at.expected != {"EQUAL"} or at.line[0].type != "LET" or len(at.line) != 2:
        return None
    name, place = at.last, at.behind_last()
    if at.kind in ("NL", "$END"):
        fix = Fix(f"write `let {name} = value`")
        return error("TFP025", f"`let {name}` has no value", at.of(at.line[1]), fix=fix)
    if at.kind not in (VALUE_KINDS | {"NAME"}):
        return None
    place = Span(at.source, place.start, at.offset)
    edits = (Edit(place, " = "),)
    value = at.rest.split("#")[0].strip()
    fix = Fix(f"write `let {name} = {value}`", edits)
    return error("TFP004", f"`=` is missing after `let {name}`", place, fix=fix)


def two_values(at: Situation) -> Diagnostic | None:
    """`epochs = 10 20`."""
    if at.inside or not at.is_setting or at.kind not in VALUE_KINDS:
        return None
    return error(
        "TFP009",
        f"`{at.subject}` takes one value",
        at.span,
        "a second one",
        fix="remove it, or write a list: `[a, b]`",
    )


def second_equal(at: Situation) -> Diagnostic | None:
    """`x = y = 3`."""
    if at.kind != "EQUAL" or at.inside or not at.is_setting:
        return None
    if at.last_kind == "EQUAL":
        return None
    return error(
        "TFP009",
        "a setting has one `=`",
        at.span,
        "the second one",
        fix="put each setting on its own line, as `name = value`",
    )


def parameters(at: Situation) -> Diagnostic | None:
    """`let f(x) = 3`."""
    if at.kind != "LPAR" or len(at.line) != 2 or at.line[0].type != "LET":
        return None
    return error(
        "TFP001",
        "a `let` has no parameters",
        at.span,
        fix=f"write `let {at.last} = value`; what has parameters is defined with "
        "`steps` or `layer`, or written in Python",
    )


def two_on_a_line(at: Situation) -> Diagnostic | None:
    """`train = csv("x") validation = csv("y")`, `{ dense(3) relu }`."""
    if at.inside or not at.line or at.kind not in (WORD_KINDS | VALUE_KINDS):
        return None
    if not at.expected & {"NL", "RBRACE", "$END"}:
        return None
    thing = "setting" if at.is_setting else "step or layer"
    line = at.source.line(at.span.line)
    indent = line[: len(line) - len(line.lstrip())]
    place = Span(at.source, at.behind_last().end, at.offset)
    # Without a line end before the first thing, splitting would change the layout
    # of a block on one line; the sentence is enough there.
    alone = line.lstrip().startswith(str(at.line[0])) and at.kind in WORD_KINDS
    edits = (Edit(place, f"\n{indent}"),) if alone else ()
    fix = Fix(f"start a new line before `{at.token}`", edits, safe=alone)
    return error("TFP009", f"one {thing} a line", at.span, "the second one", fix=fix)


def equal_between(place: Span, name: str, value: str) -> Diagnostic:
    """A value directly behind the name of a setting; ``place`` is between the two."""
    return error(
        "TFP004",
        f"`=` is missing after `{name}`",
        place,
        fix=Fix(
            f"write `{name} = {value}`, or `{name}({value})` for a step",
            (Edit(place, " = "),),
        ),
    )
