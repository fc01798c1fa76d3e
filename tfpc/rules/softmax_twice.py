"""`softmax-twice`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tfpc.diagnostics.diagnostic import Diagnostic, Label, Severity
from tfpc.plan.ir import Plan
from tfpc.rules.activations import last_activations
from tfpc.rules.rule import Rule


class SoftmaxTwice(Rule):
    """Two softmax or sigmoid activations, one on the other.

    What it finds
    Scores that have gone through `softmax` or `sigmoid` and go through another one.

    Why
    The second one gets numbers between 0 and 1, which it makes nearly equal. Gradients
    become small and training hardly moves.

    Sources
    https://github.com/keras-team/keras/issues/16906
    """

    code: ClassVar[str] = "TFP405"
    slug: ClassVar[str] = "softmax-twice"
    severity: ClassVar[Severity] = Severity.ERROR
    bad: ClassVar[str] = """
model classifier from images {
  flatten
  dense(10, activation = softmax)
  softmax
}
"""
    good: ClassVar[str] = """
model classifier from images {
  flatten
  dense(10)
  softmax
}
"""

    def check(self, plan: Plan) -> Iterator[Diagnostic]:
        """At the last one, with a label at the first."""
        activations = [] if plan.model is None else last_activations(plan.model)
        if len(activations) < 2:
            return
        last, first = activations[0], activations[1]
        yield self.found(
            "the scores go through two activations, one on the other",
            last.span,
            "the second one",
            labels=(Label(first.span, "the first one"),),
            why="the second one gets numbers in 0..1 and makes them nearly equal.",
            fix="leave one of the two out",
        )
