"""What stands above the rows of a batch: which batch of which split it is."""

from __future__ import annotations

from tfpc.launch.events import Event
from tfpc.launch.figures import counted
from tfpc.plan.ir import Mode, Plan
from tfpc.vocabulary.stream import Batch

SHOWN_INDICES = 5


def heading(plan: Plan, peeked: Event) -> str:
    """`train: the first batch of epoch 1, 32 of 1,438 examples: 208, 126, ...`."""
    mode: Mode = "train" if peeked["mode"] == "train" else "eval"
    indices = peeked["examples"]
    size = f"{len(indices):,} of {counted(peeked['count'], 'example')}"
    first = ", ".join(map(str, indices[:SHOWN_INDICES]))
    rest = ", ..." if len(indices) > SHOWN_INDICES else ""
    which = "train: the first batch of epoch 1"
    if mode == "eval":
        which = f"eval: the first batch of {peeked['split']}"
    if plan.chains[mode].first(Batch) is None:
        which = which.replace("batch", "examples") + " (no `batch` yet)"
    return f"{which}, {size}: {first}{rest}"
