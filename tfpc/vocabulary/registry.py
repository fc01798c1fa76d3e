"""All words by family; the classes of a family are made when it is first asked for."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from tfpc.vocabulary.word import Word

FAMILIES: dict[str, tuple[str, ...]] = {
    "source": ("image_folder", "tfrecord", "split"),
    "field": ("schema",),
    "step": ("decode", "images", "stream"),
    "layer": (
        "dense",
        "convolution",
        "pooling",
        "normalization",
        "activation",
        "structure",
    ),
    "optimizer": ("optimizer",),
    "schedule": ("schedule",),
    "loss": ("loss",),
    "metric": ("metric",),
    "monitor": ("monitor",),
    "strategy": ("settings",),
    "precision": ("settings",),
}


@cache
def words(family: str) -> dict[str, type[Word]]:
    """The words of a family by name."""
    found: dict[str, type[Word]] = {}
    for module in FAMILIES[family]:
        for value in vars(import_module(f"tfpc.vocabulary.{module}")).values():
            if (
                isinstance(value, type)
                and issubclass(value, Word)
                and value.__module__ == f"tfpc.vocabulary.{module}"
                and value.family == family
                and "word" in vars(value)
            ):
                found[value.word] = value
    return found


def find(word: str) -> list[str]:
    """The families that have a word of that name."""
    return [family for family in FAMILIES if word in words(family)]
