"""The passes in the order in which they run."""

from __future__ import annotations

from collections.abc import Callable

from tfpc.passes.decode_and_crop import decode_and_crop
from tfpc.passes.early_batch import early_batch
from tfpc.passes.early_shuffle import early_shuffle
from tfpc.passes.fused_maps import fused_maps
from tfpc.passes.late_floats import late_floats
from tfpc.passes.on_device import on_device
from tfpc.passes.parallel_maps import parallel_maps
from tfpc.passes.prefetched import prefetched
from tfpc.plan.ir import Plan

Pass = Callable[[Plan], Plan]

PASSES: tuple[Pass, ...] = (
    early_shuffle,
    late_floats,
    early_batch,
    decode_and_crop,
    on_device,
    fused_maps,
    parallel_maps,
    prefetched,
)


def optimize(plan: Plan, passes: tuple[Pass, ...] = PASSES) -> Plan:
    """The plan after all passes."""
    for rewrite in passes:
        plan = rewrite(plan)
    return plan
