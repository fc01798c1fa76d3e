"""Numbers of a run as a person reads them."""

from __future__ import annotations

import math
from collections.abc import Mapping

from tfpc.launch.events import number


def metrics_in_words(metrics: object, prefix: str = "") -> str:
    """`train.loss 0.0123  train.accuracy 0.9876`."""
    if not isinstance(metrics, Mapping):
        return ""
    said = []
    for name, value in metrics.items():
        figure = number(value)
        if str(name).startswith(prefix) and figure is not None:
            said.append(f"{name} {figure:.4f}")
    return "  ".join(said)


def share(value: object) -> str:
    """A share as percent, or empty where it was not measured."""
    figure = number(value)
    return "" if figure is None or math.isnan(figure) else f"{figure:.0%}"


def duration(seconds: float) -> str:
    """`42 s`, `3 min 5 s`, `2 h 10 min`."""
    if seconds < 60:
        return f"{seconds:.0f} s" if seconds >= 10 else f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min"
