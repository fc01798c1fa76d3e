"""Monitors that a spec can have one of only."""

from __future__ import annotations

from collections.abc import Sequence

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Label
from tfpc.diagnostics.span import Span
from tfpc.spec.model import Placed
from tfpc.vocabulary.monitor import Monitor


def told_twice(monitors: Sequence[Placed[Monitor]]) -> list[Diagnostic]:
    """A report for each that stands there already."""
    first: dict[str, Span] = {}
    problems: list[Diagnostic] = []
    for placed in monitors:
        word = placed.word.word
        if placed.word.once and word in first:
            problems.append(
                error(
                    "TFP104",
                    f"there are two `{word}`",
                    placed.span,
                    labels=(Label(first[word], "the first one"),),
                    why=f"a run has only one `{word}`.",
                    fix="keep one of them",
                )
            )
        first.setdefault(word, placed.span)
    return problems
