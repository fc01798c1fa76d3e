"""`cache-after-random`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tfpc.diagnostics.diagnostic import Diagnostic, Fix, Label, Severity
from tfpc.diagnostics.span import Span
from tfpc.plan.ir import Plan
from tfpc.rules.chains import frozen
from tfpc.rules.lines import is_own_line, line_in_block, moved
from tfpc.rules.rule import Rule


class CacheAfterRandom(Rule):
    """A cache below a random step freezes it.

    What it finds
    A step that draws (`random_crop`, `random_flip`) above a `cache`.

    Why
    What stands above a cache runs in the first epoch only. Each picture keeps the one
    crop and flip that it got then, and every later epoch replays it: training looks
    normal, and the diversity that the augmentation was for is gone. A random step
    *below* the cache is drawn anew in every epoch.

    Sources
    https://www.tensorflow.org/guide/data_performance#caching
    https://github.com/tensorflow/tensorflow/issues/47755 (a tutorial that did this)
    """

    code: ClassVar[str] = "TFP301"
    slug: ClassVar[str] = "cache-after-random"
    severity: ClassVar[Severity] = Severity.ERROR
    bad: ClassVar[str] = """
pipeline images from digits {
  decode_png(channels = 1)
  resize(8, 8)
  when(train) {
    random_flip(horizontal)
  }
  cache(memory)
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
    random_flip(horizontal)
  }
  batch(32)
}
"""

    def check(self, plan: Plan) -> Iterator[Diagnostic]:
        """One message a cache, with a label at every random step above it."""
        seen = list(frozen(plan.chains["train"]))
        seen = seen or list(frozen(plan.chains["eval"]))
        if not seen:
            return
        cache = seen[0][1]
        labels = tuple(
            Label(node.span, "random: meant to differ from epoch to epoch")
            for node, _ in seen
        )
        first = seen[0][0]
        yield self.found(
            "`cache` below a random step freezes it",
            cache.span,
            "keeps the first epoch's examples and replays them",
            labels=labels,
            why="steps above `cache` run in the first epoch only, so each example "
            "keeps the one draw that it got then.",
            fix=above(cache.span, first.span),
        )


def above(cache: Span, random: Span) -> Fix:
    """The cache above the first random step; the order of all other steps stays."""
    line = line_in_block(random)
    edits = moved(line_in_block(cache), line) if is_own_line(cache) else ()
    place = random if line is None else line.span
    text = f"move `{cache.text}` above line {place.line}"
    return Fix(text, edits, safe=bool(edits))
