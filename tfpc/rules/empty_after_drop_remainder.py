"""`empty-after-drop-remainder`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar

from tfpc.diagnostics.diagnostic import Diagnostic, Edit, Fix, Label, Severity
from tfpc.plan.ir import Plan
from tfpc.rules.rule import Rule
from tfpc.vocabulary.stream import Batch


class EmptyAfterDropRemainder(Rule):
    """A batch that is larger than the training data.

    What it finds
    A training split with fewer examples than one batch holds.

    Why
    Training takes whole batches only (an incomplete one would change the shapes and
    the weight of its examples), so an epoch would have no step at all.

    Sources
    https://github.com/tensorflow/tensorflow/issues/39465
    """

    code: ClassVar[str] = "TFP352"
    slug: ClassVar[str] = "empty-after-drop-remainder"
    severity: ClassVar[Severity] = Severity.ERROR
    # Records are counted by the program, so these need a folder of pictures to show.
    bad: ClassVar[str] = """
data digits {
  train = image_folder("ten_pictures")
}

pipeline images from digits {
  decode_png(channels = 1)
  resize(8, 8)
  when(train) {
    shuffle
  }
  batch(32)
}

model classifier from images {
  flatten
  dense(digits.classes)
}
"""
    good: ClassVar[str] = """
data digits {
  train = image_folder("ten_pictures")
}

pipeline images from digits {
  decode_png(channels = 1)
  resize(8, 8)
  when(train) {
    shuffle
  }
  batch(5)
}

model classifier from images {
  flatten
  dense(digits.classes)
}
"""

    def check(self, plan: Plan) -> Iterator[Diagnostic]:
        """At the batch of the training chain."""
        batch = plan.chains["train"].first(Batch)
        train = plan.data.splits["train"]
        if batch is None or train.facts.count is None:
            return
        assert isinstance(batch.step, Batch)
        if train.facts.count >= batch.step.size:
            return
        right = f"batch({train.facts.count})"
        is_plain = re.fullmatch(r"batch\(\s*[\d_]+\s*\)", batch.span.text)
        edits = (Edit(batch.span, right),) if is_plain and train.facts.count else ()
        yield self.found(
            f"a batch of {batch.step.size:,} is larger than the training data",
            batch.span,
            "no epoch would have a single step",
            labels=(Label(train.span, f"{train.facts.count:,} examples to train on"),),
            why="training takes whole batches only.",
            fix=Fix(f"use at most `{right}`", edits),
        )
