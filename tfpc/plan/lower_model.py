"""A model's layers with the types before and after each, residuals and repeats undone."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Label
from tfpc.diagnostics.span import Span
from tfpc.plan.ir import LayerNode, ModelPlan
from tfpc.plan.mismatches import report
from tfpc.spec.model import ModelSpec, Placed
from tfpc.types.element import Element
from tfpc.types.tensor import Content, Tensor
from tfpc.vocabulary.layer import Layer
from tfpc.vocabulary.scores import Scores
from tfpc.vocabulary.structure import Repeat, Residual
from tfpc.vocabulary.word import Mismatch

# The random numbers of layers are apart from those of the pipeline's steps.
FIRST_STREAM = 1000


@dataclass
class Building:
    """The layers so far. value: the number of the tensor that the next one takes."""

    input: Tensor
    nodes: list[LayerNode] = field(default_factory=list)
    names: dict[str, int] = field(default_factory=dict)
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


def lower_model(
    model: ModelSpec, element: Element, pipeline_span: Span
) -> tuple[ModelPlan | None, list[Diagnostic]]:
    """The whole model on a batch of the pipeline's elements."""
    names = [n for n, tensor in element.components if tensor.content != Content.LABEL]
    if len(names) != 1:
        found = " and ".join(f"`{name}`" for name in names) or "none"
        fix = "leave one component besides the label in the pipeline"
        if names and not element.of_content(Content.LABEL):
            fix = f"say in `data` which one is the label: `label = {names[-1]}`"
        problem = error(
            "TFP211",
            "a model takes one component of the pipeline",
            model.span,
            f"here there is {found}",
            labels=(Label(pipeline_span, f"ends in {element}"),),
            fix=fix,
        )
        return None, [problem]
    given = element[names[0]].batched(None)
    if given.dtype == "string":
        problem = error(
            "TFP211",
            f"a model takes numbers, `{names[0]}` is {given}",
            model.span,
            "needs numbers",
            labels=(Label(pipeline_span, f"ends in {element}"),),
            why="the bytes of a picture mean nothing to a layer before they are decoded.",
            fix="decode in the pipeline: `decode_jpeg(channels = 3)`",
        )
        return None, [problem]
    # Keras casts only floats; whole numbers are cast on the device, before the model.
    building = Building(given if given.is_float else replace(given, dtype="float32"))
    lower_layers(model.layers, building)
    if building.problems:
        return None, building.problems
    scores = Scores(building.tensor, activation_at(building))
    plan = ModelPlan(
        model.name, model.span, names[0], building.input, tuple(building.nodes), scores
    )
    return plan, []


def lower_layers(layers: tuple[Placed[Layer], ...], building: Building) -> bool:
    """Appends layers; False if one could not act on what it met."""
    return all(lower_layer(placed, building) for placed in layers)


def lower_layer(placed: Placed[Layer], building: Building) -> bool:
    """Appends a layer, or what a structure word stands for."""
    if isinstance(placed.word, Repeat):
        return all(
            lower_layers(placed.body, building) for _ in range(placed.word.count)
        )
    if isinstance(placed.word, Residual):
        return lower_residual(placed, placed.word, building)
    return add_layer(placed.word, placed, building)


def add_layer(layer: Layer, placed: Placed[Layer], building: Building) -> bool:
    """Appends one layer."""
    before = building.tensor
    after = layer.transfer(before)
    if isinstance(after, Mismatch):
        cause: tuple[Label, ...] = ()
        if building.value:
            last = building.nodes[building.value - 1]
            if last.span != placed.span:
                cause = (Label(last.span, f"gives {last.after}"),)
        building.problems.append(
            report("TFP212", after, placed.span, placed.argument_spans, cause)
        )
        return False
    building.add(
        LayerNode(
            layer,
            building.name_for(layer.word),
            placed.span,
            (building.value,),
            before,
            after,
            layer.parameters(before),
            building.stream,
        )
    )
    building.stream += 1
    return True


def lower_residual(
    placed: Placed[Layer], residual: Residual, building: Building
) -> bool:
    """The main path, the shortcut, and their sum."""
    start = building.value
    if not lower_layers(placed.body, building):
        return False
    main, last = building.value, building.nodes[-1] if building.nodes else None
    building.value = start
    if isinstance(residual.shortcut, Layer) and not add_layer(
        residual.shortcut, placed, building
    ):
        return False
    shortcut = building.value
    first, second = building.type_of(shortcut), building.type_of(main)
    if first.shape != second.shape:
        labels = () if last is None else (Label(last.span, f"the main path: {second}"),)
        building.problems.append(
            error(
                "TFP215",
                "the two paths of `residual` end in different shapes",
                placed.span,
                f"the shortcut: {first}",
                labels=labels,
                why="their sum needs equal shapes.",
                fix=projection(first, second),
            )
        )
        return False
    after = replace(second, low=None, high=None)
    name = building.name_for("add")
    building.add(LayerNode(None, name, placed.span, (main, shortcut), second, after, 0))
    return True


def projection(first: Tensor, second: Tensor) -> str:
    """What to type so that the shortcut ends in the shape of the main path."""
    if first.shape is None or second.shape is None or len(second.shape) != 4:
        return "give the shortcut a layer that ends in the same shape"
    size, wanted = first.shape[1], second.shape[1]
    filters = second.shape[-1]
    if size and wanted and size > wanted:
        strides = -(-size // wanted)
        layer = f"conv2d({filters}, 1, strides = {strides}, padding = same)"
    else:
        layer = f"conv2d({filters}, 1)"
    return f"give the shortcut a projection: `residual(shortcut = {layer})`"


def activation_at(building: Building) -> str | None:
    """The activation that the model's output has gone through last."""
    value = building.value
    while value:
        node = building.nodes[value - 1]
        if node.layer is None:
            return None
        if not node.layer.keeps_activation:
            return node.layer.output_activation
        value = node.inputs[0]
    return None
