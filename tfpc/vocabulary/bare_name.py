"""Arguments that are names written bare, though no list holds them."""

from __future__ import annotations

from typing import Annotated, ClassVar, TypeAlias


class BareName:
    """Marks a field that takes a name. what: what it names; example: such a name."""

    what: ClassVar[str]
    example: ClassVar[str]


class OfMetric(BareName):
    """The path of a metric, `validation.accuracy`."""

    what = "a metric"
    example = "validation.loss"


class OfTap(BareName):
    """What stands behind `as` at a layer further up."""

    what = "the name of a layer further up"
    example = "summary"


MetricPath: TypeAlias = Annotated[str, OfMetric]
TapName: TypeAlias = Annotated[str, OfTap]
