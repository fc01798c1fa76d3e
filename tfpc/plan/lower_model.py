"""A model's layers with the types before and after each, residuals and repeats undone."""

from __future__ import annotations

from dataclasses import replace

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Label
from tfpc.diagnostics.span import Span
from tfpc.plan.building import Building, Tap
from tfpc.plan.ir import Chain, LayerNode, ModelPlan
from tfpc.plan.lower_features import Encoded, lower_features
from tfpc.plan.lower_joins import lower_merge, lower_residual, lower_taps
from tfpc.plan.lower_python import PythonReader
from tfpc.spec.model import ModelSpec, Placed
from tfpc.types.tensor import Content, Tensor
from tfpc.vocabulary.features import Features
from tfpc.vocabulary.join import Add, Merge
from tfpc.vocabulary.layer import Layer
from tfpc.vocabulary.scores import Scores
from tfpc.vocabulary.structure import Repeat, Residual

PICTURES = (Content.IMAGE, Content.ENCODED_IMAGE)


def lower_model(
    model: ModelSpec, chain: Chain, pipeline_span: Span, python: PythonReader
) -> tuple[ModelPlan | None, list[Diagnostic]]:
    """The whole model on a batch of the pipeline's elements."""
    if model.layers and isinstance(model.layers[0].word, Features):
        return lower_table_model(model, chain, pipeline_span, python)
    element = chain.result
    names = [n for n, tensor in element.components if tensor.content != Content.LABEL]
    if len(names) != 1:
        found = " and ".join(f"`{name}`" for name in names) or "none"
        fix = "leave one component besides the label in the pipeline"
        if names and not element.of_content(Content.LABEL):
            fix = f"say in `data` which one is the label: `label = {names[-1]}`"
        elif len(names) > 1 and not element.of_content(*PICTURES):
            fix = f"put `features {{ {names[0]} = normalize }}` first, with all columns"
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
    building = built(model, given, python)
    if building.problems:
        return None, building.problems
    scores = Scores(building.tensor, activation_at(building))
    plan = ModelPlan(
        model.name, model.span, names[0], building.input, tuple(building.nodes), scores
    )
    return plan, []


def lower_table_model(
    model: ModelSpec, chain: Chain, pipeline_span: Span, python: PythonReader
) -> tuple[ModelPlan | None, list[Diagnostic]]:
    """A model on columns of a table."""
    first, *rest = model.layers
    encoded = lower_features(first.body, chain, pipeline_span)
    if not isinstance(encoded, Encoded):
        return None, encoded
    building = Building(encoded.input, python)
    has_weights = any(each.encoder.has_weights for each in encoded.features)
    building.add(
        LayerNode(
            first.word,
            building.name_for(first.word.word),
            first.span,
            (0,),
            encoded.input,
            encoded.output,
            None if has_weights else 0,
        )
    )
    if first.alias is not None:
        building.taps[first.alias] = Tap(building.value, first.span)
    lower_layers(tuple(rest), building)
    if building.problems:
        return None, building.problems
    scores = Scores(building.tensor, activation_at(building))
    nodes = tuple(building.nodes)
    return ModelPlan(
        model.name,
        model.span,
        "columns",
        building.input,
        nodes,
        scores,
        encoded.features,
    ), []


def built(model: ModelSpec, given: Tensor, python: PythonReader) -> Building:
    """The layers on whole numbers if all that take the input take these, else on floats.

    Keras casts only floats; whole numbers are cast on the device, before the model.
    """
    building = Building(given, python)
    lower_layers(model.layers, building)
    first = [node.layer for node in building.nodes if 0 in node.inputs]
    whole = first and all(layer and layer.whole_numbers for layer in first)
    if given.is_float or (given.is_integer and whole):
        return building
    building = Building(replace(given, dtype="float32"), python)
    lower_layers(model.layers, building)
    return building


def lower_layers(layers: tuple[Placed[Layer], ...], building: Building) -> bool:
    """Appends layers; False if one could not act on what it met."""
    return all(lower_layer(placed, building) for placed in layers)


def lower_layer(placed: Placed[Layer], building: Building) -> bool:
    """Appends a layer, or what a structure word stands for."""
    word = placed.word
    if isinstance(word, Repeat):
        done = all(lower_layers(placed.body, building) for _ in range(word.count))
    elif isinstance(word, Residual):
        done = lower_residual(placed, word, building, lower_layers)
    elif isinstance(word, Merge):
        done = lower_merge(placed, word, building, lower_layers)
    elif isinstance(word, Add):
        done = lower_taps(placed, word, building)
    else:
        done = building.apply(word, placed)
    if done and placed.alias is not None:
        building.taps[placed.alias] = Tap(building.value, placed.span)
    return done


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
