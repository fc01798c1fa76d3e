"""`class_weights`: how much the loss of each class counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfpc.diagnostics.span import Span
from tfpc.resolve.tree import Entry
from tfpc.spec.expectation import Expectation
from tfpc.spec.model import ClassWeights
from tfpc.spec.shown import shown
from tfpc.types.value import Symbol, Value

if TYPE_CHECKING:
    from tfpc.spec.blocks import BlockDecoder

EXAMPLE = "class_weights = weights(cat = 2.0, dog = 1.0)"
LARGEST = 1e6


def decode_class_weights(entry: Entry, decoder: BlockDecoder) -> ClassWeights | None:
    """Weights by name, `weights(cat = 2.0)`, or in the order of the classes, `[2, 1]`."""
    content = entry.value.content
    given: list[tuple[str | None, Value, Span]]
    if isinstance(content, tuple) and content:
        given = [(None, value, value.span) for value in content]
    elif isinstance(content, Symbol) and content.word == "weights" and content.called:
        if content.positional or not content.keywords:
            decoder.report(
                "TFP103",
                "`weights` takes a number for each class, by its name",
                entry.value.span,
                fix=f"write `{EXAMPLE}`",
            )
            return None
        given = list(content.keywords)
    else:
        decoder.report_value(
            entry.value,
            "`class_weights` must be `weights(...)` or a list of numbers",
            Expectation(),
            EXAMPLE,
        )
        return None
    wrong = [value for _, value, _ in given if not is_weight(value)]
    for value in wrong:
        decoder.report(
            "TFP103",
            f"a weight must be a number above 0 and at most {LARGEST:,.0f}",
            value.span,
            shown(value),
            fix=f"for example `{EXAMPLE}`",
        )
    if wrong:
        return None
    return ClassWeights(
        entry.value.span,
        tuple((name, float(value.content), span) for name, value, span in given),  # type: ignore[arg-type]
    )


def is_weight(value: Value) -> bool:
    """Whether a value may weigh a class."""
    content = value.content
    if isinstance(content, bool) or not isinstance(content, int | float):
        return False
    return 0 < content <= LARGEST
