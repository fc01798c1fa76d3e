"""`unknown-monitor`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tfpc.diagnostics.diagnostic import Diagnostic, Severity
from tfpc.diagnostics.suggestion import did_you_mean
from tfpc.plan.ir import Plan
from tfpc.rules.monitors import measured, watched
from tfpc.rules.rule import Rule

# What Keras calls the splits.
PREFIXES = {"val_": "validation.", "val.": "validation.", "eval.": "validation."}


class UnknownMonitor(Rule):
    """A monitor that watches a metric nobody measures.

    What it finds
    A `checkpoint` or `stop_early` whose metric is not `train.` or `validation.` with
    the loss or one of `metrics`.

    Why
    A monitor without its metric never acts: no best weights, no early stop.

    Sources
    https://github.com/keras-team/keras/issues/13689
    """

    code: ClassVar[str] = "TFP501"
    slug: ClassVar[str] = "unknown-monitor"
    severity: ClassVar[Severity] = Severity.ERROR
    bad: ClassVar[str] = """
observe {
  stop_early(val_acc, patience = 3epochs)
}
"""
    good: ClassVar[str] = """
observe {
  stop_early(validation.accuracy, patience = 3epochs)
}
"""

    def check(self, plan: Plan) -> Iterator[Diagnostic]:
        """At the metric."""
        if plan.train is None:
            return
        known = measured(plan, ("train", "validation"))
        for metric, span in watched(plan):
            if metric not in known:
                yield self.found(
                    f"`{metric}` is not measured",
                    span,
                    f"measured are {', '.join(f'`{name}`' for name in known)}",
                    why="a monitor without its metric never acts.",
                    fix=nearest(metric, known),
                )


def nearest(metric: str, known: list[str]) -> str:
    """What was most likely meant."""
    for prefix, split in PREFIXES.items():
        if metric.startswith(prefix):
            metric = split + metric.removeprefix(prefix)
            break
    if metric in known:
        return f"did you mean `{metric}`?"
    split, dot, word = metric.rpartition(".")
    names = list(dict.fromkeys(name.partition(".")[2] for name in known))
    if word in names:
        return f"did you mean `validation.{word}`?"
    from tfpc.diagnostics.suggestion import nearest as near

    close = near(word, names)
    if close:
        return f"did you mean `{split if dot else 'validation'}.{close[0]}`?"
    return did_you_mean(metric, known) or "add the metric to `metrics` of `train`"
