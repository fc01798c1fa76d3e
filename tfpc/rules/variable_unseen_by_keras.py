"""`variable-unseen-by-keras`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from tfpc.diagnostics.diagnostic import Diagnostic, Label, Severity
from tfpc.plan.ir import Plan
from tfpc.python_source.weights import Kind
from tfpc.rules.python_weights import findings, span_of
from tfpc.rules.rule import Rule


class VariableUnseenByKeras(Rule):
    """A Python function makes a `tf.Variable`, which Keras 3 does not see.

    What it finds
    `tf.Variable(...)` in a function or class that a spec names, or in one that it uses.

    Why
    Keras 3 knows the variables of `add_weight`, `keras.Variable` and of layers alone. A
    `tf.Variable` is in none of its lists, so the optimizer leaves it as it is and no
    checkpoint has it; in a function that is traced it is made anew, or fails.

    Sources
    https://keras.io/guides/migrating_to_keras_3/
    """

    code: ClassVar[str] = "TFP605"
    slug: ClassVar[str] = "variable-unseen-by-keras"
    severity: ClassVar[Severity] = Severity.ERROR
    files: ClassVar[Mapping[str, str]] = {
        "scaled.py": """\
import keras
import tensorflow as tf


class Scaled(keras.layers.Layer):
    def build(self, shape):
        self.scale = tf.Variable(1.0)

    def call(self, x):
        return x * self.scale
""",
        "scaled_and_seen.py": """\
import keras


class Scaled(keras.layers.Layer):
    def build(self, shape):
        self.scale = self.add_weight(shape=(), initializer="ones")

    def call(self, x):
        return x * self.scale
""",
    }
    bad: ClassVar[str] = """
model classifier from images {
  python "scaled:Scaled"
  flatten
  dense(10)
}
"""
    good: ClassVar[str] = """
model classifier from images {
  python "scaled_and_seen:Scaled"
  flatten
  dense(10)
}
"""

    def check(self, plan: Plan) -> Iterator[Diagnostic]:
        """One message a place in a Python file."""
        for use, finding in findings(plan):
            if finding.kind is Kind.UNSEEN:
                yield self.found(
                    "Keras does not see this `tf.Variable`, so nothing trains it",
                    use.span,
                    "uses it",
                    labels=(Label(span_of(finding), "in none of Keras's lists"),),
                    why="the optimizer and checkpoints take the variables that Keras "
                    "lists.",
                    fix="write `self.add_weight(...)` in `build` of a Keras layer: line "
                    f"{finding.node.lineno} of {finding.module.path.name}",
                )
