"""`empty-replica-with-batchnorm`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tfpc.diagnostics.diagnostic import Diagnostic, Label, Severity
from tfpc.plan.ir import Plan
from tfpc.rules.replicas import share_of
from tfpc.rules.rule import Rule
from tfpc.vocabulary.normalization import BatchNormalization


class EmptyReplicaWithBatchnorm(Rule):
    """A device without an example, in a model with batch normalization.

    What it finds
    A batch that leaves a replica empty, where the model has `batch_normalization`: a
    batch of b on n replicas is cut into parts of ceil(b / n), so one is empty if
    b <= (n - 1) * ceil(b / n).

    Why
    The mean of no example is no number. It goes into the running means, and with the
    next epoch all weights are lost; TensorFlow says nothing.

    Sources
    https://github.com/keras-team/keras/issues/11858
    https://github.com/tensorflow/tensorflow/issues/41657
    """

    code: ClassVar[str] = "TFP601"
    slug: ClassVar[str] = "empty-replica-with-batchnorm"
    severity: ClassVar[Severity] = Severity.ERROR
    bad: ClassVar[str] = """
pipeline images from digits {
  decode_png(channels = 1)
  resize(8, 8)
  when(train) {
    shuffle
  }
  batch(6)
}

model classifier from images {
  conv2d(8, 3)
  batch_normalization
  flatten
  dense(10)
}

strategy = mirrored(gpus = 4)
"""
    good: ClassVar[str] = """
pipeline images from digits {
  decode_png(channels = 1)
  resize(8, 8)
  when(train) {
    shuffle
  }
  batch(8)
}

model classifier from images {
  conv2d(8, 3)
  batch_normalization
  flatten
  dense(10)
}

strategy = mirrored(gpus = 4)
"""

    def check(self, plan: Plan) -> Iterator[Diagnostic]:
        """At the batch, with the strategy and the layer beside it."""
        share = share_of(plan)
        if share is None or not share.idle or plan.model is None:
            return
        for node in plan.model.nodes:
            if isinstance(node.layer, BatchNormalization):
                yield self.found(
                    f"a batch of {share.batch} leaves {share.idle} of "
                    f"{share.replicas} replicas without an example",
                    share.batch_span,
                    f"is cut into parts of {share.part}",
                    labels=(
                        Label(share.span, f"{share.replicas} replicas"),
                        Label(node.span, "takes the mean of what its replica has"),
                    ),
                    why="the mean of no example is no number, and spreads to all "
                    "weights.",
                    fix=f"use {share.nearest}",
                )
                return


def has_batch_normalization(plan: Plan) -> bool:
    """Whether the model normalizes over the batch."""
    return plan.model is not None and any(
        isinstance(node.layer, BatchNormalization) for node in plan.model.nodes
    )
