"""`shuffle-buffer-bytes`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from tfpc.diagnostics.diagnostic import Diagnostic, Edit, Fix, Label, Severity
from tfpc.plan.ir import Chain, Plan, StepNode
from tfpc.rules.footprint import amount, memory_here, record_size
from tfpc.rules.rule import Rule
from tfpc.vocabulary.stream import RECORD_BUFFER, Cache, Shuffle

ROOM = 0.5


class ShuffleBufferBytes(Rule):
    """A shuffle buffer of more bytes than there is memory.

    What it finds
    A `shuffle` of records whose buffers take more than this machine's memory; a
    warning from half of it on. Records are held as they are in their files, still
    encoded, wherever `shuffle` stands: the compiler moves it to the source. Two buffers
    are in memory at a time. Folders of files, and what is cached, are shuffled by
    number, so that `shuffle` takes no memory there.

    It is judged where lint runs, by the first record, or else by the schema.

    Why
    The buffer is filled before the first step: training begins late, and where there is
    no room for it the system ends the process.

    Sources
    https://www.tensorflow.org/guide/data_performance#reducing_memory_footprint
    https://github.com/tensorflow/tensorflow/issues/32376
    https://github.com/tensorflow/models/issues/7725
    """

    code: ClassVar[str] = "TFP310"
    slug: ClassVar[str] = "shuffle-buffer-bytes"
    severity: ClassVar[Severity] = Severity.ERROR
    of_machine: ClassVar[bool] = True
    bad: ClassVar[str] = """
data digits {
  train = tfrecord("train-*.tfrecord")
  schema {
    image = float32[512, 512, 3]
    label = int64(classes = 10)
  }
}

pipeline images from digits {
  when(train) {
    shuffle(buffer = 50_000)
  }
  batch(32)
}
"""
    good: ClassVar[str] = """
data digits {
  train = tfrecord("train-*.tfrecord")
  schema {
    image = float32[512, 512, 3]
    label = int64(classes = 10)
  }
}

pipeline images from digits {
  when(train) {
    shuffle(buffer = 500)
  }
  batch(32)
}
"""

    def check(self, plan: Plan) -> Iterator[Diagnostic]:
        """At the shuffle of the training chain."""
        train, memory = plan.data.splits["train"], memory_here()
        node, size = held(plan.chains["train"]), record_size(train)
        if node is None or size is None or memory is None:
            return
        assert isinstance(node.step, Shuffle)
        count = node.step.buffer or RECORD_BUFFER
        taken = 2 * count * size
        if train.facts.file_bytes is not None:
            taken = min(taken, 2 * train.facts.file_bytes)
        if taken <= ROOM * memory:
            return
        problem = self.found(
            f"the buffers of `shuffle` take {amount(taken)}, "
            f"this machine has {amount(memory)}",
            node.span,
            f"holds 2 x {count:,} records",
            labels=(Label(train.span, f"{amount(size)} a record"),),
            why="the records of a file can't be read in any order, so they are mixed "
            "in memory.",
            fix=smaller(node, int(ROOM * memory / (2 * size)), batch_of(plan)),
        )
        if taken <= memory:
            share = f"{taken / memory:.0%} of the memory of this machine"
            said = f"the buffers of `shuffle` take {amount(taken)}, {share}"
            problem = replace(problem, severity=Severity.WARNING, headline=said)
        yield problem


def smaller(node: StepNode, enough: int, batch: int) -> Fix:
    """A buffer of that many records at most, if that mixes ten batches."""
    if enough < max(10 * batch, 2):
        return Fix("keep records small: encoded pictures, or numbers of fewer bytes")
    text = f"shuffle(buffer = {int(str(enough)[0]) * 10 ** (len(str(enough)) - 1):_})"
    return Fix(f"write `{text}`", (Edit(node.span, text),))


def batch_of(plan: Plan) -> int:
    """The size of a batch; 0 without one."""
    return plan.chains["train"].facts.batch or 0


def held(chain: Chain) -> StepNode | None:
    """The shuffle that holds records: the last of the chain, without a cache."""
    found = [node for node in chain.nodes if isinstance(node.step, Shuffle)]
    single = [node for node in found if not node.batched]
    if not found or chain.first(Cache) is not None:
        return None
    return (single or found)[-1]
