"""Which layers of a model put an activation on its scores."""

from __future__ import annotations

from tfpc.plan.ir import LayerNode, ModelPlan
from tfpc.vocabulary.scores import PROBABILITIES


def last_activations(model: ModelPlan) -> list[LayerNode]:
    """The layers at the end that put a softmax or sigmoid on the scores, last first.

    Layers between that only select or reshape are passed over.
    """
    found: list[LayerNode] = []
    number = len(model.nodes)
    while number:
        node = model.nodes[number - 1]
        if node.layer is None:
            break
        if node.layer.output_activation in PROBABILITIES:
            found.append(node)
            if node.layer.word not in PROBABILITIES:
                break
        elif not node.layer.keeps_activation:
            break
        number = node.inputs[0]
    return found
