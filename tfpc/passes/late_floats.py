"""`normalize` moves down, so that bytes stay bytes for as long as possible. Exact.

It works on each value for itself, so it may change places with whatever only moves
values (flips, windows) and with what acts on the stream. A cache above it then holds a
quarter of the bytes, and a shuffle or a copy moves a quarter.
"""

from __future__ import annotations

from dataclasses import replace

from tfpc.plan.ir import Chain, Change, Plan, StepNode
from tfpc.plan.rewrite import rewritten
from tfpc.vocabulary.stream import Prefetch, StreamStep


def late_floats(plan: Plan) -> Plan:
    """Moves every such step as far down as it may go."""
    chains = {mode: sunk(chain) for mode, chain in plan.chains.items()}
    moved = {
        node.step.word
        for mode, chain in chains.items()
        for node, old in zip(chain.nodes, plan.chains[mode].nodes, strict=True)
        if node.step.makes_float and node.step is not old.step
    }
    changes = tuple(
        Change(
            "late_floats",
            f"`{word}` moves to the end of the pipeline",
            "whole numbers stay one byte each until then",
        )
        for word in sorted(moved)
    )
    return replace(plan, chains=chains, changes=plan.changes + changes)


def sunk(chain: Chain) -> Chain:
    """The chain with its float-making steps as late as they may come."""
    nodes = list(chain.nodes)
    for start in reversed(range(len(nodes))):
        place = start
        if not nodes[place].step.makes_float or not is_integer(nodes[place]):
            continue
        while place + 1 < len(nodes) and may_swap(nodes[place], nodes[place + 1]):
            nodes[place], nodes[place + 1] = nodes[place + 1], nodes[place]
            place += 1
    return rewritten(chain, nodes)


def is_integer(node: StepNode) -> bool:
    """Whether the step makes floats of whole numbers, and so of few bytes many."""
    return node.target is not None and node.before[node.target].is_integer


def may_swap(node: StepNode, below: StepNode) -> bool:
    """Whether the two give the same in either order, bit for bit."""
    if isinstance(below.step, StreamStep):
        return not isinstance(below.step, Prefetch)
    return below.target != node.target or below.step.moves_values
