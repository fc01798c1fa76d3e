"""What a step on the stream does to the examples: kept, reordered, grouped, made ahead."""

from __future__ import annotations

from tfpc.launch.figures import counted
from tfpc.plan.ir import Chain, Plan, StepNode
from tfpc.vocabulary.source import Source
from tfpc.vocabulary.stream import RECORD_BUFFER, Batch, Cache, Prefetch, Shuffle


def effect(plan: Plan, chain: Chain, node: StepNode, count: int) -> str:
    """The effect of such a step. count: the examples of the split."""
    step = node.step
    if isinstance(step, Cache):
        kept = counted(count, "example")
        return f"keeps {kept} as they are here: the steps above run once"
    if isinstance(step, Shuffle):
        return shuffled(plan, chain, node)
    if isinstance(step, Prefetch):
        return f"makes {step.count} batches ahead, changes nothing"
    assert isinstance(step, Batch)
    return batched(count, step.size, chain)


def shuffled(plan: Plan, chain: Chain, node: StepNode) -> str:
    """The order that a shuffle gives, as the program makes it."""
    assert isinstance(node.step, Shuffle)
    if chain.mode == "eval":
        return "does nothing in evaluation, which takes every example once"
    below = chain.nodes[chain.nodes.index(node) + 1 :]
    if any(isinstance(each.step, Cache) for each in below):
        return "does nothing: `cache` below it keeps the order of the source"
    source = plan.data.splits["train"].source
    buffer = node.step.buffer
    read_in_order = isinstance(source, Source) and not source.random_access
    if read_in_order and chain.first(Cache) is None:
        mixed = f"{buffer or RECORD_BUFFER:,} examples mixed at a time"
        return f"files in a new order in every epoch, {mixed}"
    if node.batched:
        return "whole batches in a new order in every epoch"
    if buffer is None:
        return "all examples in a new order in every epoch"
    return f"in every epoch, each example at most {buffer:,} places early or late"


def batched(count: int, size: int, chain: Chain) -> str:
    """How many batches an epoch (or an evaluation) has."""
    whole, rest = divmod(count, size)
    if chain.mode == "train":
        left = f"; {counted(rest, 'example')} left out" if rest else ""
        return f"{batches(whole)} in an epoch{left}"
    left = f", {rest:,} in the last one" if rest else ""
    return f"{batches(whole + bool(rest))} in an evaluation{left}"


def batches(count: int) -> str:
    """`1 batch`, `2 batches`."""
    return f"{count:,} batch{'' if count == 1 else 'es'}"
