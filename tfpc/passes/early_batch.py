"""`batch` moves up, so that steps run once for a batch, not once an example. Exact.

Only above steps that do the same to each example of a batch as to one alone, and only
where all examples have one shape. What comes from memory is then gathered in batches.
"""

from __future__ import annotations

from dataclasses import replace

from tfpc.plan.ir import Chain, Change, Plan
from tfpc.plan.rewrite import rewritten
from tfpc.vocabulary.stream import Batch, StreamStep


def early_batch(plan: Plan) -> Plan:
    """Moves `batch` in both chains as far up as it may go."""
    chains = {mode: risen(chain) for mode, chain in plan.chains.items()}
    passed = {
        node.step.word
        for mode, chain in chains.items()
        for node in chain.nodes
        if node.batched
        and not isinstance(node.step, StreamStep)
        and any(
            node.step is old.step and not old.batched for old in plan.chains[mode].nodes
        )
    }
    if not passed:
        return plan
    listed = ", ".join(f"`{word}`" for word in sorted(passed))
    change = Change(
        "early_batch",
        f"`batch` moves above {listed}",
        "they run once for a batch instead of once an example",
    )
    return replace(plan, chains=chains, changes=(*plan.changes, change))


def risen(chain: Chain) -> Chain:
    """The chain with its batch as early as it may come."""
    nodes = list(chain.nodes)
    place = next(
        (n for n, node in enumerate(nodes) if isinstance(node.step, Batch)), None
    )
    if place is None:
        return chain
    while (
        place and nodes[place - 1].step.batchable and nodes[place - 1].before.is_static
    ):
        nodes[place], nodes[place - 1] = nodes[place - 1], nodes[place]
        place -= 1
    return rewritten(chain, nodes)
