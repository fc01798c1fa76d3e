"""Steps chained with a sign instead of a line break."""

from __future__ import annotations

import re

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Edit, Fix
from tfpc.diagnostics.span import Span
from tfpc.syntax.situation import Situation

_PIPES = re.compile(r"\|>|\|\||>>|\|")
_WHY = "the line break is the pipe: a step takes what the line above it gives."


def pipe(at: Situation) -> Diagnostic | None:
    """`decode_jpeg |> resize(2, 2)`."""
    found = _PIPES.match(at.rest) if at.token is None else None
    if not found:
        return None
    span = at.ahead(len(found[0]))
    fix: Fix | str = "put each step on its own line"
    if not at.line or not at.rest[len(found[0]) :].strip():
        fix = Fix(f"remove the `{found[0]}`", (Edit(span, ""),), safe=True)
    elif not at.inside:
        edit = _new_line(at, len(found[0]))
        fix = Fix("put each step on its own line", (edit,), safe=True)
    headline = f"one step a line, without `{found[0]}`"
    return error("TFP006", headline, span, why=_WHY, fix=fix)


def method_chain(at: Situation) -> Diagnostic | None:
    """`.batch(32)`, on a line of its own or after a step."""
    if at.kind != "DOT" or not re.match(r"\.\s*[A-Za-z_]", at.rest):
        return None
    if at.line and at.last_kind not in ("RPAR", "RSQB", "RBRACE"):
        return None
    edit = _new_line(at, 1) if at.line else Edit(at.ahead(1), "")
    fix = Fix("put each step on its own line, without the `.`", (edit,))
    return error(
        "TFP006", "steps are not chained with `.`", at.ahead(1), why=_WHY, fix=fix
    )


def _new_line(at: Situation, length: int) -> Edit:
    """Replaces the sign and the blanks around it by a line break and the indent."""
    text = at.source.text
    start = len(text[: at.offset].rstrip(" \t"))
    end = at.offset + length
    end += len(text[end:]) - len(text[end:].lstrip(" \t"))
    line = at.source.line(at.span.line)
    indent = line[: len(line) - len(line.lstrip())]
    return Edit(Span(at.source, start, end), f"\n{indent}")
