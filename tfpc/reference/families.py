"""The families of words by the names that people have for them."""

from __future__ import annotations

from tfpc.vocabulary.registry import FAMILIES

# A family that is not listed is called by its own name.
TITLES = {
    "source": "data sources",
    "labelling": "labellings of pictures, in `image_folder`",
    "field": "fields of a schema",
    "step": "steps of a pipeline",
    "layer": "layers of a model",
    "encoder": "encoders of columns, in `features`",
    "optimizer": "optimizers",
    "schedule": "schedules of the learning rate",
    "loss": "losses",
    "metric": "metrics",
    "monitor": "monitors",
    "strategy": "strategies",
    "precision": "precisions",
    "memory": "memory of GPUs",
}


def title(family: str) -> str:
    """What stands above the words of a family."""
    return TITLES.get(family, family)


def family_named(name: str) -> str | None:
    """The family that a name is for, in the singular or plural; None for another."""
    singular = name.lower().removesuffix("s")
    for family in FAMILIES:
        first = title(family).partition(" ")[0]
        if name.lower() in (family, first) or singular == family:
            return family
    return None
