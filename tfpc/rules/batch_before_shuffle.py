"""`batch-before-shuffle`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tfpc.diagnostics.diagnostic import Diagnostic, Fix, Label, Severity
from tfpc.plan.ir import Plan
from tfpc.rules.lines import line_in_block, taken_out
from tfpc.rules.rule import Rule
from tfpc.vocabulary.stream import Batch, Shuffle


class BatchBeforeShuffle(Rule):
    """A shuffle below batch moves whole batches.

    What it finds
    A `shuffle` below `batch`, and none above it.

    Why
    Batches are put into a new order, but each is made of the same examples in every
    epoch: neighbours in the source, which in a folder are all of one class.

    Sources
    https://www.tensorflow.org/guide/data#randomly_shuffling_input_data
    """

    code: ClassVar[str] = "TFP305"
    slug: ClassVar[str] = "batch-before-shuffle"
    severity: ClassVar[Severity] = Severity.WARNING
    bad: ClassVar[str] = """
pipeline images from digits {
  decode_png(channels = 1)
  resize(8, 8)
  cache(memory)
  batch(32)
  when(train) {
    shuffle
  }
}
"""
    good: ClassVar[str] = """
pipeline images from digits {
  decode_png(channels = 1)
  resize(8, 8)
  cache(memory)
  when(train) {
    shuffle
  }
  batch(32)
}
"""

    def check(self, plan: Plan) -> Iterator[Diagnostic]:
        """At the shuffle of the training chain."""
        nodes = plan.chains["train"].nodes
        shuffles = [node for node in nodes if isinstance(node.step, Shuffle)]
        if not shuffles or not all(node.batched for node in shuffles):
            return
        batch = next(node for node in nodes if isinstance(node.step, Batch))
        edits = taken_out(shuffles[0].span, line_in_block(batch.span))
        yield self.found(
            "`shuffle` below `batch` moves whole batches",
            shuffles[0].span,
            "the examples of a batch stay together",
            labels=(Label(batch.span, "groups neighbours"),),
            why="each batch is made of the same examples in every epoch.",
            fix=Fix(f"move `shuffle` above line {batch.span.line}", edits),
        )
