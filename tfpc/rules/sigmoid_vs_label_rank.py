"""`sigmoid-vs-label-rank`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tfpc.diagnostics.diagnostic import Diagnostic, Edit, Fix, Label, Severity
from tfpc.plan.ir import Plan
from tfpc.rules.activations import last_activations
from tfpc.rules.rule import Rule
from tfpc.vocabulary.loss import Crossentropy

SIGMOIDS = ("sigmoid", "hard_sigmoid")


class SigmoidVsLabelRank(Rule):
    """A sigmoid on each of several scores, for labels of one class each.

    What it finds
    A model that ends in a `sigmoid` over more than one score, and `crossentropy`, which
    takes one class of several as the right one.

    Why
    A sigmoid makes a probability of each score for itself: several classes may be
    likely, or none. `crossentropy` compares shares that add up to one, which a `softmax`
    gives. Keras divides them by their sum without a word, so the outputs mean something
    else in training than they do later.

    Sources
    https://github.com/fchollet/deep-learning-with-python-notebooks/issues/279
    https://github.com/MTG/MIRCourse/issues/2
    https://github.com/zzh8829/yolov3-tf2/issues/194
    """

    code: ClassVar[str] = "TFP410"
    slug: ClassVar[str] = "sigmoid-vs-label-rank"
    severity: ClassVar[Severity] = Severity.ERROR
    bad: ClassVar[str] = """
model classifier from images {
  flatten
  dense(10, activation = sigmoid)
}
"""
    good: ClassVar[str] = """
model classifier from images {
  flatten
  dense(10, activation = softmax)
}
"""

    def check(self, plan: Plan) -> Iterator[Diagnostic]:
        """At the activation, with a label at the loss."""
        if plan.model is None or plan.train is None:
            return
        loss, scores = plan.train.loss, plan.model.scores
        if not isinstance(loss, Crossentropy) or loss.from_logits is True:
            return
        found = last_activations(plan.model)
        if scores.activation not in SIGMOIDS or scores.size in (1, None) or not found:
            return
        place, written = found[0].span, found[0].span.text
        edits: tuple[Edit, ...] = ()
        if written.count(scores.activation) == 1:
            edits = (Edit(place, written.replace(scores.activation, "softmax")),)
        yield self.found(
            f"a `{scores.activation}` over {scores.size} scores, "
            "and labels of one class each",
            place,
            f"{scores.size} probabilities, each for itself",
            labels=(
                Label(plan.train.loss_span, f"compares one class of {scores.size}"),
            ),
            why="`crossentropy` compares shares that add up to one, as `softmax` gives "
            "them.",
            fix=Fix("write `softmax`, or leave the activation out", edits),
        )
