"""Names that are missing, reserved, or not names."""

from __future__ import annotations

import re

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Edit, Fix
from tfpc.diagnostics.span import Span
from tfpc.syntax.situation import Situation

_HYPHENATED = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)+")
_EXAMPLES = {
    "LET": "`let size = 224`",
    "AS": "`as summary`",
    "FROM": "`pipeline images from photos`",
    "DOT": "`train.epochs`",
}


def hyphen(at: Situation) -> Diagnostic | None:
    """`decode-jpeg(3)`, `let learning-rate = 3`, `f(learning-rate = 3)`."""
    if at.kind not in ("MINUS", "EQUAL"):
        return None
    # The name may have been read as a difference already: find it in the text.
    line = at.span.line
    before = at.source.line_start(line)
    for found in _HYPHENATED.finditer(at.source.line(line)):
        span = Span(at.source, before + found.start(), before + found.end())
        touches = at.source.text[span.end : at.offset].strip() == ""
        if span.start < at.offset and (touches or span.end > at.offset):
            right = found[0].replace("-", "_")
            fix = Fix(f"write `{right}`", (Edit(span, right),), safe=True)
            return error("TFP013", "names use `_`, not `-`", span, fix=fix)
    return None


def reserved(at: Situation) -> Diagnostic | None:
    """`python = 3`, `import = "x"`, `let = 3`."""
    if at.kind != "EQUAL" or at.last_kind not in ("PYTHON", "IMPORT", "LET"):
        return None
    if len(at.line) > 1 and not at.inside:
        return None
    return reserved_name(at.of(at.line[-1]))


def missing_name(at: Situation) -> Diagnostic | None:
    """`from {`, `as`, `let 3`, `train.`."""
    if at.expected != {"NAME"} or at.last is None:
        return None
    example = _EXAMPLES.get(at.last_kind)
    if example is None or at.token is None:
        return None
    span = at.span if at.kind not in ("NL", "$END") else at.of(at.last)
    return error(
        "TFP026",
        f"`{at.last}` is followed by a name",
        span,
        "" if span.start == at.of(at.last).start else "not a name",
        fix=f"write a name, as in {example}",
    )


def python_without_text(at: Situation) -> Diagnostic | None:
    """`python(3)`, `python f(3)`."""
    if at.expected != {"STRING"} or at.last_kind != "PYTHON":
        return None
    span = at.of(at.line[-1]) if at.kind in ("NL", "$END") else at.span
    return error(
        "TFP001",
        "`python` is followed by the function's place, in double quotes",
        span,
        fix='write `python "module:function"`, and arguments in `( )` after it',
    )


def starts_with_digit(at: Situation) -> Diagnostic | None:
    """`3d_convolution(2)`."""
    if at.kind != "QUANTITY" or at.line or "NAME" not in at.expected:
        return None
    return error(
        "TFP026",
        "a name does not start with a digit",
        at.span,
        fix="start it with a letter",
    )


def reserved_name(span: Span) -> Diagnostic:
    """A reserved word where a name is given or used."""
    word = span.text
    return error(
        "TFP020",
        f"`{word}` is a word of the language and cannot be a name",
        span,
        "reserved",
        fix=f"choose another name, such as `{word}_` or a longer word",
    )
