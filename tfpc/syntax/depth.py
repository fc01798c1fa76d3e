"""The limit on nesting, so that everything that walks a tree may recurse."""

from __future__ import annotations

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.diagnostics.span import Span

DEEPEST = 100


def too_deep(span: Span) -> Diagnostic:
    """Brackets and operators are counted together; ``span`` is the one too many."""
    if span.text in "([{":
        headline = f"brackets are nested more than {DEEPEST} levels deep"
        fix = "give the inner parts names with `let`, `steps` or `layer`"
    else:
        headline = f"more than {DEEPEST} operators in one value"
        fix = "give parts of the calculation names with `let`"
    return error("TFP019", headline, span, f"level {DEEPEST + 1}", fix=fix)
