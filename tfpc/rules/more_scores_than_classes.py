"""`more-scores-than-classes`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tfpc.diagnostics.diagnostic import Diagnostic, Label, Severity
from tfpc.plan.ir import Plan
from tfpc.rules.rule import Rule
from tfpc.rules.units import as_many_as_classes
from tfpc.vocabulary.loss import Crossentropy


class MoreScoresThanClasses(Rule):
    """The model gives more scores than the labels have classes.

    What it finds
    A model that ends in n scores for labels of fewer than n classes, which is mostly a
    number of another data set.

    Why
    Nothing breaks: training pushes the scores that no label has towards zero. But they
    take weights and time, and the model can give an answer that no class stands for.

    Sources
    https://www.tensorflow.org/api_docs/python/tf/keras/losses/SparseCategoricalCrossentropy
    https://github.com/tensorflow/tensorflow/issues/8484
    """

    code: ClassVar[str] = "TFP407"
    slug: ClassVar[str] = "more-scores-than-classes"
    severity: ClassVar[Severity] = Severity.WARNING
    bad: ClassVar[str] = """
data digits {
  train = tfrecord("train-*.tfrecord")
  schema {
    image = string
    label = int64(classes = 6)
  }
}

model classifier from images {
  flatten
  dense(10)
}
"""
    good: ClassVar[str] = """
data digits {
  train = tfrecord("train-*.tfrecord")
  schema {
    image = string
    label = int64(classes = 6)
  }
}

model classifier from images {
  flatten
  dense(digits.classes)
}
"""

    def check(self, plan: Plan) -> Iterator[Diagnostic]:
        """At the last layer, with a label at the data."""
        if plan.model is None or plan.train is None or not plan.model.nodes:
            return
        label, scores = plan.train.label_type, plan.model.scores.size
        if not isinstance(plan.train.loss, Crossentropy) or not label.is_integer:
            return
        classes = label.classes
        if classes is None or scores is None or not 2 <= classes < scores:
            return
        last = plan.model.nodes[-1]
        yield self.found(
            f"the model gives {scores} scores, the labels have {classes} classes",
            last.span,
            f"scores: {last.after}",
            labels=(
                Label(
                    plan.data.splits["train"].span,
                    f"label: int64[] in 0..{classes - 1}",
                ),
            ),
            why=f"no label is above {classes - 1}, so the other scores are for nothing.",
            fix=as_many_as_classes(last, plan, safe=False),
        )
