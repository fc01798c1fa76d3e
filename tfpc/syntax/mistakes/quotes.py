"""Text that is quoted in another way, or never ends."""

from __future__ import annotations

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Edit, Fix
from tfpc.diagnostics.span import Span
from tfpc.syntax.situation import Situation

_PARTNERS = {
    "'": "'",
    "`": "`",
    "\N{LEFT DOUBLE QUOTATION MARK}": "\N{RIGHT DOUBLE QUOTATION MARK}",
    "\N{RIGHT DOUBLE QUOTATION MARK}": "\N{RIGHT DOUBLE QUOTATION MARK}",
    "\N{DOUBLE LOW-9 QUOTATION MARK}": "\N{LEFT DOUBLE QUOTATION MARK}",
    "\N{LEFT SINGLE QUOTATION MARK}": "\N{RIGHT SINGLE QUOTATION MARK}",
    "\N{LEFT-POINTING DOUBLE ANGLE QUOTATION MARK}": (
        "\N{RIGHT-POINTING DOUBLE ANGLE QUOTATION MARK}"
    ),
}
_PREFIXES = ("f", "r", "b", "u", "rb", "br", "fr", "rf")


def wrong_quotes(at: Situation) -> Diagnostic | None:
    """`csv('x')`, and the curly quotes of word processors."""
    if at.token is not None or at.rest[:1] not in _PARTNERS:
        return None
    rest = at.rest
    end = rest.find(_PARTNERS[rest[0]], 1)
    if end < 0:
        return error(
            "TFP010",
            "text is written in double quotes",
            at.ahead(1),
            fix=f'write `"` instead of `{rest[0]}`, on both sides',
        )
    inside = rest[1:end]
    span = at.ahead(end + 1)
    if '"' in inside or "\\" in inside:
        return error(
            "TFP010",
            "text is written in double quotes",
            span,
            fix='put it in double quotes, with `\\"` for quotes inside',
        )
    quoted = f'"{inside}"'
    return error(
        "TFP010",
        "text is written in double quotes",
        span,
        fix=Fix(f"write `{quoted}`", (Edit(span, quoted),), safe=True),
    )


def text_never_ends(at: Situation) -> Diagnostic | None:
    """`"x)` to the end of the line."""
    if at.token is not None or at.rest[:1] != '"':
        return None
    rest = at.rest.rstrip()
    fix = 'add the closing `"`; a line break in text is written `\\n`'
    if '\\"' in rest:
        fix = 'add the closing `"`; a `\\"` is a quote inside the text, not its end'
    return error("TFP011", "this text never ends", at.ahead(len(rest)), fix=fix)


def triple_quotes(at: Situation) -> Diagnostic | None:
    """`'''text'''` with double quotes, as in Python."""
    if not at.adjacent or str(at.last) != '""' or at.rest[:1] != '"':
        return None
    return error(
        "TFP011",
        "text has one quote on each side",
        Span.cover(at.of(at.line[-1]), at.ahead(1)),
        why="text ends on the line where it begins, so triple quotes have no use.",
        fix='write `"..."` on one line, with `\\n` for line breaks',
    )


def letter_before_quotes(at: Situation) -> Diagnostic | None:
    """`f"..."` and `r"..."`."""
    last = at.last
    if last is None or at.kind != "STRING" or not at.adjacent:
        return None
    if last.lower() not in _PREFIXES:
        return None
    span = at.of(last)
    fix = "names inside text are written `${name}`, and a backslash is doubled"
    return error(
        "TFP010",
        f"text needs no `{last}` before its quotes",
        span,
        fix=Fix(f"remove the `{last}`; {fix}", (Edit(span, ""),)),
    )
