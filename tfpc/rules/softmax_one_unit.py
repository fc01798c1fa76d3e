"""`softmax-one-unit`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tfpc.diagnostics.diagnostic import Diagnostic, Edit, Fix, Severity
from tfpc.plan.ir import Plan
from tfpc.rules.rule import Rule


class SoftmaxOneUnit(Rule):
    """A softmax over a single score.

    What it finds
    A `softmax` where the last axis has size 1.

    Why
    Softmax gives shares that add up to one, so a single one is always 1: the model
    gives the same answer to everything.

    Sources
    https://keras.io/api/layers/activations/#softmax-function
    """

    code: ClassVar[str] = "TFP404"
    slug: ClassVar[str] = "softmax-one-unit"
    severity: ClassVar[Severity] = Severity.ERROR
    bad: ClassVar[str] = """
data digits {
  train = tfrecord("train-*.tfrecord")
  schema {
    image = string
    label = int64(classes = 2)
  }
}

model classifier from images {
  flatten
  dense(1, activation = softmax)
}
"""
    good: ClassVar[str] = """
data digits {
  train = tfrecord("train-*.tfrecord")
  schema {
    image = string
    label = int64(classes = 2)
  }
}

model classifier from images {
  flatten
  dense(1, activation = sigmoid)
}
"""

    def check(self, plan: Plan) -> Iterator[Diagnostic]:
        """At every such layer."""
        for node in plan.model.nodes if plan.model is not None else ():
            if node.layer is None or node.layer.output_activation != "softmax":
                continue
            if node.after.shape is not None and node.after.shape[-1] == 1:
                text = "write `activation = sigmoid`, or leave it out"
                written = node.span.text
                edits: tuple[Edit, ...] = ()
                if written.count("softmax") == 1:
                    edits = (Edit(node.span, written.replace("softmax", "sigmoid")),)
                yield self.found(
                    "a softmax over one score is always 1",
                    node.span,
                    f"gives {node.after}",
                    why="softmax gives shares that add up to one, and here is one share.",
                    fix=Fix(text, edits),
                )
