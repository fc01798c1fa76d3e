"""Turns what a word says about its arguments into a diagnostic with places."""

from __future__ import annotations

from collections.abc import Mapping

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Label
from tfpc.diagnostics.span import Span
from tfpc.vocabulary.word import Mismatch


def report(
    code: str,
    mismatch: Mismatch,
    span: Span,
    argument_spans: Mapping[str, Span] | None = None,
    labels: tuple[Label, ...] = (),
) -> Diagnostic:
    """A diagnostic at the argument to blame, or else at the whole word."""
    place = (argument_spans or {}).get(mismatch.argument or "", span)
    return error(
        mismatch.code or code,
        mismatch.headline,
        place,
        mismatch.label,
        why=mismatch.why,
        fix=mismatch.fix or None,
        labels=labels,
    )
