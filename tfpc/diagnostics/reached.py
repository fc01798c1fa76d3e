"""Says where a definition is used whose lines a problem stands in."""

from __future__ import annotations

from dataclasses import replace

from tfpc.diagnostics.diagnostic import Diagnostic, Label

MOST_SHOWN = 3


def with_uses(problem: Diagnostic) -> Diagnostic:
    """The problem with a label for each use that led to it, the innermost first."""
    if problem.span is None:
        return problem
    uses = problem.span.uses
    # The innermost shows what went in, the outermost where the user's own lines begin.
    shown = uses if len(uses) <= MOST_SHOWN else (*uses[: MOST_SHOWN - 1], uses[-1])
    labels = tuple(
        Label(use.span, ", ".join(filter(None, ("reached from here", use.parameters))))
        for use in shown
    )
    return replace(problem, labels=(*problem.labels, *labels)) if labels else problem
