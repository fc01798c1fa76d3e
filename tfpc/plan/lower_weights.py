"""Weights of classes in the order of the classes, as the loss takes them."""

from __future__ import annotations

from collections.abc import Sequence

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.diagnostics.suggestion import did_you_mean
from tfpc.spec.model import ClassWeights
from tfpc.types.tensor import Tensor


def lower_weights(
    given: ClassWeights, label: Tensor, names: Sequence[str] | None
) -> tuple[float, ...] | Diagnostic:
    """A weight for each class; 1 for those that are not named.

    label: its type in a batch; names: of the classes, None if they have none.
    """
    count = label.classes
    if count is None or label.shape is None or len(label.shape) > 1 + label.is_float:
        return error(
            "TFP214",
            "`class_weights` needs one class for each example",
            given.span,
            f"the label is {label}",
            fix="say how many classes there are: `label = int64(classes = 10)`",
        )
    if given.weights[0][0] is None:
        return in_order(given, count)
    weights = [1.0] * count
    for name, weight, span in given.weights:
        if names is None:
            return error(
                "TFP214",
                "the classes of this label have numbers, no names",
                span,
                fix=f"write the weights of all {count} in a list, in their order",
            )
        if name not in names:
            return error(
                "TFP214",
                f"there is no class `{name}`",
                span,
                f"classes are {', '.join(names[:8])}",
                fix=fix_of(str(name), names),
            )
        weights[list(names).index(str(name))] = weight
    return tuple(weights)


def fix_of(name: str, names: Sequence[str]) -> str:
    """What to write for a class that there is not; some names can't be written so."""
    if not all(each.isidentifier() for each in names):
        return f"write the weights of all {len(names)} in a list, in their order"
    return did_you_mean(name, names) or "write the name of a class"


def in_order(given: ClassWeights, count: int) -> tuple[float, ...] | Diagnostic:
    """Those of a list, which has one for each class."""
    if len(given.weights) != count:
        return error(
            "TFP214",
            f"there are {len(given.weights)} weights for {count} classes",
            given.span,
            fix="write one for each class, in their order",
        )
    return tuple(weight for _, weight, _ in given.weights)
