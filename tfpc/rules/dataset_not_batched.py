"""`dataset-not-batched`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tfpc.diagnostics.diagnostic import Diagnostic, Edit, Fix, Severity
from tfpc.diagnostics.span import Span
from tfpc.plan.ir import Plan
from tfpc.rules.chains import evaluates
from tfpc.rules.lines import around, put_in
from tfpc.rules.rule import Rule
from tfpc.syntax import nodes
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
            fix = Fix(
                "write `batch(32)` as its last line", last_line(plan.pipeline_span)
            )
        else:
            fix = Fix("move `batch` out of `when`, so that both modes have it")
        yield self.found(
            f"this pipeline makes no batches{where}",
            plan.pipeline_span,
            "gives one example at a time",
            why="a model takes batches of examples.",
            fix=fix,
        )


def last_line(pipeline: Span) -> tuple[Edit, ...]:
    """The edit that writes `batch(32)` below the last line of a pipeline."""
    block = around(pipeline)[-1:]
    body = block[0].body if block and isinstance(block[0], nodes.Block) else None
    return put_in("batch(32)", body[-1], below=True) if body else ()
