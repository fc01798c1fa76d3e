"""`shuffle-before-cache`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tfpc.diagnostics.diagnostic import Diagnostic, Fix, Label, Severity
from tfpc.plan.ir import Plan
from tfpc.rules.chains import shuffled_before_cache
from tfpc.rules.lines import line_in_block, taken_out
from tfpc.rules.rule import Rule


class ShuffleBeforeCache(Rule):
    """A cache below a shuffle keeps its order.

    What it finds
    A `shuffle` above a `cache`, and none below it.

    Why
    The cache stores the examples in the order in which they came in the first epoch.
    Every later epoch has the same order, so the batches are made of the same examples
    each time.

    Sources
    https://www.tensorflow.org/api_docs/python/tf/data/Dataset#cache
    https://github.com/tensorflow/tensorflow/issues/53242
    """

    code: ClassVar[str] = "TFP303"
    slug: ClassVar[str] = "shuffle-before-cache"
    severity: ClassVar[Severity] = Severity.ERROR
    bad: ClassVar[str] = """
pipeline images from digits {
  decode_png(channels = 1)
  resize(8, 8)
  when(train) {
    shuffle
  }
  cache(memory)
  batch(32)
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
        """At the cache of the training chain."""
        found = shuffled_before_cache(plan.chains["train"])
        if found is None:
            return
        shuffle, cache = found
        edits = taken_out(shuffle.span, line_in_block(cache.span), below=True)
        text = f"move `shuffle` below line {cache.span.line}"
        yield self.found(
            "`cache` below `shuffle` keeps the order of the first epoch",
            cache.span,
            "replays the examples in the order in which they came first",
            labels=(Label(shuffle.span, "meant to differ from epoch to epoch"),),
            why="what stands above `cache` runs in the first epoch only.",
            fix=Fix(text, edits, safe=bool(edits)),
        )
