"""`expensive-after-cache`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tfpc.diagnostics.diagnostic import Diagnostic, Edit, Fix, Label, Severity
from tfpc.plan.ir import Plan
from tfpc.rules.expensive import EXPENSIVE
from tfpc.rules.footprint import fits, size_here
from tfpc.rules.lines import is_own_line, line_in_block, moved
from tfpc.rules.rule import Rule
from tfpc.vocabulary.stream import Cache, StreamStep


class ExpensiveAfterCache(Rule):
    """Expensive work below a cache is repeated in every epoch.

    What it finds
    Decoding or resizing below a `cache`, where nothing random stands between them, and
    the results would not be too large for the memory of this machine.

    Why
    A cache saves what stands above it. Work that gives the same in every epoch and
    stands below is done again each time, while the cache saves little.

    Sources
    https://www.tensorflow.org/guide/data_performance#caching
    """

    code: ClassVar[str] = "TFP304"
    slug: ClassVar[str] = "expensive-after-cache"
    severity: ClassVar[Severity] = Severity.WARNING
    bad: ClassVar[str] = """
pipeline images from digits {
  cache(memory)
  decode_png(channels = 1)
  resize(8, 8)
  when(train) {
    shuffle
  }
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
        """One message, at the last such step above the first random one."""
        chain = plan.chains["train"]
        cache = chain.first(Cache)
        if cache is None:
            return
        movable = []
        for node in chain.nodes[chain.nodes.index(cache) + 1 :]:
            if node.step.random:
                break
            if isinstance(node.step, EXPENSIVE):
                movable.append(node)
            elif not isinstance(node.step, StreamStep):
                break
        if not movable:
            return
        size = size_here(plan, movable[-1])
        if size is not None and not fits(size):
            return
        words = " and ".join(f"`{node.step.word}`" for node in movable)
        last = movable[-1]
        edits: tuple[Edit, ...] = ()
        if is_own_line(cache.span) and is_own_line(last.span):
            line, step = line_in_block(cache.span), line_in_block(last.span)
            edits = moved(line, step, below=True)
        yield self.found(
            f"{words} below `cache`: done again in every epoch",
            last.span,
            "gives the same each time",
            labels=(Label(cache.span, "saves only what stands above"),),
            why="a cache saves the work above it, and this is below.",
            fix=Fix(f"move `cache` below line {last.span.line}", edits),
        )
