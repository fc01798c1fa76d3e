"""Lowers what makes one tensor of several: `residual`, `merge`, and names from above."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Label
from tfpc.diagnostics.suggestion import did_you_mean
from tfpc.plan.building import Building
from tfpc.spec.model import Placed
from tfpc.types.tensor import Tensor
from tfpc.vocabulary.join import Add, Merge
from tfpc.vocabulary.layer import Layer
from tfpc.vocabulary.structure import Residual, Sequence

# Appends layers, False if one could not act on what it met.
LowerLayers: TypeAlias = Callable[[tuple[Placed[Layer], ...], Building], bool]


def lower_merge(
    placed: Placed[Layer], merge: Merge, building: Building, lower: LowerLayers
) -> bool:
    """Each path from the same tensor on, and what joins them."""
    start = building.value
    ends: list[int] = []
    for path in placed.body:
        building.value = start
        if not lower(path.body, building):
            return False
        ends.append(building.value)
    return building.join(merge.how, ends, placed)


def lower_taps(placed: Placed[Layer], word: Add, building: Building) -> bool:
    """The present tensor and those of layers further up."""
    values = [building.value]
    for name in word.taps:
        if name not in building.taps:
            known = tuple(building.taps)
            listed = ", ".join(f"`{each}`" for each in known)
            meant = did_you_mean(name, known)
            fix = (
                f"choose one of {listed}"
                if known
                else f"write `as {name}` behind a layer above"
            )
            building.problems.append(
                error(
                    "TFP106",
                    f"no layer further up is named `{name}`",
                    placed.argument_spans["names"],
                    labels=tuple(
                        Label(tap.span, f"named `{each}`")
                        for each, tap in building.taps.items()
                        if meant and f"`{each}`" in meant
                    ),
                    why="a layer is named by what stands behind `as`, above its use.",
                    fix=meant or fix,
                )
            )
            return False
        values.append(building.taps[name].value)
    return building.join(word.word, values, placed)


def lower_residual(
    placed: Placed[Layer], residual: Residual, building: Building, lower: LowerLayers
) -> bool:
    """The main path, the shortcut, and their sum."""
    start = building.value
    if not lower(placed.body, building):
        return False
    main, last = building.value, building.nodes[-1] if building.nodes else None
    building.value = start
    way = residual.shortcut
    if isinstance(way, Sequence):
        if not lower(way.layers, building):
            return False
    elif isinstance(way, Layer) and not building.apply(way, placed):
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
    return building.join("add", (main, shortcut), placed)


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
