"""`bias-before-batch-normalization`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tfpc.diagnostics.diagnostic import Diagnostic, Edit, Fix, Label, Severity
from tfpc.diagnostics.span import Span
from tfpc.plan.ir import LayerNode, Plan
from tfpc.rules.rule import Rule
from tfpc.vocabulary.normalization import BatchNormalization


class BiasBeforeBatchNormalization(Rule):
    """A bias that the layer below takes away again.

    What it finds
    A convolution or `dense` with a bias and no activation, whose output goes into
    `batch_normalization` and nowhere else.

    Why
    Normalization subtracts the mean of each channel, and with it whatever was added to
    all of it. The bias is learnt for nothing, and takes an operation of its own.

    Sources
    https://github.com/keras-team/keras-cv/issues/629
    https://github.com/keras-team/keras/issues/1802
    https://www.tensorflow.org/guide/profiler
    """

    code: ClassVar[str] = "TFP412"
    slug: ClassVar[str] = "bias-before-batch-normalization"
    severity: ClassVar[Severity] = Severity.NOTE
    bad: ClassVar[str] = """
model classifier from images {
  conv2d(8, 3)
  batch_normalization
  relu
  flatten
  dense(10)
}
"""
    good: ClassVar[str] = """
model classifier from images {
  conv2d(8, 3, use_bias = false)
  batch_normalization
  relu
  flatten
  dense(10)
}
"""

    def check(self, plan: Plan) -> Iterator[Diagnostic]:
        """At each such layer, once for one that is repeated."""
        nodes = () if plan.model is None else plan.model.nodes
        told: set[Span] = set()
        for number, node in enumerate(nodes, 1):
            takers = [each for each in nodes if number in each.inputs]
            if not has_bias(node) or len(takers) != 1 or node.span in told:
                continue
            if isinstance(takers[0].layer, BatchNormalization):
                told.add(node.span)
                yield self.found(
                    f"the bias of `{node.name}` is taken away by the normalization "
                    "below: write `use_bias = false`",
                    node.span,
                    labels=(Label(takers[0].span, "subtracts the mean"),),
                    fix=Fix("write `use_bias = false`", without_bias(node.span)),
                )


def has_bias(node: LayerNode) -> bool:
    """Whether it adds a bias, and does nothing to the sum."""
    layer = node.layer
    return bool(getattr(layer, "use_bias", False)) and (
        layer is not None and layer.output_activation is None
    )


def without_bias(span: Span) -> tuple[Edit, ...]:
    """The edit that adds the argument; none in a definition, which others may use."""
    if span.uses or "use_bias" in span.text or not span.text.endswith(")"):
        return ()
    place = Span(span.source, span.end - 1, span.end - 1)
    inner = span.text[:-1].rstrip()
    return () if inner.endswith((",", "(")) else (Edit(place, ", use_bias = false"),)
