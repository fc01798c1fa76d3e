"""Prints diagnostics for programs: a JSON list of objects, one a problem."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from tfpc.diagnostics.diagnostic import Diagnostic, Fix
from tfpc.diagnostics.span import Span


def render_json(diagnostics: Iterable[Diagnostic]) -> str:
    """The list as indented JSON. Lines and columns count from one, in characters;
    ``end_column`` is the first column behind. A problem without a place has nulls.
    """
    return json.dumps([describe(item) for item in diagnostics], indent=2)


def describe(diagnostic: Diagnostic) -> dict[str, Any]:
    """One diagnostic as plain values."""
    return {
        "code": diagnostic.code,
        "slug": diagnostic.slug,
        "severity": diagnostic.severity.word,
        "message": diagnostic.headline,
        "why": diagnostic.why,
        "fix": _fix(diagnostic.fix),
        **_place(diagnostic.span),
        "labels": [
            {**_place(label.span), "text": label.text} for label in diagnostic.labels
        ],
        "docs": diagnostic.docs,
    }


def _place(span: Span | None) -> dict[str, Any]:
    return {
        "file": span.source.name if span else None,
        "line": span.line if span else None,
        "column": span.column if span else None,
        "end_line": span.end_line if span else None,
        "end_column": span.end_column if span else None,
    }


def _fix(fix: Fix | None) -> dict[str, Any] | None:
    if fix is None:
        return None
    edits = [
        {**_place(edit.span), "replacement": edit.replacement} for edit in fix.edits
    ]
    return {"text": fix.text, "edits": edits, "safe": fix.safe}
