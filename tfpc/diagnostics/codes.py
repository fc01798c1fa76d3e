"""The table of all codes that are not rules, and the way to report one of them."""

from __future__ import annotations

from collections.abc import Sequence

from tfpc.diagnostics import (
    codes_lint,
    codes_python,
    codes_reuse,
    codes_run,
    codes_syntax,
    codes_types,
    codes_values,
    codes_words,
)
from tfpc.diagnostics.code import Code
from tfpc.diagnostics.diagnostic import Diagnostic, Fix, Label, Severity
from tfpc.diagnostics.span import Span

__all__ = ["CODES", "Code", "error"]

# TFP0xx syntax, TFP1xx names and words, TFP2xx types, TFP9xx running; the numbers
# between belong to rules.
CODES: dict[str, Code] = {
    entry.code: entry
    for family in (
        codes_syntax.CODES,
        codes_words.CODES,
        codes_values.CODES,
        codes_reuse.CODES,
        codes_lint.CODES,
        codes_types.CODES,
        codes_python.CODES,
        codes_run.CODES,
    )
    for entry in family
}


def error(
    code: str,
    headline: str,
    span: Span | None,
    label: str = "",
    *,
    why: str = "",
    fix: Fix | str | None = None,
    labels: Sequence[Label] = (),
    severity: Severity = Severity.ERROR,
) -> Diagnostic:
    """A diagnostic of the kind ``code``, with carets and ``label`` under ``span``.

    ``labels`` are the other places involved. ``span`` is None where no text is to
    blame (a file that is missing). Raises KeyError for a code without an entry.
    """
    primary = () if span is None else (Label(span, label, primary=True),)
    return Diagnostic(
        code=code,
        slug=CODES[code].slug,
        severity=severity,
        headline=headline,
        labels=(*primary, *labels),
        why=why,
        fix=Fix(fix) if isinstance(fix, str) else fix,
    )
