"""`cache-candidate`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tfpc.diagnostics.diagnostic import Diagnostic, Edit, Fix, Severity
from tfpc.plan.ir import Plan, StepNode
from tfpc.rules.expensive import EXPENSIVE
from tfpc.rules.footprint import amount, fits, size_here
from tfpc.rules.lines import is_own_line, line_in_block, put_in
from tfpc.rules.rule import Rule
from tfpc.vocabulary.stream import Batch, Cache

SMALL = 0.5


class CacheCandidate(Rule):
    """Expensive work that is the same in every epoch, and is not kept.

    What it finds
    Decoding or resizing in a training of several epochs without a `cache`, where
    nothing random stands above it, and all results would take less than half of the
    memory of this machine.

    Why
    With `cache(memory)` it is done once, and later epochs gather what is there. What is
    learnt stays the same.

    Sources
    https://www.tensorflow.org/guide/data_performance#caching
    """

    code: ClassVar[str] = "TFP311"
    slug: ClassVar[str] = "cache-candidate"
    severity: ClassVar[Severity] = Severity.NOTE
    of_machine: ClassVar[bool] = True
    bad: ClassVar[str] = """
data digits {
  train = image_folder("ten_pictures")
}

pipeline images from digits {
  decode_png(channels = 1)
  resize(8, 8)
  when(train) {
    shuffle
    random_flip(horizontal)
  }
  batch(2)
}

model classifier from images {
  flatten
  dense(2)
}
"""
    good: ClassVar[str] = """
data digits {
  train = image_folder("ten_pictures")
}

pipeline images from digits {
  decode_png(channels = 1)
  resize(8, 8)
  cache(memory)
  when(train) {
    shuffle
    random_flip(horizontal)
  }
  batch(2)
}

model classifier from images {
  flatten
  dense(2)
}
"""

    def check(self, plan: Plan) -> Iterator[Diagnostic]:
        """At the last such step."""
        chain = plan.chains["train"]
        if plan.train is None or plan.train.epochs < 2 or chain.first(Cache):
            return
        last: StepNode | None = None
        for node in chain.nodes:
            if node.step.random or isinstance(node.step, Batch):
                break
            if isinstance(node.step, EXPENSIVE):
                last = node
        size = None if last is None else size_here(plan, last)
        if last is None or size is None or not fits(size, SMALL):
            return
        edits: tuple[Edit, ...] = ()
        if is_own_line(last.span):
            edits = put_in("cache(memory)", line_in_block(last.span), below=True)
        yield self.found(
            f"`{last.step.word}` gives the same in each of {plan.train.epochs} epochs: "
            f"`cache(memory)` below it would keep {amount(size)} and do it once",
            last.span,
            fix=Fix("write `cache(memory)` below", edits),
        )
