"""`softmax-twice`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tfpc.diagnostics.diagnostic import Diagnostic, Edit, Fix, Label, Severity
from tfpc.plan.ir import LayerNode, Plan
from tfpc.rules.activations import last_activations
from tfpc.rules.lines import around, left_out
from tfpc.rules.rule import Rule
from tfpc.syntax import nodes
from tfpc.vocabulary.scores import PROBABILITIES


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
            fix=without(last, first),
        )


def without(last: LayerNode, first: LayerNode) -> Fix:
    """The last one left out, if it is a layer of its own, without a name."""
    found = around(last.span)
    layer = found[-1] if found and not last.span.uses else None
    edits: tuple[Edit, ...] = ()
    if isinstance(layer, nodes.Block) and layer.word.text in PROBABILITIES:
        edits = left_out(layer) if layer.alias is None else ()
    activations = {
        node.layer.output_activation for node in (last, first) if node.layer is not None
    }
    text = "leave one of the two out"
    return Fix(text, edits, safe=bool(edits) and len(activations) == 1)
