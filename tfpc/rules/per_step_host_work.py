"""`per-step-host-work`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tfpc.diagnostics.diagnostic import Diagnostic, Edit, Fix, Severity
from tfpc.plan.ir import Plan
from tfpc.rules.rule import Rule
from tfpc.vocabulary.monitor import Log, Tensorboard

# A training of so few steps an epoch is a try, of which each may be looked at.
FEW = 20
MENDED = "100steps"


class PerStepHostWork(Rule):
    """A line or chart point at every single step.

    What it finds
    `log(every = 1step)`, and the same of `tensorboard`, where an epoch is not known to
    have fewer than 20 steps.

    Why
    To say something of a step, the program waits for it and brings its numbers from the
    device; meanwhile the device waits for the program. Between such steps many run
    in one call.

    Sources
    https://www.tensorflow.org/guide/gpu_performance_analysis#2_tensorflow_op_placement
    https://www.tensorflow.org/api_docs/python/tf/keras/callbacks/TensorBoard
    """

    code: ClassVar[str] = "TFP603"
    slug: ClassVar[str] = "per-step-host-work"
    severity: ClassVar[Severity] = Severity.WARNING
    bad: ClassVar[str] = """
observe {
  log(every = 1step)
}
"""
    good: ClassVar[str] = """
observe {
  log(every = 100steps)
}
"""

    def check(self, plan: Plan) -> Iterator[Diagnostic]:
        """At each such monitor."""
        facts = plan.chains["train"].facts
        steps = facts.count // facts.batch if facts.count and facts.batch else FEW
        if steps < FEW:
            return
        for placed in plan.monitors:
            monitor = placed.monitor
            if isinstance(monitor, Log | Tensorboard) and monitor.every.number == 1:
                place = placed.argument_spans.get("every", placed.span)
                edits: tuple[Edit, ...] = ()
                if place.text in ("1step", "1steps"):
                    edits = (Edit(place, MENDED),)
                yield self.found(
                    f"`{monitor.word}` stops the device at every step",
                    place,
                    "waits for each step",
                    why="the device stands still while the program fetches the numbers "
                    "of a step.",
                    fix=Fix(f"write `every = {MENDED}`", edits),
                )
