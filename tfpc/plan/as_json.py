"""A plan for a machine to read. The format only ever grows."""

from __future__ import annotations

from tfpc.plan.ir import Chain, LayerNode, Plan, StepNode
from tfpc.plan.show import step_text
from tfpc.plan.written import in_words
from tfpc.types.element import Element


def as_json(plan: Plan) -> dict[str, object]:
    """The plan as JSON values: types as text, sizes in bytes, spans as file:line:column."""
    return {
        "name": plan.name,
        "spec": plan.digest,
        "data": {
            split.name: {
                "source": split.source.word,
                "examples": split.facts.count,
                "classes": split.facts.class_names,
                "place": str(split.span),
            }
            for split in plan.data.splits.values()
        },
        "pipeline": {mode: chain_values(chain) for mode, chain in plan.chains.items()},
        "model": None
        if plan.model is None
        else {
            "name": plan.model.name,
            "input": str(plan.model.input),
            "features": {
                each.column: each.encoder.word for each in plan.model.features
            },
            "parameters": plan.model.parameters,
            "layers": [layer_values(node) for node in plan.model.nodes],
        },
        "train": None
        if plan.train is None
        else {
            "epochs": plan.train.epochs,
            "measured": list(plan.train.names),
            "class_weights": list(plan.train.class_weights),
        },
        "settings": {
            "seed": plan.settings.seed,
            "determinism": plan.settings.determinism,
            "strategy": in_words(plan.settings.strategy),
            "precision": plan.settings.precision,
            "memory": in_words(plan.settings.memory),
        },
        "changes": [
            {
                "by": change.by,
                "what": change.what,
                "why": change.why,
                "exactness": change.exactness,
            }
            for change in plan.changes
        ],
    }


def chain_values(chain: Chain) -> dict[str, object]:
    """A chain: its source's type, and its steps."""
    return {
        "source": element_values(chain.source),
        "steps": [step_values(node) for node in chain.nodes],
    }


def element_values(element: Element) -> dict[str, str]:
    """Types by component."""
    return {name: str(tensor) for name, tensor in element.components}


def step_values(node: StepNode) -> dict[str, object]:
    """A step in its place."""
    return {
        "step": node.step.word,
        "written": step_text(node),
        "place": str(node.span),
        "runs_on": node.place.value,
        "batched": node.batched,
        "gives": element_values(node.after),
        "bytes": node.after.bytes,
        "examples": node.facts.count,
    }


def layer_values(node: LayerNode) -> dict[str, object]:
    """A layer in its place."""
    return {
        "layer": "add" if node.layer is None else node.layer.word,
        "name": node.name,
        "place": str(node.span),
        "inputs": list(node.inputs),
        "gives": str(node.after),
        "parameters": node.parameters,
    }
