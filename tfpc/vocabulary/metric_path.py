"""The path of a metric as an argument: written bare, `validation.accuracy`."""

from __future__ import annotations

from typing import Annotated, TypeAlias


class MetricPathMark:
    """Marks a field that takes such a path."""


MetricPath: TypeAlias = Annotated[str, MetricPathMark]
