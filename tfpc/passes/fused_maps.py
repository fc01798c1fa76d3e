"""Steps that follow each other run in one map, not in one each. Exact.

Each map of its own costs a hand-over of every element between threads.
"""

from __future__ import annotations

from dataclasses import replace

from tfpc.plan.ir import Chain, Change, Place, Plan, StepNode
from tfpc.vocabulary.stream import StreamStep


def fused_maps(plan: Plan) -> Plan:
    """Puts neighbours into one group."""
    chains = {mode: grouped(chain) for mode, chain in plan.chains.items()}
    before = max(maps(chain) for chain in plan.chains.values())
    after = max(maps(chain) for chain in chains.values())
    if after == before:
        return replace(plan, chains=chains)
    change = Change(
        "fused_maps",
        f"{before} maps become {after}",
        "an element changes threads once instead of at every step",
    )
    return replace(plan, chains=chains, changes=(*plan.changes, change))


def grouped(chain: Chain) -> Chain:
    """The chain with neighbours in the same group."""
    nodes: list[StepNode] = []
    group = 0
    for node in chain.nodes:
        if isinstance(node.step, StreamStep):
            group += 1
        nodes.append(replace(node, group=group))
    return replace(chain, nodes=tuple(nodes))


def maps(chain: Chain) -> int:
    """How many maps the chain runs on the host."""
    return len(
        {
            node.group
            for node in chain.nodes
            if not isinstance(node.step, StreamStep) and node.place is Place.HOST
        }
    )
