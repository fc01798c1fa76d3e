"""A word that its place does not know: misspelt, misplaced, or of a later version."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.diagnostics.suggestion import did_you_mean, nearest
from tfpc.spec.later import comes_later, not_yet
from tfpc.spec.misplaced import NAMES, PLACES, called, family_of
from tfpc.spec.use import Use
from tfpc.vocabulary.registry import words

# What words are called elsewhere that are not spelled alike.
OTHER_NAMES = {
    "fc": "dense",
    "linear": "dense",
    "fully_connected": "dense",
    "bn": "batch_normalization",
    "leakyrelu": "leaky_relu",
    "swish": "silu",
    "early_stopping": "stop_early",
    "earlystopping": "stop_early",
    "model_checkpoint": "checkpoint",
    "modelcheckpoint": "checkpoint",
    "images": "image_folder",
    "image_dataset_from_directory": "image_folder",
    "imagefolder": "image_folder",
    "one_device": "single",
    "cosine_decay": "cosine",
    "cosineannealinglr": "cosine",
    "float": "float32",
    "int": "int64",
    "integer": "int64",
    "int32": "int64",
    "str": "string",
    "text": "string",
    "bytes": "string",
}


def unknown_word(
    use: Use, families: tuple[str, ...], others: Sequence[str]
) -> Diagnostic:
    """What is wrong with a word that none of the families has."""
    known = [word for family in families for word in words(family)]
    # `keras.layers.Dense` is meant by its last name.
    written = use.word.rpartition(".")[2]
    elsewhere = family_of(use.word)
    if elsewhere is not None:
        return misplaced(use, elsewhere, families[0])
    if comes_later(use.word, families) and not (
        "." in use.word and nearest(written, known)
    ):
        is_value = families[0] in ("strategy", "precision")
        instead = did_you_mean("", known) if is_value else "leave it out"
        return not_yet(use.word, use.word_span, instead)
    family = NAMES.get(families[0], families[0])
    return error(
        "TFP101",
        f"there is no {family} named `{use.word}`",
        use.word_span,
        fix=suggestion(written, tuple(known), tuple(others)),
    )


@cache
def suggestion(written: str, known: tuple[str, ...], others: tuple[str, ...]) -> str:
    """What could have been meant."""
    other = OTHER_NAMES.get(written.lower())
    if other in known:
        return f"did you mean `{other}`?"
    if nearest(written, known) or not nearest(written, others):
        found = did_you_mean(written, known)
    else:
        found = did_you_mean(written, others)
    return found or f"choose one of {', '.join(f'`{word}`' for word in known)}"


def misplaced(use: Use, family: str, wanted: str) -> Diagnostic:
    """A word of another family."""
    return error(
        "TFP101",
        f"`{use.word}` is {called(family)}, not {called(wanted)}",
        use.word_span,
        f"stands {PLACES[family]}",
        fix=f"move it where it belongs, or use {called(wanted)} here",
    )
