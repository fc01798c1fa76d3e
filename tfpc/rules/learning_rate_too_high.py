"""`learning-rate-too-high`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tfpc.diagnostics.diagnostic import Diagnostic, Severity
from tfpc.plan.ir import Plan
from tfpc.rules.rule import Rule
from tfpc.vocabulary.optimizer import Sgd
from tfpc.vocabulary.schedule import Schedule

# From these on rates are those of another optimizer, or slips of the decimal point.
FAR_OFF, FAR_OFF_SGD = 0.1, 10.0
# What Keras begins with.
COMMON, COMMON_SGD = "1e-3", "0.01"


class LearningRateTooHigh(Rule):
    """A learning rate that is far from what its optimizer can take.

    What it finds
    A rate of 0.1 or more with `adam`, `adamw` or `rmsprop`, of 10 or more with `sgd`; of
    a schedule, its highest.

    Why
    Adam and its like bring each step to about the size of the rate, whatever the
    gradient: with 0.1 every weight moves by 0.1, which is as large as the weights
    themselves. The loss stays at that of chance, or becomes NaN. Rates of `sgd` are
    larger, so one is easily taken for the other.

    Sources
    https://github.com/tensorflow/tensorflow/issues/38796
    https://github.com/rajveermalviya/language-modeling/issues/3
    https://keras.io/api/optimizers/adam/
    """

    code: ClassVar[str] = "TFP411"
    slug: ClassVar[str] = "learning-rate-too-high"
    severity: ClassVar[Severity] = Severity.WARNING
    bad: ClassVar[str] = """
train classifier {
  epochs = 2
  optimizer = adam(learning_rate = 0.1)
  loss = crossentropy
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
        """At the rate."""
        if plan.train is None:
            return
        optimizer = plan.train.optimizer
        rate = optimizer.learning_rate
        highest = rate.highest if isinstance(rate, Schedule) else rate
        is_sgd = isinstance(optimizer, Sgd)
        if highest < (FAR_OFF_SGD if is_sgd else FAR_OFF):
            return
        common = COMMON_SGD if is_sgd else COMMON
        yield self.found(
            f"a learning rate of {highest:g} is far too high for `{optimizer.word}`",
            plan.train.rate_span,
            f"rates near {common} are common",
            why="steps as large as the weights themselves undo what was learnt.",
            fix=f"begin with {common}, and try others by `--set`",
        )
