"""Compares what a step gives with what stands behind its `->`."""

from __future__ import annotations

from collections.abc import Iterator

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Label
from tfpc.diagnostics.suggestion import did_you_mean
from tfpc.plan.ir import StepNode
from tfpc.spec.model import Assertion, Placed
from tfpc.types.tensor import Tensor
from tfpc.vocabulary.step import Step


def check_assertions(node: StepNode, placed: Placed[Step]) -> Iterator[Diagnostic]:
    """What does not hold of a step. Types are those of one example, also of a batch."""
    components = dict(node.after.components)
    for assertion in placed.asserted:
        name = assertion.component
        tensor = components.get(name)
        if tensor is None:
            listed = ", ".join(f"`{each}`" for each in components)
            yield error(
                "TFP205",
                f"there is no `{name}` behind `{node.step.word}`",
                assertion.name_span,
                labels=(Label(placed.span, f"gives {node.after}"),),
                fix=did_you_mean(name, tuple(components)) or f"there is {listed}",
            )
        elif not holds(assertion, tensor):
            yield error(
                "TFP205",
                f"`{name}` is not what stands behind `->`",
                assertion.span,
                labels=(Label(placed.span, f"gives {name} = {tensor}"),),
                fix=f"write `{name} = {tensor}`, or change the steps above",
            )


def holds(assertion: Assertion, tensor: Tensor) -> bool:
    """Whether a type is as said; a size that is said must be known to be that one."""
    if assertion.dtype != tensor.dtype or tensor.shape is None:
        return False
    return len(assertion.shape) == len(tensor.shape) and all(
        said is None or said == size
        for said, size in zip(assertion.shape, tensor.shape, strict=True)
    )
