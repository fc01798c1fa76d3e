"""`cache-larger-than-ram`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from tfpc.diagnostics.diagnostic import Diagnostic, Edit, Fix, Label, Severity
from tfpc.plan.ir import Plan
from tfpc.rules.footprint import ROOM, amount, fits, kept, memory_here
from tfpc.rules.lines import is_own_line, left_out, line_in_block
from tfpc.rules.rule import Rule
from tfpc.vocabulary.stream import Cache


class CacheLargerThanRam(Rule):
    """A cache that needs more memory than there is.

    What it finds
    A `cache(memory)` that would keep more than this machine's memory, or than the limit
    of its container or job; a warning from 70 % of it on. The size is that of the
    examples as they are kept (after what the compiler moves), of all splits that are.

    It is judged where lint runs. If the spec is to run on another machine, say so there:
    `# allow(cache-larger-than-ram): runs on machines with 512 GiB`.

    Why
    All examples are read before the first step. Where they don't fit the system ends
    the process, late, and often without any message.

    Sources
    https://www.tensorflow.org/guide/data_performance#caching
    https://github.com/tensorflow/tensorflow/issues/27128
    """

    code: ClassVar[str] = "TFP309"
    slug: ClassVar[str] = "cache-larger-than-ram"
    severity: ClassVar[Severity] = Severity.ERROR
    of_machine: ClassVar[bool] = True
    bad: ClassVar[str] = """
data digits {
  train = image_folder("ten_pictures")
}

pipeline images from digits {
  decode_png(channels = 3)
  resize(20_000, 30_000)
  cache(memory)
  when(train) {
    shuffle
    random_crop(64, 64)
  }
  when(eval) {
    center_crop(64, 64)
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
  decode_png(channels = 3)
  resize(64, 64)
  cache(memory)
  when(train) {
    shuffle
  }
  batch(2)
}

model classifier from images {
  flatten
  dense(2)
}
"""

    def check(self, plan: Plan) -> Iterator[Diagnostic]:
        """At the cache."""
        found, memory = kept(plan), memory_here()
        if found is None or memory is None or fits(found.bytes):
            return
        node = plan.chains["train"].first(Cache)
        assert node is not None
        line = line_in_block(node.span)
        edits: tuple[Edit, ...] = ()
        if line is not None and is_own_line(node.span):
            edits = left_out(line)
        changed = [
            step
            for step in plan.chains["train"].nodes
            if step.before != step.after and step.span.start < node.span.start
        ]
        labels = (
            [Label(changed[-1].span, f"gives {changed[-1].after}")] if changed else []
        )
        problem = self.found(
            f"`cache` keeps {amount(found.bytes)}, this machine has {amount(memory)}",
            node.span,
            f"{found.count:,} examples of {amount(found.each)}",
            labels=labels,
            why="all examples are kept in memory from the first step on; without room "
            "for them the system ends the process.",
            fix=Fix("leave `cache` out, or make examples smaller above it", edits),
        )
        if found.bytes <= memory:
            share = f"{found.bytes / memory:.0%} of the memory of this machine"
            problem = replace(
                problem,
                severity=Severity.WARNING,
                headline=f"`cache` keeps {amount(found.bytes)}, {share}",
                why=f"above {ROOM:.0%} little is left for TensorFlow and its buffers.",
            )
        yield problem
