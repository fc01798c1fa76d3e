"""`metric-does-not-fit-output`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tfpc.diagnostics.diagnostic import Diagnostic, Label, Severity
from tfpc.plan.ir import Plan
from tfpc.rules.rule import Rule


class MetricDoesNotFitOutput(Rule):
    """A metric of something else than the model gives.

    What it finds
    A metric that label and scores have no meaning for: `accuracy` of measured numbers,
    `mae` of classes, `precision` and `recall` of more than two classes, `top_k` with as
    many classes as there are. (Which kind of accuracy, and whether scores are logits, is
    known from label and model: that can't be wrong.)

    Why
    TensorFlow compares what it is given. Most of these give a number that looks like a
    result and is none, others stop the run at the first evaluation.

    Sources
    https://github.com/keras-team/keras/issues/7947
    https://github.com/tensorflow/tensorflow/issues/54447
    https://keras.io/api/metrics/
    """

    code: ClassVar[str] = "TFP408"
    slug: ClassVar[str] = "metric-does-not-fit-output"
    severity: ClassVar[Severity] = Severity.ERROR
    bad: ClassVar[str] = """
data digits {
  train = tfrecord("train-*.tfrecord")
  schema {
    image = string
    label = float32
  }
}

model classifier from images {
  flatten
  dense(1)
}

train classifier {
  epochs = 2
  optimizer = adam(learning_rate = 1e-3)
  loss = mse
  metrics = [accuracy]
}
"""
    good: ClassVar[str] = """
data digits {
  train = tfrecord("train-*.tfrecord")
  schema {
    image = string
    label = float32
  }
}

model classifier from images {
  flatten
  dense(1)
}

train classifier {
  epochs = 2
  optimizer = adam(learning_rate = 1e-3)
  loss = mse
  metrics = [mae]
}
"""

    def check(self, plan: Plan) -> Iterator[Diagnostic]:
        """At each such metric, or the argument to blame."""
        if plan.model is None or plan.train is None:
            return
        for placed in plan.train.metrics.values():
            unfit = placed.metric.fit(plan.train.label_type, plan.model.scores)
            if unfit is None:
                continue
            place = placed.argument_spans.get(unfit.argument or "", placed.span)
            yield self.found(
                unfit.headline,
                place,
                unfit.label,
                labels=(Label(plan.train.loss_span, "what the model is trained for"),),
                why=unfit.why,
                fix=unfit.fix or None,
            )
