"""`embedding-id-out-of-range`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tfpc.diagnostics.diagnostic import Diagnostic, Edit, Fix, Label, Severity
from tfpc.plan.ir import LayerNode, ModelPlan, Plan
from tfpc.rules.rule import Rule
from tfpc.vocabulary.dense import Flatten
from tfpc.vocabulary.embedding import Embedding


class EmbeddingIdOutOfRange(Rule):
    """Numbers that an embedding has no vector for.

    What it finds
    An `embedding` that is given numbers beyond `input_dim - 1` or below zero, as far as
    their range is known, or numbers that are not known to be whole.

    Why
    On a CPU the first number without a vector stops the run; on a GPU it silently gets
    zeros. Of a number that is not whole Keras cuts the fraction away, so that many
    become the same.

    Sources
    https://www.tensorflow.org/api_docs/python/tf/gather
    https://github.com/tensorflow/tensorflow/issues/5847
    """

    code: ClassVar[str] = "TFP406"
    slug: ClassVar[str] = "embedding-id-out-of-range"
    severity: ClassVar[Severity] = Severity.ERROR
    bad: ClassVar[str] = """
data digits {
  train = tfrecord("train-*.tfrecord")
  schema {
    words = int64(classes = 6)[16]
    label = int64(classes = 10)
  }
}

pipeline images from digits {
  when(train) {
    shuffle
  }
  batch(32)
}

model classifier from images {
  embedding(input_dim = 4, output_dim = 8)
  global_average_pooling1d
  dense(10)
}
"""
    good: ClassVar[str] = """
data digits {
  train = tfrecord("train-*.tfrecord")
  schema {
    words = int64(classes = 6)[16]
    label = int64(classes = 10)
  }
}

pipeline images from digits {
  when(train) {
    shuffle
  }
  batch(32)
}

model classifier from images {
  embedding(input_dim = 6, output_dim = 8)
  global_average_pooling1d
  dense(10)
}
"""

    def check(self, plan: Plan) -> Iterator[Diagnostic]:
        """At every embedding."""
        model = plan.model
        for node in model.nodes if model is not None else ():
            if isinstance(node.layer, Embedding) and model is not None:
                yield from self.negative(node, model)
                yield from self.too_high(node, node.layer, model)
                yield from self.fractions(node, plan, model)

    def negative(self, node: LayerNode, model: ModelPlan) -> Iterator[Diagnostic]:
        """Numbers below zero."""
        if node.before.low is not None and node.before.low < 0:
            yield self.found(
                "`embedding` needs numbers that count from zero",
                node.span,
                f"is given values from {node.before.low:g} on",
                labels=origin(node, model),
                why="each whole number from zero has a vector, and none below it.",
                fix="leave out what makes them negative, such as `normalize`",
            )

    def too_high(
        self, node: LayerNode, layer: Embedding, model: ModelPlan
    ) -> Iterator[Diagnostic]:
        """Numbers beyond the last vector."""
        low, high = node.before.low or 0, node.before.high
        if high is None or high < layer.input_dim:
            return
        yield self.found(
            f"`embedding` has vectors for 0..{layer.input_dim - 1}, "
            f"the numbers go up to {high:.0f}",
            node.span,
            f"is given {node.before} in {low:.0f}..{high:.0f}",
            labels=origin(node, model),
            why="a number without a vector stops the run, or on a GPU becomes zeros.",
            fix=enough(node, layer, int(high) + 1),
        )

    def fractions(
        self, node: LayerNode, plan: Plan, model: ModelPlan
    ) -> Iterator[Diagnostic]:
        """Numbers that may have fractions, where nothing else is wrong with them."""
        if (node.before.low or 0) < 0 or is_whole(node, plan, model):
            return
        yield self.found(
            "`embedding` needs whole numbers",
            node.span,
            f"is given {node.before}, which may have fractions",
            labels=origin(node, model),
            why="each whole number has a vector; fractions would be cut away silently, "
            "so that 0.2 and 0.7 are both 0.",
            fix="give it a field of whole numbers: `words = int64(classes = 1_000)[32]`",
        )


def is_whole(node: LayerNode, plan: Plan, model: ModelPlan) -> bool:
    """Whether a layer is given the whole numbers of the pipeline, at most reshaped."""
    value = node.inputs[0]
    while value and isinstance(model.nodes[value - 1].layer, Flatten):
        value = model.nodes[value - 1].inputs[0]
    given = plan.chains["train"].result[model.component]
    return value == 0 and given.is_integer


def origin(node: LayerNode, model: ModelPlan) -> tuple[Label, ...]:
    """The layer that gives the numbers, if there is one between."""
    if node.inputs[0] == 0:
        return ()
    above = model.nodes[node.inputs[0] - 1]
    return (Label(above.span, f"gives {above.after}"),)


def enough(node: LayerNode, layer: Embedding, count: int) -> Fix:
    """As many vectors as numbers; an edit where `input_dim` stands as a plain number."""
    text, old = node.span.text, str(layer.input_dim)
    for written in (f"(input_dim = {old},", f"({old},"):
        if text.count(written) == 1:
            mended = text.replace(written, written.replace(old, str(count)))
            return Fix(f"write `{mended}`", (Edit(node.span, mended),), safe=True)
    return Fix(f"write `input_dim = {count}`")
