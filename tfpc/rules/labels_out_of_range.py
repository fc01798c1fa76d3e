"""`labels-out-of-range`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tfpc.diagnostics.diagnostic import Diagnostic, Label, Severity
from tfpc.plan.ir import Plan
from tfpc.rules.rule import Rule
from tfpc.rules.units import as_many_as_classes


class LabelsOutOfRange(Rule):
    """The model gives fewer scores than the labels have classes.

    What it finds
    A model that ends in n scores for labels of more than n classes (one score is
    enough for two).

    Why
    A label without a score has no loss. On a CPU the first batch with one stops the
    run; on a GPU the loss silently becomes NaN.

    Sources
    https://github.com/tensorflow/tensorflow/issues/8484
    https://github.com/tensorflow/tensorflow/issues/56979
    """

    code: ClassVar[str] = "TFP402"
    slug: ClassVar[str] = "labels-out-of-range"
    severity: ClassVar[Severity] = Severity.ERROR
    bad: ClassVar[str] = """
model classifier from images {
  flatten
  dense(5)
}
"""
    good: ClassVar[str] = """
model classifier from images {
  flatten
  dense(digits.classes)
}
"""

    def check(self, plan: Plan) -> Iterator[Diagnostic]:
        """At the last layer, with labels at the data and the loss."""
        if plan.model is None or plan.train is None or not plan.model.nodes:
            return
        classes, scores = plan.train.label_type.classes, plan.model.scores.size
        if classes is None or scores is None or not plan.train.label_type.is_integer:
            return
        if scores >= classes or (scores == 1 and classes == 2):
            return
        last = plan.model.nodes[-1]
        source = plan.data.splits["train"].span
        told = f"label: int64[] in 0..{classes - 1}"
        yield self.found(
            f"the model gives {scores} score{'' if scores == 1 else 's'}, "
            f"the labels have {classes} classes",
            last.span,
            f"scores: {last.after}",
            labels=(
                Label(source, told),
                Label(plan.train.loss_span, "needs one score for each class"),
            ),
            why=f"label {max(scores, 1 if scores > 1 else 2)} has no score: on a GPU "
            "the loss silently becomes NaN, on a CPU the first such batch stops the run.",
            fix=as_many_as_classes(last, plan, safe=True),
        )
