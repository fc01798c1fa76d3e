"""`softmax-and-from-logits`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tfpc.diagnostics.diagnostic import Diagnostic, Fix, Label, Severity
from tfpc.plan.ir import Plan
from tfpc.rules.activations import last_activations
from tfpc.rules.arguments import without_argument
from tfpc.rules.rule import Rule
from tfpc.vocabulary.loss import Crossentropy


class SoftmaxAndFromLogits(Rule):
    """Probabilities given to a loss that takes them for logits.

    What it finds
    A model that ends in `softmax` or `sigmoid`, and `crossentropy(from_logits = true)`.

    Why
    The loss would put a second softmax on the first. It stays nearly flat: ten shares
    between 0 and 1 give almost equal shares again.

    Sources
    https://github.com/keras-team/keras/issues/16906
    """

    code: ClassVar[str] = "TFP401"
    slug: ClassVar[str] = "softmax-and-from-logits"
    severity: ClassVar[Severity] = Severity.ERROR
    bad: ClassVar[str] = """
model classifier from images {
  flatten
  dense(10, activation = softmax)
}

train classifier {
  epochs = 2
  optimizer = adam(learning_rate = 1e-3)
  loss = crossentropy(from_logits = true)
}
"""
    good: ClassVar[str] = """
model classifier from images {
  flatten
  dense(10)
}

train classifier {
  epochs = 2
  optimizer = adam(learning_rate = 1e-3)
  loss = crossentropy(from_logits = true)
}
"""

    def check(self, plan: Plan) -> Iterator[Diagnostic]:
        """At `from_logits`, with a label at the activation."""
        if plan.model is None or plan.train is None:
            return
        loss, activations = plan.train.loss, last_activations(plan.model)
        if not isinstance(loss, Crossentropy) or loss.from_logits is not True:
            return
        if activations:
            layer = activations[0].layer
            word = layer.output_activation if layer is not None else ""
            place = plan.train.loss_argument_spans["from_logits"]
            edits = without_argument(place)
            yield self.found(
                f"the model already ends in {word}, so its scores are no logits",
                place,
                "takes them for logits",
                labels=(Label(activations[0].span, f"{word} here"),),
                why="the loss would put a second softmax on the first, and hardly "
                "change from step to step.",
                fix=Fix(
                    "write `loss = crossentropy`, or leave the activation out",
                    edits,
                    safe=bool(edits),
                ),
            )
