"""Types and facts of a chain anew, after a pass has moved or replaced its steps."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tfpc.plan.ir import Chain, StepNode
from tfpc.plan.lower_pipeline import facts_after
from tfpc.types.element import Element
from tfpc.types.facts import Facts


def rewritten(chain: Chain, nodes: Iterable[StepNode]) -> Chain:
    """The chain with these nodes in this order, each with its new types and facts.

    Streams stay with their steps, so that a step that moves draws what it drew.
    """
    element = chain.source
    facts = Facts(count=chain.nodes[0].facts.count if chain.nodes else None)
    result: list[StepNode] = []
    for node in nodes:
        after = (
            node.step.transfer(element)
            if node.target is None
            else node.step.transfer_at(element, node.target)
        )
        if node.gives:
            assert isinstance(after, Element)
            given = {name: node.after[name] for name in node.gives}
            after = Element(tuple((dict(after.components) | given).items()))
        assert isinstance(after, Element), (
            f"{node.step.word} was moved where it can't be"
        )
        batched = facts.batch is not None
        facts = facts_after(node.step, facts, random=node.seeded)
        result.append(
            replace(node, before=element, after=after, facts=facts, batched=batched)
        )
        element = after
    return replace(chain, nodes=tuple(result))
