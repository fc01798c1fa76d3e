"""A pipeline's steps with types and facts after each, in train and in eval."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from tfpc.diagnostics.diagnostic import Diagnostic, Label
from tfpc.diagnostics.span import Span
from tfpc.plan.assertions import check_assertions
from tfpc.plan.ir import Chain, Mode, StepNode
from tfpc.plan.lower_python import PythonReader, StepTypes
from tfpc.plan.mismatches import report
from tfpc.plan.misplaced import Before, misplaced, ragged
from tfpc.plan.together import Use, problems_of, uses_in
from tfpc.spec.model import PipelineSpec, Placed
from tfpc.types.element import Element
from tfpc.types.facts import Facts
from tfpc.vocabulary.python_word import PythonStep
from tfpc.vocabulary.step import Step
from tfpc.vocabulary.stream import Batch, Cache, Shuffle, StreamStep, When
from tfpc.vocabulary.together import SameSize, Together
from tfpc.vocabulary.word import Mismatch


def lower_pipeline(
    pipeline: PipelineSpec,
    element: Element,
    counts: dict[Mode, int | None],
    python: PythonReader,
) -> tuple[dict[Mode, Chain], list[Diagnostic]]:
    """Both chains. counts: examples in an epoch of each mode, None if not known."""
    chains: dict[Mode, Chain] = {}
    problems: list[Diagnostic] = []
    modes: tuple[Mode, ...] = ("train", "eval")
    for mode in modes:
        chain, found = lower_chain(pipeline, mode, element, counts[mode], python)
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
    pipeline: PipelineSpec,
    mode: Mode,
    element: Element,
    count: int | None,
    python: PythonReader,
) -> tuple[Chain, list[Diagnostic]]:
    """One chain, up to the first step that can't act on what it meets."""
    before = Before((), element, Facts(count=count))
    lowering = Lowering(pipeline, element, python)
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
            before, problems = lowering.step(use, before)
            if problems:
                return Chain(mode, element, before.nodes), problems
    return Chain(mode, element, before.nodes), []


@dataclass(frozen=True, slots=True)
class Lowering:
    """What every step of a chain is lowered with. source: the type that it begins with."""

    pipeline: PipelineSpec
    source: Element
    python: PythonReader

    def step(self, use: Use, before: Before) -> tuple[Before, list[Diagnostic]]:
        """The chain with one step more, or why it can't act on what it meets."""
        placed, step = use.placed, use.placed.word
        target = use.component
        if target is None and not isinstance(step, StreamStep | PythonStep):
            found = step.target(before.element)
            target = found if isinstance(found, str) else None
        after = misplaced(step, before) or transferred(step, target, before)
        if isinstance(after, Mismatch):
            cause = self.cause(before, step)
            problem = report("TFP201", after, placed.span, placed.argument_spans, cause)
            return before, [problem]
        types = StepTypes((), False, (), after)
        if isinstance(step, PythonStep):
            read = self.python.step(placed, before.element)  # type: ignore[arg-type]
            if isinstance(read, Diagnostic):
                return before, [read]
            types = read
        node = StepNode(
            step=step,
            span=placed.span,
            target=target,
            before=before.element,
            after=types.after,
            facts=facts_after(step, before.facts, random=types.seeded),
            stream=before.stream,
            group=len(before.nodes),
            batched=before.facts.batch is not None,
            shared=use.component is not None and not isinstance(step, SameSize),
            takes=types.takes,
            gives=types.gives,
            seeded=types.seeded,
        )
        stream = before.stream + (step.streams if use.last else 0)
        nodes = (*before.nodes, node)
        chain = Before(nodes, types.after, node.facts, stream)
        return chain, list(check_assertions(node, placed))

    def cause(self, before: Before, step: Step) -> tuple[Label, ...]:
        """The place that made the element what it is: the last step that changed it."""
        changed = [node for node in before.nodes if node.before != node.after]
        if isinstance(step, StreamStep):
            return ()
        if changed:
            return (Label(changed[-1].span, f"gives {changed[-1].after}"),)
        return (Label(self.pipeline.source_span, f"gives {self.source}"),)


def transferred(step: Step, target: str | None, before: Before) -> Element | Mismatch:
    """The element after a step, or why there is none."""
    if isinstance(step, Batch):
        return ragged(before.element) or before.element
    if target is None:
        return step.transfer(before.element)
    return step.transfer_at(before.element, target)


def facts_after(step: Step, facts: Facts, *, random: bool = False) -> Facts:
    """What is known of the stream after a step. random: it draws, by its use."""
    if isinstance(step, Cache):
        return replace(
            facts, cached=True, frozen=facts.frozen or facts.random, random=False
        )
    if isinstance(step, Shuffle):
        return replace(facts, shuffled=True)
    if isinstance(step, Batch):
        return replace(facts, batch=step.size)
    return replace(facts, random=True) if step.random or random else facts


def span_of_result(chain: Chain, pipeline_span: Span) -> Span:
    """The step that decides what a chain ends in."""
    changed = [node for node in chain.nodes if node.before != node.after]
    return changed[-1].span if changed else pipeline_span
