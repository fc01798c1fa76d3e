"""Words of the language that this version does not have yet: refused, never ignored."""

from __future__ import annotations

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.diagnostics.span import Span
from tfpc.resolve.evaluate import NOT_YET

# By the family of the word, or by the block that has the setting ("" is the whole spec).
LATER_WORDS = {
    "layer": ("bidirectional",),
    "monitor": ("input_stall", "export"),
    "strategy": ("multi_worker", "parameter_server"),
    "precision": ("mixed_float16", "mixed_bfloat16"),
}
LATER_SETTINGS = {
    "": ("compile",),
    "train": (
        "steps",
        "weights",
        "accumulate",
        "clip",
        "ema",
        "from",
    ),
}


def comes_later(word: str, families: tuple[str, ...]) -> bool:
    """Whether a later version has the word in one of the families.

    Any layer of Keras can be named by its path then.
    """
    if word.startswith("keras.") and "layer" in families:
        return True
    return any(word in LATER_WORDS.get(family, ()) for family in families)


def not_yet(word: str, span: Span, fix: str = "leave it out") -> Diagnostic:
    """A word or setting that is known, but not yet there."""
    return error(
        "TFP199",
        f"`{word}` {NOT_YET}",
        span,
        "comes with a later version",
        fix=fix,
    )
