"""Numbers written in another way."""

from __future__ import annotations

import re

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Edit, Fix
from tfpc.diagnostics.span import Span
from tfpc.syntax.situation import Situation

_FRACTION = re.compile(r"\.([0-9][0-9_]*(?:[eE][+-]?[0-9]+)?)(?![.])")
_THOUSANDS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?![0-9A-Za-z_.])")
_SIZES = {"B", "KB", "KiB", "MB", "MiB", "GB", "GiB", "TB", "TiB"}
_UNITS = _SIZES | {"ms", "s", "min", "h", "d", "epoch", "epochs", "step", "steps"}


def point_without_digits(at: Situation) -> Diagnostic | None:
    """`.5` and `5.`."""
    if at.kind != "DOT":
        return None
    if at.last_kind == "INT" and at.adjacent:
        exponent = re.match(r"\.([eE][+-]?[0-9]+)?", at.rest)
        assert exponent is not None
        end = at.offset + exponent.end()
        start = at.of(at.line[-1]).start
        right = f"{at.last}.0{exponent[1] or ''}"
        return _with_digits(Span(at.source, start, end), right)
    found = _FRACTION.match(at.rest)
    if found and "INT" in at.expected:
        return _with_digits(at.ahead(found.end()), f"0.{found[1]}")
    return None


def _with_digits(span: Span, right: str) -> Diagnostic:
    return error(
        "TFP021",
        "a number has digits on both sides of its point",
        span,
        fix=Fix(f"write `{right}`", (Edit(span, right),), safe=True),
    )


def comma_in_number(at: Situation) -> Diagnostic | None:
    """`limit = 1,000`, outside of brackets."""
    if at.kind != "COMMA" or at.inside or at.last_kind != "INT":
        return None
    start = at.of(at.line[-1]).start
    found = _THOUSANDS.match(at.source.text, start)
    if not found:
        return None
    span = Span(at.source, start, found.end())
    right = found[0].replace(",", "_")
    return error(
        "TFP021",
        "digits are grouped with `_`, not with commas",
        span,
        fix=Fix(f"write `{right}`", (Edit(span, right),), safe=True),
    )


def detached_unit(at: Situation) -> Diagnostic | None:
    """`3 epochs`, `20 %`."""
    last = at.last
    if last is None or at.last_kind not in ("INT", "FLOAT"):
        return None
    if at.kind == "NAME" and str(at.token) in _UNITS:
        unit = str(at.token)
    elif at.token is None and at.rest[:1] == "%" and not at.adjacent:
        unit = "%"
    else:
        return None
    span = Span(at.source, at.of(last).start, at.offset + len(unit))
    joined = f"{last}{unit}"
    return error(
        "TFP012",
        "a unit follows its number without a blank",
        span,
        fix=Fix(f"write `{joined}`", (Edit(span, joined),), safe=True),
    )
