"""`no-effective-shuffle`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tfpc.diagnostics.diagnostic import Diagnostic, Fix, Severity
from tfpc.plan.ir import Plan
from tfpc.rules.lines import line_in_block, put_in
from tfpc.rules.rule import Rule
from tfpc.vocabulary.stream import Batch, Shuffle


class NoEffectiveShuffle(Rule):
    """Training reads its examples in the same order in every epoch.

    What it finds
    A training chain without `shuffle`.

    Why
    The gradients of neighbours are alike (in a folder, neighbours are of one class),
    and every epoch repeats the same batches. Training is slower, and often worse.

    Sources
    https://www.tensorflow.org/guide/data#randomly_shuffling_input_data
    """

    code: ClassVar[str] = "TFP307"
    slug: ClassVar[str] = "no-effective-shuffle"
    severity: ClassVar[Severity] = Severity.WARNING
    bad: ClassVar[str] = """
pipeline images from digits {
  decode_png(channels = 1)
  resize(8, 8)
  batch(32)
}
"""
    good: ClassVar[str] = """
pipeline images from digits {
  decode_png(channels = 1)
  resize(8, 8)
  when(train) {
    shuffle
  }
  batch(32)
}
"""

    def check(self, plan: Plan) -> Iterator[Diagnostic]:
        """At the batch of the training chain."""
        chain = plan.chains["train"]
        batch = chain.first(Batch)
        if plan.train is None or batch is None or chain.first(Shuffle) is not None:
            return
        lines = "when(train) {\n  shuffle\n}"
        edits = put_in(lines, line_in_block(batch.span))
        yield self.found(
            "training reads its examples in the same order in every epoch",
            batch.span,
            "always the same batches",
            why="nothing above it shuffles.",
            fix=Fix("write `when(train) { shuffle }` above `batch`", edits),
        )
