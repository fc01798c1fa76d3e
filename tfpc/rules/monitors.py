"""The metrics that monitors watch, and where they are named."""

from __future__ import annotations

from collections.abc import Iterator

from tfpc.diagnostics.span import Span
from tfpc.plan.ir import Plan
from tfpc.vocabulary.monitor import Checkpoint, StopEarly


def watched(plan: Plan) -> Iterator[tuple[str, Span]]:
    """(metric, place) of each monitor that watches one."""
    for placed in plan.monitors:
        monitor = placed.monitor
        if isinstance(monitor, Checkpoint | StopEarly) and monitor.monitor is not None:
            yield monitor.monitor, placed.argument_spans.get("monitor", placed.span)


def measured(plan: Plan, splits: tuple[str, ...]) -> list[str]:
    """The metrics of these splits, as in `validation.loss`."""
    names = plan.train.names if plan.train is not None else ()
    return [f"{split}.{name}" for split in splits for name in names]
