"""`weights-outside-scope`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from tfpc.diagnostics.diagnostic import Diagnostic, Label, Severity
from tfpc.plan.ir import Plan
from tfpc.python_source.weights import Kind
from tfpc.rules.python_weights import findings, span_of
from tfpc.rules.rule import Rule

KINDS = (Kind.AT_IMPORT, Kind.DEFAULT, Kind.GLOBAL, Kind.CACHED)


class WeightsOutsideScope(Rule):
    """A Python file makes weights outside of the strategy's scope.

    What it finds
    Keras layers, models, optimizers, metrics and variables that are made when the file
    is imported (at its top level, in a default argument), or that a function keeps in a
    global or a cache for its next call. The file is read, not run. The program looks
    again before the first step, and names the line.

    Why
    The program calls a function of yours within `strategy.scope()`, so that its weights
    belong to all devices. What is made on import is made before the scope, and lives on
    one device: training with several stops in the first step, or trains only that one.
    What is kept is shared by all that call the function.

    Sources
    https://www.tensorflow.org/guide/distributed_training
    https://keras.io/guides/distributed_training_with_tensorflow/
    """

    code: ClassVar[str] = "TFP604"
    slug: ClassVar[str] = "weights-outside-scope"
    severity: ClassVar[Severity] = Severity.ERROR
    files: ClassVar[Mapping[str, str]] = {
        "made_on_import.py": """\
import keras

backbone = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(10)])


def network(x):
    return backbone(x)
""",
        "made_when_called.py": """\
import keras


def network(x):
    backbone = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(10)])
    return backbone(x)
""",
    }
    bad: ClassVar[str] = """
model classifier from images {
  python "made_on_import:network" -> (float32[10])
}

train classifier {
  epochs = 2
  optimizer = adam(learning_rate = 1e-3)
  loss = crossentropy(from_logits = true)
}
"""
    good: ClassVar[str] = """
model classifier from images {
  python "made_when_called:network" -> (float32[10])
}

train classifier {
  epochs = 2
  optimizer = adam(learning_rate = 1e-3)
  loss = crossentropy(from_logits = true)
}
"""

    def check(self, plan: Plan) -> Iterator[Diagnostic]:
        """One message a place in a Python file."""
        reported: set[int] = set()
        for use, finding in findings(plan):
            line = finding.node.lineno
            if finding.kind not in KINDS or line in reported:
                continue
            reported.add(line)
            name = use.signature.name
            fix = f"make it in `{name}`, which is called inside the scope"
            if finding.kind in (Kind.GLOBAL, Kind.CACHED):
                fix = f"make it anew in each call of `{name}`, and return it"
            yield self.found(
                f"`{finding.name}` makes weights outside of the strategy's scope",
                use.span,
                "called inside `strategy.scope()`",
                labels=(Label(span_of(finding), f"made {finding.kind.value}"),),
                why="weights made outside of `strategy.scope()` live on one device, and "
                "training on several stops in the first step.",
                fix=f"{fix}: line {line} of {finding.module.path.name}",
            )
