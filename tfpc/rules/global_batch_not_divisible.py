"""`global-batch-not-divisible`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from tfpc.diagnostics.diagnostic import Diagnostic, Label, Severity
from tfpc.plan.ir import Plan
from tfpc.rules.empty_replica_with_batchnorm import has_batch_normalization
from tfpc.rules.replicas import share_of
from tfpc.rules.rule import Rule


class GlobalBatchNotDivisible(Rule):
    """A batch that does not divide among the devices.

    What it finds
    A `batch` that is no multiple of the number of replicas; an error where one of them
    gets no example at all.

    Why
    A batch of b on n replicas is cut into parts of ceil(b / n), so the last replica
    does less in every step, and the others wait for it. Of a batch of 6 on 4 replicas
    the parts are 2, 2 and 2: the fourth device never works.

    Sources
    https://www.tensorflow.org/tutorials/distribute/input
    https://github.com/keras-team/keras/issues/19246
    """

    code: ClassVar[str] = "TFP602"
    slug: ClassVar[str] = "global-batch-not-divisible"
    severity: ClassVar[Severity] = Severity.WARNING
    bad: ClassVar[str] = """
pipeline images from digits {
  decode_png(channels = 1)
  resize(8, 8)
  when(train) {
    shuffle
  }
  batch(30)
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
  batch(32)
}

strategy = mirrored(gpus = 4)
"""

    def check(self, plan: Plan) -> Iterator[Diagnostic]:
        """At the batch, with the strategy beside it."""
        share = share_of(plan)
        if share is None or share.batch % share.replicas == 0:
            return
        if share.idle and has_batch_normalization(plan):
            return  # a rule of its own
        parts = share.replicas - share.idle
        last = share.batch - (parts - 1) * share.part
        why = (
            f"each batch is cut into parts of {share.part}, and the last of {last}, so "
            "one replica does less in every step and the others wait for it."
        )
        if share.idle:
            why = (
                f"each batch is cut into {parts} parts of at most {share.part}, so "
                f"{share.idle} of {share.replicas} devices never work."
            )
        found = self.found(
            f"a batch of {share.batch} does not divide among {share.replicas} replicas",
            share.batch_span,
            "the batch of all replicas together",
            labels=(Label(share.span, f"{share.replicas} replicas"),),
            why=why,
            fix=f"use {share.nearest}",
        )
        yield replace(found, severity=Severity.ERROR) if share.idle else found
