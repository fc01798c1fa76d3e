"""A model while it is lowered: the layers so far, and the tensor that comes next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tfpc.diagnostics.diagnostic import Diagnostic, Label
from tfpc.diagnostics.span import Span
from tfpc.plan.ir import LayerNode
from tfpc.plan.lower_python import PythonReader
from tfpc.plan.mismatches import report
from tfpc.spec.model import Placed
from tfpc.types.tensor import Content, Tensor
from tfpc.vocabulary.join import joined
from tfpc.vocabulary.layer import Layer
from tfpc.vocabulary.python_word import PythonLayer
from tfpc.vocabulary.word import Mismatch

# The random numbers of layers are apart from those of the pipeline's steps.
FIRST_STREAM = 1000


@dataclass(frozen=True, slots=True)
class Tap:
    """What a layer with an `as` name gave, and where it stands."""

    value: int
    span: Span


@dataclass
class Building:
    """The layers so far. value: the number of the tensor that the next one takes;
    taps: by the names that stand behind `as`.
    """

    input: Tensor
    python: PythonReader
    nodes: list[LayerNode] = field(default_factory=list)
    names: dict[str, int] = field(default_factory=dict)
    taps: dict[str, Tap] = field(default_factory=dict)
    problems: list[Diagnostic] = field(default_factory=list)
    value: int = 0
    stream: int = FIRST_STREAM

    @property
    def tensor(self) -> Tensor:
        """The type of what the next layer takes."""
        return self.type_of(self.value)

    def type_of(self, value: int) -> Tensor:
        """The type of a value."""
        return self.nodes[value - 1].after if value else self.input

    def name_for(self, word: str) -> str:
        """A name that no other layer has: `dense`, `dense_2`, ..."""
        self.names[word] = self.names.get(word, 0) + 1
        return word if self.names[word] == 1 else f"{word}_{self.names[word]}"

    def add(self, node: LayerNode) -> None:
        """Appends a node; the next layer takes what it gives."""
        self.nodes.append(node)
        self.value = len(self.nodes)

    def apply(self, layer: Layer, placed: Placed[Layer]) -> bool:
        """Appends a layer on the present tensor; False after a report."""
        before = self.tensor
        if isinstance(layer, PythonLayer):
            found = self.python.layer(placed, before)  # type: ignore[arg-type]
            if isinstance(found, Diagnostic):
                self.problems.append(found)
                return False
            layer = found.word
        after = layer.transfer(before)
        if isinstance(after, Tensor) and is_learnt(before):
            after = still_learnt(after)
        if isinstance(after, Mismatch):
            self.report("TFP212", after, placed, self.causes([self.value], placed))
            return False
        self.add(
            LayerNode(
                layer,
                self.name_for(name_of(layer)),
                placed.span,
                (self.value,),
                before,
                after,
                self.parameters_of(layer, before),
                self.stream,
            )
        )
        self.stream += 1
        return True

    def parameters_of(self, layer: Layer, before: Tensor) -> int | None:
        """How many numbers the weights of a layer are, None if the data decides it."""
        unknown = is_learnt(before) or isinstance(layer, PythonLayer)
        return None if unknown else layer.parameters(before)

    def join(self, how: str, values: Sequence[int], placed: Placed[Layer]) -> bool:
        """Appends what several tensors become; False after a report."""
        tensors = [self.type_of(value) for value in values]
        after = joined(how, tensors)
        if isinstance(after, Mismatch):
            self.report("TFP215", after, placed, self.causes(values, placed))
            return False
        name, before = self.name_for(how), tensors[0]
        self.add(
            LayerNode(
                None, name, placed.span, tuple(values), before, after, 0, join=how
            )
        )
        return True

    def causes(self, values: Sequence[int], placed: Placed[Layer]) -> list[Label]:
        """The layers that gave these values, for a message at another place."""
        found = [self.nodes[value - 1] for value in values if value]
        return [
            Label(node.span, f"gives {node.after}")
            for node in found
            if node.span != placed.span
        ]

    def report(
        self,
        code: str,
        mismatch: Mismatch,
        placed: Placed[Layer],
        causes: Sequence[Label],
    ) -> None:
        """A layer that can't act on what it is given."""
        spans = placed.argument_spans
        problem = report(code, mismatch, placed.span, spans, tuple(causes))
        self.problems.append(problem)


def name_of(layer: Layer) -> str:
    """What a layer is called after."""
    return layer.short_name if isinstance(layer, PythonLayer) else layer.word


def is_learnt(tensor: Tensor) -> bool:
    """Whether the data decides how many numbers an example of it has."""
    return tensor.content is Content.FEATURES and not (tensor.shape or (0,))[-1]


def still_learnt(after: Tensor) -> Tensor:
    """What a layer makes of such a tensor: the like, unless it fixes the number."""
    if after.shape and after.shape[-1] is None:
        return replace(after, content=Content.FEATURES)
    return after
