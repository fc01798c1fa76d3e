"""`dataset-not-batched`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tfpc.diagnostics.diagnostic import Diagnostic, Severity
from tfpc.plan.ir import Plan
from tfpc.rules.chains import evaluates
from tfpc.rules.rule import Rule
from tfpc.vocabulary.stream import Batch


class DatasetNotBatched(Rule):
    """A pipeline without a batch.

    What it finds
    A chain, in training or in evaluation, that has no `batch`.

    Why
    A model takes batches: its layers have one more axis than an example. Keras would
    refuse a single example with a message about ranks.

    Sources
    https://www.tensorflow.org/api_docs/python/tf/data/Dataset#batch
    """

    code: ClassVar[str] = "TFP351"
    slug: ClassVar[str] = "dataset-not-batched"
    severity: ClassVar[Severity] = Severity.ERROR
    bad: ClassVar[str] = """
pipeline images from digits {
  decode_png(channels = 1)
  resize(8, 8)
  when(train) {
    shuffle
  }
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
        """At the head of the pipeline."""
        if plan.model is None:
            return
        missing = [
            mode for mode, chain in plan.chains.items() if chain.first(Batch) is None
        ]
        if not evaluates(plan):
            missing = [mode for mode in missing if mode == "train"]
        if not missing:
            return
        where = "" if len(missing) == 2 else f" in {missing[0]}"
        if len(missing) == 2 or not evaluates(plan):
            fix = "write `batch(32)` as its last line"
        else:
            fix = "move `batch` out of `when`, so that both modes have it"
        yield self.found(
            f"this pipeline makes no batches{where}",
            plan.pipeline_span,
            "gives one example at a time",
            why="a model takes batches of examples.",
            fix=fix,
        )
