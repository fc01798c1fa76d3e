"""Finished batches are made ahead of the step that takes them. Exact."""

from __future__ import annotations

from dataclasses import replace

from tfpc.plan.ir import Chain, Change, Plan, StepNode
from tfpc.vocabulary.stream import Prefetch


def prefetched(plan: Plan) -> Plan:
    """Ends both chains in a prefetch whose size TensorFlow chooses."""
    if all(chain.first(Prefetch) for chain in plan.chains.values()):
        return plan
    chains = {mode: fetched_ahead(plan, chain) for mode, chain in plan.chains.items()}
    change = Change(
        "prefetched",
        "a `prefetch` comes at the end",
        "the next batches are made while the device works on this one",
    )
    return replace(plan, chains=chains, changes=(*plan.changes, change))


def fetched_ahead(plan: Plan, chain: Chain) -> Chain:
    """The chain with a prefetch at its end."""
    if chain.first(Prefetch):
        return chain
    node = StepNode(
        step=Prefetch(count=None),
        span=plan.pipeline_span,
        target=None,
        before=chain.result,
        after=chain.result,
        facts=chain.facts,
    )
    return replace(chain, nodes=(*chain.nodes, node))
