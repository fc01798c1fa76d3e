"""The rows of a chain: the plan's steps beside what the program told of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tfpc.diagnostics.span import Reached, Source, Span
from tfpc.launch.events import Event
from tfpc.launch.peek.component import Component
from tfpc.launch.peek.effect import effect
from tfpc.launch.peek.notes import notes
from tfpc.launch.peek.row import Part, Row
from tfpc.plan.ir import Mode, Plan, StepNode
from tfpc.plan.show import step_text
from tfpc.spec.model import PipelineSpec, Placed
from tfpc.vocabulary.stream import Batch, StreamStep, When

SAME = "same as before"


class Rows:
    """Makes the rows of one batch, in the user's order. peeked: the event that told it."""

    def __init__(
        self, plan: Plan, pipeline: PipelineSpec, source: Source, peeked: Event
    ) -> None:
        self.mode: Mode = "train" if peeked["mode"] == "train" else "eval"
        self.plan, self.source = plan, source
        self.chain = plan.chains[self.mode]
        self.split = plan.data.splits[peeked["split"]]
        self.examples, self.count = len(peeked["examples"]), int(peeked["count"])
        self.stages: list[dict[str, Any]] = peeked["stages"]
        self.modes = modes_of(pipeline.steps)
        self.now: dict[str, Component] = {}
        self.said: set[tuple[str, object]] = set()
        self.batched = False

    def all(self) -> Iterator[Row]:
        """The source, then every step."""
        yield Row(
            0,
            line_of(self.split.span, self.source),
            " ".join(self.split.span.text.split()),
            "",
            tuple(self.parts(0)),
        )
        for number, node in enumerate(self.chain.nodes, 1):
            yield Row(
                number,
                line_of(node.span, self.source),
                step_text(node),
                self.modes.get((node.span, node.span.uses), ""),
                tuple(self.parts_of_step(number, node)),
            )

    def parts_of_step(self, number: int, node: StepNode) -> Iterator[Part]:
        """What a step does, or what it makes of its component."""
        if isinstance(node.step, StreamStep):
            yield Part(remark=effect(self.plan, self.chain, node, self.count))
        if isinstance(node.step, Batch):
            self.batched = True
            for component in self.now.values():
                yield Part(component.name, component.type(batched=True))
        yield from self.parts(number)

    def parts(self, number: int) -> Iterator[Part]:
        """What is new after a step; 0 is the source."""
        train = self.plan.data.splits["train"]
        names = self.split.facts.class_names or train.facts.class_names or ()
        for stage in self.stages:
            if stage["step"] != number:
                continue
            component = Component(stage, self.examples, names)
            self.now[component.name] = component
            if component.changed == 0:
                yield Part(component.name, remark=SAME)
            else:
                news = tuple(self.news(component))
                yield component.part(batched=self.batched, notes=news)

    def news(self, component: Component) -> Iterator[str]:
        """Notes that have not been said of the component before."""
        for about, text in notes(component):
            if (component.name, about) not in self.said:
                self.said.add((component.name, about))
                yield text


def modes_of(
    steps: tuple[Placed[Any], ...], mode: str = ""
) -> dict[tuple[Span, tuple[Reached, ...]], str]:
    """The mode of each step that stands in a `when`, by its place and how it was reached."""
    found: dict[tuple[Span, tuple[Reached, ...]], str] = {}
    for placed in steps:
        if isinstance(placed.word, When):
            found |= modes_of(placed.body, placed.word.mode)
        elif mode:
            found[placed.span, placed.span.uses] = mode
            found |= modes_of(placed.body, mode)
    return found


def line_of(span: Span, source: Source) -> str:
    """The line, with the file's name where that is not the spec's own."""
    if span.source.name == source.name:
        return str(span.line)
    file = span.source.name.replace("\\", "/").rpartition("/")[2]
    return f"{file}:{span.line}"
