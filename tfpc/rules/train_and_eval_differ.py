"""`train-and-eval-differ`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tfpc.diagnostics.diagnostic import Diagnostic, Fix, Label, Severity
from tfpc.diagnostics.span import Span
from tfpc.plan.ir import Chain, Plan
from tfpc.rules.chains import evaluates
from tfpc.rules.lines import line_in_block, put_in
from tfpc.rules.rule import Rule
from tfpc.types.tensor import Content


class TrainAndEvalDiffer(Rule):
    """Training and evaluation end in different types.

    What it finds
    A pipeline whose `when(train)` and `when(eval)` give elements of other names,
    dtypes or shapes.

    Why
    One model takes both, so its input has one type. What differs may only be how an
    element of that type is made.

    Sources
    https://keras.io/guides/training_with_built_in_methods/
    """

    code: ClassVar[str] = "TFP353"
    slug: ClassVar[str] = "train-and-eval-differ"
    severity: ClassVar[Severity] = Severity.ERROR
    bad: ClassVar[str] = """
pipeline images from digits {
  decode_png(channels = 1)
  resize(10, 10)
  when(train) {
    shuffle
    random_crop(8, 8)
  }
  batch(32)
}
"""
    good: ClassVar[str] = """
pipeline images from digits {
  decode_png(channels = 1)
  resize(10, 10)
  when(train) {
    shuffle
    random_crop(8, 8)
  }
  when(eval) {
    center_crop(8, 8)
  }
  batch(32)
}
"""

    def check(self, plan: Plan) -> Iterator[Diagnostic]:
        """At the step that decides what training ends in."""
        train, evaluation = plan.chains["train"], plan.chains["eval"]
        if not evaluates(plan) or types(train) == types(evaluation):
            return
        places = [span_of(train), span_of(evaluation)]
        first = places[0] or plan.pipeline_span
        labels: tuple[Label, ...] = ()
        if places[1] is not None and places[1] != first:
            labels = (Label(places[1], f"eval ends in {evaluation.result}"),)
        said = "" if labels else f"; eval in {evaluation.result}"
        yield self.found(
            "train and eval end in different types",
            first,
            f"train ends in {train.result}{said}",
            labels=labels,
            why="one model takes both, so its input must have one type.",
            fix=mend(train, evaluation),
        )


def types(chain: Chain) -> list[tuple[str, str, object]]:
    """Names, dtypes and shapes of a chain's result."""
    return [(name, t.dtype, t.shape) for name, t in chain.result.components]


def span_of(chain: Chain) -> Span | None:
    """The last step that changed the type."""
    changed = [node for node in chain.nodes if node.before != node.after]
    return changed[-1].span if changed else None


def mend(train: Chain, evaluation: Chain) -> Fix:
    """What to type so that both end alike."""
    for name, one in train.result.components:
        if name not in evaluation.result.names:
            continue
        other = evaluation.result[name]
        same = one.dtype == other.dtype
        if one.content is Content.IMAGE and one.shape != other.shape and same:
            height, width = (one.shape or (0, 0, 0))[-3:-1]
            crop = f"center_crop({height}, {width})"
            text = f"let evaluation end in the same size: `when(eval) {{ {crop} }}`"
            changing = span_of(train)
            line = None if changing is None else line_in_block(changing)
            lines = f"when(eval) {{\n  {crop}\n}}"
            return Fix(text, put_in(lines, line, below=True))
    return Fix(
        "move the step that changes the type out of `when`, so that both have it"
    )
