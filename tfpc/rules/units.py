"""How many outputs the last layer has: one mend for several rules."""

from __future__ import annotations

from tfpc.diagnostics.diagnostic import Edit, Fix
from tfpc.plan.ir import LayerNode, Plan
from tfpc.vocabulary.dense import Dense


def as_many_as_classes(last: LayerNode, plan: Plan, *, safe: bool) -> Fix:
    """As many scores as classes; an edit where the units stand as a plain number."""
    classes = f"{plan.data.name}.classes"
    text = last.span.text
    units = str(last.layer.units) if isinstance(last.layer, Dense) else ""
    if units and text.startswith(f"dense({units}") and text.count(units) == 1:
        mended = text.replace(units, classes)
        return Fix(f"write `{mended}`", (Edit(last.span, mended),), safe=safe)
    return Fix(f"write `dense({classes})`")
