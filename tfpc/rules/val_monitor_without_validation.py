"""`val-monitor-without-validation`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tfpc.diagnostics.diagnostic import Diagnostic, Fix, Label, Severity
from tfpc.plan.ir import Plan
from tfpc.rules.lines import line_in_block, put_in
from tfpc.rules.monitors import measured, watched
from tfpc.rules.rule import Rule


class ValMonitorWithoutValidation(Rule):
    """A monitor that watches validation, in a spec that has none.

    What it finds
    A `checkpoint` or `stop_early` on `validation.` where `data` names no validation.

    Why
    Nothing is evaluated after an epoch, so the monitor never acts.

    Sources
    https://github.com/keras-team/keras/issues/13689
    """

    code: ClassVar[str] = "TFP502"
    slug: ClassVar[str] = "val-monitor-without-validation"
    severity: ClassVar[Severity] = Severity.ERROR
    bad: ClassVar[str] = """
data digits {
  train = tfrecord("train-*.tfrecord")
  schema {
    image = string
    label = int64(classes = 10)
  }
}

observe {
  stop_early(validation.loss, patience = 3epochs)
}
"""
    good: ClassVar[str] = """
data digits {
  train = tfrecord("train-*.tfrecord")
  validation = split(20%)
  schema {
    image = string
    label = int64(classes = 10)
  }
}

observe {
  stop_early(validation.loss, patience = 3epochs)
}
"""

    def check(self, plan: Plan) -> Iterator[Diagnostic]:
        """At the metric, with a label at the data."""
        if "validation" in plan.data.splits:
            return
        line = line_in_block(plan.data.splits["train"].span)
        edits = put_in("validation = split(20%)", line, below=True)
        known = measured(plan, ("validation",))
        for metric, span in watched(plan):
            if metric in known:
                yield self.found(
                    f"`{metric}` is watched, but there is no validation data",
                    span,
                    "never measured",
                    labels=(Label(plan.data.span, "has no `validation`"),),
                    why="nothing is evaluated after an epoch, so the monitor never acts.",
                    fix=Fix(
                        "hold a part of train out: `validation = split(20%)`", edits
                    ),
                )
