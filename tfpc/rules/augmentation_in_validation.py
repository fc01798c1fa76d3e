"""`augmentation-in-validation`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tfpc.diagnostics.diagnostic import Diagnostic, Edit, Fix, Severity
from tfpc.plan.ir import Plan, StepNode
from tfpc.rules.chains import frozen
from tfpc.rules.lines import around, is_own_line
from tfpc.rules.rule import Rule


class AugmentationInValidation(Rule):
    """A random step runs in evaluation, too.

    What it finds
    A step that draws outside `when(train)`, so that evaluation and serving draw, too.

    Why
    Metrics then differ from one evaluation to the next and are those of altered
    pictures, not of the ones that the model will meet.

    Sources
    https://github.com/gpleiss/efficient_densenet_pytorch/issues/51
    https://keras.io/api/layers/preprocessing_layers/image_augmentation/
    """

    code: ClassVar[str] = "TFP306"
    slug: ClassVar[str] = "augmentation-in-validation"
    severity: ClassVar[Severity] = Severity.ERROR
    bad: ClassVar[str] = """
pipeline images from digits {
  decode_png(channels = 1)
  resize(8, 8)
  when(train) {
    shuffle
  }
  random_flip(horizontal)
  batch(32)
}
"""
    good: ClassVar[str] = """
pipeline images from digits {
  decode_png(channels = 1)
  resize(8, 8)
  when(train) {
    shuffle
    random_flip(horizontal)
  }
  batch(32)
}
"""

    def check(self, plan: Plan) -> Iterator[Diagnostic]:
        """One message a step; one that a cache freezes is reported as that."""
        chain = plan.chains["eval"]
        reported = {node.span for node, _ in frozen(chain)}
        for node in chain.nodes:
            if node.step.random and node.span not in reported:
                yield self.found(
                    f"`{node.step.word}` runs in evaluation, too",
                    node.span,
                    "draws in every use, not only in training",
                    why="metrics would be those of randomly altered examples, and "
                    "differ from one evaluation to the next.",
                    fix=only_in_training(node),
                )


def only_in_training(node: StepNode) -> Fix:
    """The step in a `when`; evaluation lacks nothing if the step keeps the type."""
    found = around(node.span)
    own = is_own_line(node.span)
    text = f"when(train) {{ {found[-1].span.text if own else node.span.text} }}"
    edits = (Edit(found[-1].span, text),) if own else ()
    return Fix(f"write `{text}`", edits, safe=own and node.before == node.after)
