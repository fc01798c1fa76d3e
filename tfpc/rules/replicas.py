"""How a batch is divided among replicas, for the rules that look at it."""

from __future__ import annotations

from dataclasses import dataclass

from tfpc.diagnostics.span import Span
from tfpc.plan.ir import Plan
from tfpc.vocabulary.stream import Batch


@dataclass(frozen=True, slots=True)
class Share:
    """A batch on several replicas. batch_span: that of `batch`; span: the strategy."""

    batch: int
    replicas: int
    batch_span: Span
    span: Span

    @property
    def part(self) -> int:
        """What a replica gets; the last ones may get less.

        As tf.data rebatches for tf.distribute: parts of ceil(batch / replicas).
        """
        return -(-self.batch // self.replicas)

    @property
    def idle(self) -> int:
        """How many replicas get nothing."""
        return self.replicas - -(-self.batch // self.part)

    @property
    def nearest(self) -> str:
        """Batches that divide, as a fix names them."""
        below = self.batch // self.replicas * self.replicas
        sizes = [size for size in (below, below + self.replicas) if size]
        return " or ".join(f"`batch({size:_})`" for size in sizes)


def share_of(plan: Plan) -> Share | None:
    """How the training batch is divided; None if one device takes it, or if the number
    is decided only when the program starts.
    """
    replicas = plan.settings.strategy.replicas
    batch = plan.chains["train"].first(Batch)
    span = plan.settings.strategy_span
    if replicas is None or replicas < 2 or batch is None or span is None:
        return None
    assert isinstance(batch.step, Batch)
    return Share(batch.step.size, replicas, batch.span, span)
