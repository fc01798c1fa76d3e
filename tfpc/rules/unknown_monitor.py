"""`unknown-monitor`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tfpc.diagnostics.diagnostic import Diagnostic, Edit, Fix, Severity
from tfpc.diagnostics.span import Span
from tfpc.diagnostics.suggestion import did_you_mean, nearest
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
                    fix=meant(metric, span, known),
                )


def meant(metric: str, span: Span, known: list[str]) -> Fix:
    """What was most likely meant; that is certain where only Keras's prefix differs."""
    name = metric
    for prefix, split in PREFIXES.items():
        if metric.startswith(prefix):
            name = split + metric.removeprefix(prefix)
            break
    if name in known:
        return Fix(f"did you mean `{name}`?", (Edit(span, name),), safe=True)
    split, dot, word = name.rpartition(".")
    names = list(dict.fromkeys(each.partition(".")[2] for each in known))
    close = [word] if word in names else nearest(word, names, 1)
    if close:
        name = f"{split if dot and word not in names else 'validation'}.{close[0]}"
        return Fix(f"did you mean `{name}`?", (Edit(span, name),))
    text = did_you_mean(name, known) or "add the metric to `metrics` of `train`"
    return Fix(text)
