"""`shuffle-buffer-too-small`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tfpc.diagnostics.diagnostic import Diagnostic, Edit, Fix, Label, Severity
from tfpc.plan.ir import Plan
from tfpc.rules.rule import Rule
from tfpc.vocabulary.stream import Batch, Shuffle

BATCHES = 10


class ShuffleBufferTooSmall(Rule):
    """A shuffle buffer that hardly mixes.

    What it finds
    A `shuffle(buffer = n)` smaller than ten batches, or than a tenth of the examples
    where their number is known and `shuffle` alone would mix them all at no cost.

    Why
    No example comes more than `buffer` places early or late. In a folder that is
    sorted by class, batches then are of one class for most of the epoch.

    Sources
    https://www.tensorflow.org/api_docs/python/tf/data/Dataset#shuffle
    https://github.com/tensorflow/tensorflow/issues/36626
    """

    code: ClassVar[str] = "TFP308"
    slug: ClassVar[str] = "shuffle-buffer-too-small"
    severity: ClassVar[Severity] = Severity.WARNING
    bad: ClassVar[str] = """
pipeline images from digits {
  decode_png(channels = 1)
  resize(8, 8)
  when(train) {
    shuffle(buffer = 16)
  }
  batch(32)
}
"""
    good: ClassVar[str] = """
pipeline images from digits {
  decode_png(channels = 1)
  resize(8, 8)
  when(train) {
    shuffle(buffer = 4_096)
  }
  batch(32)
}
"""

    def check(self, plan: Plan) -> Iterator[Diagnostic]:
        """At the shuffle of the training chain."""
        chain = plan.chains["train"]
        shuffle, batch = chain.first(Shuffle), chain.first(Batch)
        if shuffle is None or batch is None or shuffle.batched:
            return
        assert isinstance(shuffle.step, Shuffle)
        assert isinstance(batch.step, Batch)
        buffer, size, count = shuffle.step.buffer, batch.step.size, shuffle.facts.count
        if buffer is None or (count is not None and buffer >= count):
            return
        if buffer < size:
            why = "a buffer smaller than a batch leaves each batch made of neighbours."
        elif buffer < BATCHES * size:
            why = f"the buffer holds fewer than {BATCHES} batches of {size}."
        elif count is not None and buffer * 10 < count:
            why = f"the buffer holds {buffer / count:.1%} of {count:,} examples."
        else:
            return
        fix = "write `shuffle` alone, which mixes as well as the source allows"
        yield self.found(
            f"a shuffle buffer of {buffer:,} hardly mixes",
            shuffle.span,
            f"no example moves more than {buffer:,} places",
            labels=(Label(batch.span, f"{size:,} at a time"),),
            why=why,
            fix=Fix(fix, (Edit(shuffle.span, "shuffle"),)),
        )
