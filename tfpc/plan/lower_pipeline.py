"""A pipeline's steps with types and facts after each, in train and in eval."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from tfpc.diagnostics.diagnostic import Diagnostic, Label
from tfpc.diagnostics.span import Span
from tfpc.plan.assertions import check_assertions
from tfpc.plan.ir import Chain, Mode, StepNode
from tfpc.plan.mismatches import report
from tfpc.plan.together import Use, problems_of, uses_in
from tfpc.spec.model import PipelineSpec, Placed
from tfpc.types.element import Element
from tfpc.types.facts import Facts
from tfpc.vocabulary.step import Step
from tfpc.vocabulary.stream import Batch, Cache, Prefetch, Shuffle, StreamStep, When
from tfpc.vocabulary.together import SameSize, Together
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


def lower_pipeline(
    pipeline: PipelineSpec, element: Element, counts: dict[Mode, int | None]
) -> tuple[dict[Mode, Chain], list[Diagnostic]]:
    """Both chains. counts: examples in an epoch of each mode, None if not known."""
    chains: dict[Mode, Chain] = {}
    problems: list[Diagnostic] = []
    modes: tuple[Mode, ...] = ("train", "eval")
    for mode in modes:
        chain, found = lower_chain(pipeline, mode, element, counts[mode])
        chains[mode] = chain
        # A step of both modes is reported once, whatever its type in the other mode.
        known = {problem.span for problem in problems}
        problems += [problem for problem in found if problem.span not in known]
    return chains, problems


def steps_of(
    steps: tuple[Placed[Step | When | Together], ...], mode: Mode
) -> Iterator[Placed[Step | Together]]:
    """The steps that apply in a mode, in order."""
    for placed in steps:
        if not isinstance(placed.word, When):
            yield placed  # type: ignore[misc]
        elif placed.word.mode == mode:
            yield from steps_of(placed.body, mode)


def lower_chain(
    pipeline: PipelineSpec, mode: Mode, element: Element, count: int | None
) -> tuple[Chain, list[Diagnostic]]:
    """One chain, up to the first step that can't act on what it meets."""
    before = Before((), element, Facts(count=count))
    for placed in steps_of(pipeline.steps, mode):
        uses: Iterable[Use]
        if isinstance(placed.word, Together):
            problems = problems_of(placed, before.element)  # type: ignore[arg-type]
            if problems:
                return Chain(mode, element, before.nodes), problems
            uses = uses_in(placed, before.element)  # type: ignore[arg-type]
        else:
            uses = (Use(placed),)  # type: ignore[arg-type]
        for use in uses:
            before, problems = lowered(use, before, pipeline, element)
            if problems:
                return Chain(mode, element, before.nodes), problems
    return Chain(mode, element, before.nodes), []


def lowered(
    use: Use, before: Before, pipeline: PipelineSpec, source: Element
) -> tuple[Before, list[Diagnostic]]:
    """The chain with one step more, or why it can't act on what it meets.

    source: the type that the chain begins with.
    """
    placed, step = use.placed, use.placed.word
    target = use.component
    if target is None and not isinstance(step, StreamStep):
        found = step.target(before.element)
        target = found if isinstance(found, str) else None
    after = misplaced(step, before) or transferred(step, target, before)
    if isinstance(after, Mismatch):
        cause = cause_of(before, source, pipeline, step)
        problem = report("TFP201", after, placed.span, placed.argument_spans, cause)
        return before, [problem]
    node = StepNode(
        step=step,
        span=placed.span,
        target=target,
        before=before.element,
        after=after,
        facts=facts_after(step, before.facts),
        stream=before.stream,
        group=len(before.nodes),
        batched=before.facts.batch is not None,
        shared=use.component is not None and not isinstance(step, SameSize),
    )
    stream = before.stream + (step.streams if use.last else 0)
    nodes = (*before.nodes, node)
    return Before(nodes, after, node.facts, stream), list(
        check_assertions(node, placed)
    )


def transferred(step: Step, target: str | None, before: Before) -> Element | Mismatch:
    """The element after a step, or why there is none."""
    if isinstance(step, Batch):
        return ragged(before.element) or before.element
    if target is None:
        return step.transfer(before.element)
    return step.transfer_at(before.element, target)


def cause_of(
    before: Before, source: Element, pipeline: PipelineSpec, step: Step
) -> tuple[Label, ...]:
    """The place that made the element what it is: the last step that changed it."""
    changed = [node for node in before.nodes if node.before != node.after]
    if isinstance(step, StreamStep):
        return ()
    if changed:
        return (Label(changed[-1].span, f"gives {changed[-1].after}"),)
    return (Label(pipeline.source_span, f"gives {source}"),)


def facts_after(step: Step, facts: Facts) -> Facts:
    """What is known of the stream after a step."""
    if isinstance(step, Cache):
        return replace(
            facts, cached=True, frozen=facts.frozen or facts.random, random=False
        )
    if isinstance(step, Shuffle):
        return replace(facts, shuffled=True)
    if isinstance(step, Batch):
        return replace(facts, batch=step.size)
    return replace(facts, random=True) if step.random else facts


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


def span_of_result(chain: Chain, pipeline_span: Span) -> Span:
    """The step that decides what a chain ends in."""
    changed = [node for node in chain.nodes if node.before != node.after]
    return changed[-1].span if changed else pipeline_span
