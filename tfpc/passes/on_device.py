"""The last float-making steps run on the device, within the training step. Exact.

So whole numbers, a quarter of the bytes, are what is fetched ahead and copied.
"""

from __future__ import annotations

from dataclasses import replace

from tfpc.plan.ir import Chain, Change, Place, Plan, StepNode
from tfpc.vocabulary.stream import Prefetch


def on_device(plan: Plan) -> Plan:
    """Gives the last steps of both chains to the device."""
    chains = {mode: handed_over(chain) for mode, chain in plan.chains.items()}
    words = {
        node.step.word
        for chain in chains.values()
        for node in chain.nodes
        if node.place is Place.DEVICE
    }
    if not words:
        return plan
    change = Change(
        "on_device",
        f"{', '.join(f'`{word}`' for word in sorted(words))} runs on the device",
        "batches are fetched ahead and copied as whole numbers, one byte a value",
    )
    return replace(plan, chains=chains, changes=(*plan.changes, change))


def handed_over(chain: Chain) -> Chain:
    """The chain whose trailing float-making steps run on the device."""
    nodes: list[StepNode] = []
    trailing = True
    for node in reversed(chain.nodes):
        if not isinstance(node.step, Prefetch):
            trailing = trailing and node.step.makes_float and node.batched
        on_host = isinstance(node.step, Prefetch) or not trailing
        nodes.append(node if on_host else replace(node, place=Place.DEVICE))
    return replace(chain, nodes=tuple(reversed(nodes)))
