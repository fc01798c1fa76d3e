"""What may stand in the braces of `together`."""

from __future__ import annotations

from typing import Any

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Label
from tfpc.resolve.tree import Node
from tfpc.spec.model import Placed
from tfpc.vocabulary.step import Step
from tfpc.vocabulary.together import Together

NESTED = ("when", "together")


def nested(item: Node, outer: Node | None) -> Diagnostic | None:
    """A block of steps in another one where it has no place. outer: the one around."""
    if outer is None or item.word not in NESTED or outer.word not in NESTED:
        return None
    if (outer.word, item.word) == ("when", "together"):
        return None
    fix = "put it beside the outer one"
    if item.word == "when" and outer.word == "together":
        fix = "put the `when` around the `together`"
    return error(
        "TFP104",
        f"a `{item.word}` stands inside a `{outer.word}`",
        item.head,
        labels=(Label(outer.head, "the outer one"),),
        fix=fix,
    )


def unfit_steps(placed: Placed[Any]) -> list[Diagnostic]:
    """Steps in the braces of a `together` that can't be done to several pictures alike."""
    if not isinstance(placed.word, Together):
        return []
    problems = []
    for inner in placed.body:
        wrong = placed.word.unfit(inner.word) if isinstance(inner.word, Step) else None
        if wrong is not None:
            problems.append(
                error(
                    "TFP104",
                    wrong.headline,
                    inner.argument_spans.get(wrong.argument or "", inner.span),
                    wrong.label,
                    why=wrong.why,
                    fix=wrong.fix,
                    labels=(Label(placed.span, "does the same to each of them"),),
                )
            )
    return problems
