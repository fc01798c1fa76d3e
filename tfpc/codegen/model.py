"""Program text that builds the model."""

from __future__ import annotations

from tfpc.codegen.writer import Writer
from tfpc.plan.ir import LayerNode, ModelPlan
from tfpc.types.fragment import Call, Name, call, list_of, name
from tfpc.vocabulary.join import join_code
from tfpc.vocabulary.python_word import PythonLayer


def write_model(writer: Writer, model: ModelPlan) -> None:
    """`build_model`: a Keras model from the component to the scores."""
    draws = any(node.layer is not None and node.layer.random for node in model.nodes)
    parameters = ["clock: tf.Variable"] if draws else []
    if model.features:
        parameters.append("learnt: Learnt")
    with writer.function(
        "build_model", parameters, "keras.Model", "Layer by layer, as in the spec."
    ):
        shape = model.input.shape
        assert shape is not None
        dtype = {} if model.input.is_float else {"dtype": model.input.dtype}
        given = call("keras.Input", shape[1:], **dtype, name=model.component)
        writer.assign("inputs", given)
        write_layers(writer, model)
        result = "x" if model.nodes else "inputs"
        writer.returns(
            call("keras.Model", name("inputs"), name(result), name=model.name)
        )


def write_layers(writer: Writer, model: ModelPlan) -> None:
    """One assignment a layer; `x` goes through all, others wait for their sum."""
    waiting = values_that_wait(model.nodes)
    variables = {0: "inputs"}
    names: dict[int, str] = {}
    current = 0
    for number, node in enumerate(model.nodes, 1):
        if current in waiting and current not in names:
            names[current] = f"branch_{len(names) + 1}" if names else "branch"
            writer.assign(names[current], name(variables[current]))
        taken = [
            name(variables[value] if value == current else names[value])
            for value in node.inputs
        ]
        writer.assign("x", layer_code(node, taken))
        variables[number] = "x"
        current = number


def values_that_wait(nodes: tuple[LayerNode, ...]) -> set[int]:
    """The values that are not (only) taken by the very next node."""
    waiting = set()
    for number, node in enumerate(nodes, 1):
        waiting |= {value for value in node.inputs if value != number - 1}
    return waiting


def layer_code(node: LayerNode, taken: list[Name]) -> Call:
    """A layer, used on what it takes."""
    if node.layer is None:
        return call(join_code(node.join, node.name), list_of(*taken))
    if isinstance(node.layer, PythonLayer):
        return node.layer.applied(node.name, taken[0])
    return call(node.layer.code(node.name, node.stream), *taken)
