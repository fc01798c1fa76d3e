"""Where words and settings belong that stand elsewhere."""

from __future__ import annotations

from tfpc.resolve.settings import BLOCK_SETTINGS, SETTINGS
from tfpc.spec.expectation import article
from tfpc.vocabulary.registry import find

PLACES = {
    "source": "in `data`",
    "step": "in `pipeline`",
    "layer": "in `model`",
    "monitor": "in `observe`",
    "optimizer": "as `optimizer = ...` in `train`",
    "schedule": "as `learning_rate = ...`",
    "loss": "as `loss = ...` in `train`",
    "metric": "in `metrics = [...]` of `train`",
    "strategy": "as `strategy = ...`",
    "precision": "as `precision = ...`",
    "memory": "as `memory = ...`",
    "field": "in `schema`",
    "labelling": "as `labels = ...` of `image_folder`",
    "encoder": "in `features`, as `column = ...`",
}
# What a family is called in messages, where that differs.
NAMES = {"field": "type", "memory": "memory setting"}


def family_of(word: str) -> str | None:
    """The family of a word, None if there is no such word."""
    families = find(word)
    return families[0] if families else None


def called(family: str) -> str:
    """`a layer`, `an optimizer`."""
    name = NAMES.get(family, family)
    return f"{article(name)} {name}"


def word_belongs(word: str) -> tuple[str, str] | None:
    """(`is a layer`, what to type) for a word of the vocabulary; None for others."""
    if word == "schema":
        return "is a part of `data`", "write it in the braces of `data`"
    family = family_of(word)
    if family is None:
        return None
    return f"is {called(family)}", f"write it {PLACES[family]}"


def setting_belongs(name: str) -> str:
    """Where a setting belongs, as a fix; "" for a name that is none."""
    last = name.rpartition(".")[2]
    if name in SETTINGS:
        return f"write `{name} = ...` outside all braces"
    for block, known in BLOCK_SETTINGS.items():
        if last in known:
            return f"write `{last} = ...` in the braces of `{block}`"
    if last in ("learning_rate", "momentum", "weight_decay"):
        return f"give it to the optimizer: `optimizer = adam({last} = ...)`"
    if last == "batch_size":
        return "write `batch(...)` as a step of the pipeline"
    return ""
