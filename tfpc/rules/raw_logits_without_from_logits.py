"""`raw-logits-without-from-logits`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tfpc.diagnostics.diagnostic import Diagnostic, Fix, Label, Severity
from tfpc.plan.ir import Plan
from tfpc.rules.arguments import without_argument
from tfpc.rules.rule import Rule
from tfpc.vocabulary.loss import Crossentropy


class RawLogitsWithoutFromLogits(Rule):
    """Logits given to a loss that takes them for probabilities.

    What it finds
    A model whose scores have gone through no `softmax` or `sigmoid`, and
    `crossentropy(from_logits = false)`.

    Why
    The loss takes the logarithm of the scores as they are. Those below zero are cut to
    a tiny number, where the gradient is zero: the model does not learn, or ends in NaN.

    Sources
    https://github.com/tensorflow/docs/pull/2102
    """

    code: ClassVar[str] = "TFP403"
    slug: ClassVar[str] = "raw-logits-without-from-logits"
    severity: ClassVar[Severity] = Severity.ERROR
    bad: ClassVar[str] = """
train classifier {
  epochs = 2
  optimizer = adam(learning_rate = 1e-3)
  loss = crossentropy(from_logits = false)
}
"""
    good: ClassVar[str] = """
train classifier {
  epochs = 2
  optimizer = adam(learning_rate = 1e-3)
  loss = crossentropy
}
"""

    def check(self, plan: Plan) -> Iterator[Diagnostic]:
        """At `from_logits`, with a label at the last layer."""
        if plan.model is None or plan.train is None or not plan.model.nodes:
            return
        loss = plan.train.loss
        if not isinstance(loss, Crossentropy) or loss.from_logits is not False:
            return
        if not plan.model.scores.are_probabilities:
            place = plan.train.loss_argument_spans["from_logits"]
            edits = without_argument(place)
            yield self.found(
                "the model ends in logits, the loss takes them for probabilities",
                place,
                "takes them for probabilities",
                labels=(Label(plan.model.nodes[-1].span, "no softmax, no sigmoid"),),
                why="the logarithm of a score below zero has no meaning, so the model "
                "would not learn.",
                fix=Fix("write `loss = crossentropy`", edits, safe=bool(edits)),
            )
