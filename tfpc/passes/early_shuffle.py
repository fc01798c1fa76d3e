"""`shuffle` moves up, to the cache or the source. Exact.

It puts keys into a new order, not examples, and no step looks at its neighbours. So the
steps around it can become one map, and a buffer of records holds them still encoded.
"""

from __future__ import annotations

from dataclasses import replace

from tfpc.plan.ir import Chain, Change, Plan
from tfpc.plan.rewrite import rewritten
from tfpc.vocabulary.stream import Shuffle, StreamStep


def early_shuffle(plan: Plan) -> Plan:
    """Moves `shuffle` in both chains as far up as it may go."""
    chains = {mode: risen(chain) for mode, chain in plan.chains.items()}
    passed = {
        old.step.word
        for mode, chain in chains.items()
        for node, old in zip(chain.nodes, plan.chains[mode].nodes, strict=True)
        if isinstance(node.step, Shuffle) and node.step is not old.step
    }
    if not passed:
        return plan
    listed = ", ".join(f"`{word}`" for word in sorted(passed))
    change = Change(
        "early_shuffle",
        f"`shuffle` moves above {listed}",
        "it orders keys, so it needs no decoded examples in a buffer",
    )
    return replace(plan, chains=chains, changes=(*plan.changes, change))


def risen(chain: Chain) -> Chain:
    """The chain with its shuffles of examples as early as they may come."""
    nodes = list(chain.nodes)
    for start, node in enumerate(chain.nodes):
        place = start
        if not isinstance(node.step, Shuffle) or node.batched:
            continue
        while place and not isinstance(nodes[place - 1].step, StreamStep):
            nodes[place - 1], nodes[place] = nodes[place], nodes[place - 1]
            place -= 1
    return rewritten(chain, nodes)
