"""`augment-after-cache`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tfpc.diagnostics.diagnostic import Diagnostic, Severity
from tfpc.plan.ir import Plan
from tfpc.rules.rule import Rule
from tfpc.vocabulary.stream import Cache


class AugmentAfterCache(Rule):
    """A random step below a cache, which is drawn anew in every epoch.

    What it finds
    A step that draws below a `cache`. This is only a note: the order is the right one.

    Why
    "Augmenting after cache" is often asked about, and there are three cases:

    1. A random step *above* a cache runs once, and its result is stored. Every epoch
       replays the pictures of the first. This is the error `cache-after-random`.
    2. A random step *below* a cache is redrawn in every epoch. This is the order that
       TensorFlow's guide gives, and what this note says. It would be frozen after all
       only if another cache stood below it (case 1 again), or if its random operations
       had a fixed seed, with which tf.data begins anew in every epoch. The steps of
       tfpc draw from (seed, epoch, example), so that does not happen to them.
    3. Expensive work that is *not* random, below a cache, is done again in every epoch
       for nothing. This is the warning `expensive-after-cache`.

    A project that wants nothing random below a cache makes an error of this note:
    `tfpc lint --severity augment-after-cache=error`.

    Sources
    https://www.tensorflow.org/guide/data_performance#caching
    https://www.tensorflow.org/tutorials/images/data_augmentation
    """

    code: ClassVar[str] = "TFP302"
    slug: ClassVar[str] = "augment-after-cache"
    severity: ClassVar[Severity] = Severity.NOTE
    bad: ClassVar[str] = """
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
        """One note for each random step below the cache of the training chain."""
        chain = plan.chains["train"]
        cache = chain.first(Cache)
        if cache is None:
            return
        for node in chain.nodes[chain.nodes.index(cache) :]:
            if node.step.random:
                yield self.found(
                    f"`{node.step.word}` stands below `cache`, so it is redrawn in "
                    "every epoch",
                    node.span,
                )
