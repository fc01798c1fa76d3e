"""Steps that can't stand where they do, whatever the types are."""

from __future__ import annotations

from dataclasses import dataclass

from tfpc.plan.ir import StepNode
from tfpc.types.element import Element
from tfpc.types.facts import Facts
from tfpc.vocabulary.step import Step
from tfpc.vocabulary.stream import Batch, Cache, Prefetch, StreamStep
from tfpc.vocabulary.word import Mismatch

# Stream 0 is the order of the examples.
FIRST_STREAM = 1


@dataclass(frozen=True, slots=True)
class Before:
    """What a step meets: the chain so far. stream: of the next random number."""

    nodes: tuple[StepNode, ...]
    element: Element
    facts: Facts
    stream: int = FIRST_STREAM

    def first(self, kind: type[Step]) -> StepNode | None:
        """The first step of that class so far."""
        return next((node for node in self.nodes if isinstance(node.step, kind)), None)


def misplaced(step: Step, before: Before) -> Mismatch | None:
    """Why a step can't stand here, whatever the types are."""
    if before.first(Prefetch) is not None:
        return Mismatch(
            f"`{step.word}` stands below `prefetch`",
            why="`prefetch` makes finished batches ahead, so it comes last.",
            fix="move `prefetch` to the end of the pipeline",
        )
    if isinstance(step, Cache | Prefetch | Batch) and before.first(type(step)):
        return Mismatch(
            f"a second `{step.word}` in one pipeline",
            why="one is all that a pipeline can use.",
            fix=f"remove one `{step.word}`",
        )
    if before.facts.batch is None:
        return None
    if isinstance(step, Cache):
        return Mismatch(
            "`cache` stands below `batch`",
            why="it would keep whole batches, and each epoch would repeat the same ones.",
            fix="move `cache` above `batch`",
        )
    if not isinstance(step, StreamStep) and not step.batchable:
        return Mismatch(
            f"`{step.word}` stands below `batch`",
            why=f"`{step.word}` acts on one example at a time.",
            fix=f"move `{step.word}` above `batch`",
        )
    return None


def ragged(element: Element) -> Mismatch | None:
    """Why examples of this type can't be put into one batch."""
    for name, tensor in element.components:
        if not tensor.is_static:
            return Mismatch(
                f"pictures of different sizes can't be batched: `{name}` is {tensor}",
                "every example of a batch must have the same shape",
                "`?` stands for a size that differs from example to example.",
                "give all of them one size above `batch`: `resize(224, 224)`",
            )
    return None
