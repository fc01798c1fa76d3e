"""Numbers of a run as a person reads them."""

from __future__ import annotations

import math
from collections.abc import Mapping

from tfpc.launch.events import number


def figures(metrics: object) -> dict[str, float]:
    """The metrics of an event by name, without what is no number."""
    if not isinstance(metrics, Mapping):
        return {}
    read = {str(name): number(value) for name, value in metrics.items()}
    return {name: value for name, value in read.items() if value is not None}


def in_words(metrics: Mapping[str, float]) -> str:
    """`train.loss 0.0123  train.accuracy 0.9876`."""
    return "  ".join(f"{name} {value:.4f}" for name, value in metrics.items())


def whole(value: object) -> str:
    """A count with its thousands apart; `?` where it is not known."""
    figure = number(value)
    return "?" if figure is None or not math.isfinite(figure) else f"{figure:,.0f}"


def counted(value: object, noun: str) -> str:
    """`1 epoch`, `2 epochs`."""
    return f"{whole(value)} {noun}{'' if number(value) == 1 else 's'}"


def share(value: object) -> str:
    """A share as percent; empty where it was not measured."""
    figure = number(value)
    return "" if figure is None or not math.isfinite(figure) else f"{figure:.0%}"


def duration(seconds: float) -> str:
    """`4.2 s`, `42 s`, `3 min 5 s`, `2 h 10 min`."""
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    if round(seconds) < 60:
        return f"{round(seconds)} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min"
