"""A chain cut into what the program writes as one function each."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from tfpc.plan.ir import Chain, Place, StepNode
from tfpc.vocabulary.stream import Batch, Cache, Prefetch, Shuffle, StreamStep


@dataclass(frozen=True, slots=True)
class Stages:
    """once: steps above the cache; each: maps on single examples, the first of which
    also reads; batched: maps on whole batches; device: steps of the training step.

    cache, batch, prefetch, shuffles: the steps on the stream, as far as there are any;
    in_memory: the source holds its examples there.
    """

    once: tuple[StepNode, ...]
    each: tuple[tuple[StepNode, ...], ...]
    batched: tuple[tuple[StepNode, ...], ...]
    device: tuple[StepNode, ...]
    cache: StepNode | None
    batch: StepNode
    prefetch: StepNode | None
    shuffles: tuple[StepNode, ...]
    in_memory: bool

    @property
    def gathers_batches(self) -> bool:
        """Whether whole batches are read at once, from what is kept in memory."""
        return (self.cache is not None or self.in_memory) and not self.each


def cut(chain: Chain) -> Stages:
    """The stages of a chain that has a batch."""
    place = next(
        (n for n, node in enumerate(chain.nodes) if isinstance(node.step, Cache)), None
    )
    once = () if place is None else chain.nodes[:place]
    live = chain.nodes if place is None else chain.nodes[place + 1 :]
    batch = chain.first(Batch)
    assert batch is not None
    host = [node for node in live if node.place is Place.HOST]
    return Stages(
        once=tuple(node for node in once if not isinstance(node.step, StreamStep)),
        each=maps([node for node in host if not node.batched]),
        batched=maps([node for node in host if node.batched]),
        device=tuple(node for node in live if node.place is Place.DEVICE),
        cache=chain.first(Cache),
        batch=batch,
        prefetch=chain.first(Prefetch),
        shuffles=tuple(node for node in live if isinstance(node.step, Shuffle)),
        in_memory=chain.in_memory,
    )


def maps(nodes: list[StepNode]) -> tuple[tuple[StepNode, ...], ...]:
    """The steps on examples among them, those of one group together."""
    steps = [node for node in nodes if not isinstance(node.step, StreamStep)]
    return tuple(tuple(group) for _, group in groupby(steps, lambda node: node.group))
