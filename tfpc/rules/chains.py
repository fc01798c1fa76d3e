"""What several rules ask of a chain."""

from __future__ import annotations

from collections.abc import Iterator

from tfpc.plan.ir import Chain, Plan, StepNode
from tfpc.vocabulary.stream import Cache, Shuffle


def frozen(chain: Chain) -> Iterator[tuple[StepNode, StepNode]]:
    """(random step, cache) for each random step that stands above a cache."""
    cache = chain.first(Cache)
    if cache is not None:
        for node in chain.nodes[: chain.nodes.index(cache)]:
            if node.step.random:
                yield node, cache


def shuffled_before_cache(chain: Chain) -> tuple[StepNode, StepNode] | None:
    """(shuffle, cache) if a shuffle stands above a cache and none below it."""
    cache = chain.first(Cache)
    if cache is None:
        return None
    place = chain.nodes.index(cache)
    above = [node for node in chain.nodes[:place] if isinstance(node.step, Shuffle)]
    below = [node for node in chain.nodes[place:] if isinstance(node.step, Shuffle)]
    return (above[-1], cache) if above and not below else None


def evaluates(plan: Plan) -> bool:
    """Whether the spec has a split besides train."""
    return len(plan.data.splits) > 1
