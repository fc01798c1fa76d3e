"""Patterns of file names that hold a label: `{label}_*`, `*-{label}.jpg`."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import AfterValidator

from tfpc.vocabulary.picture_files import SUFFIXES

LABEL = "{label}"


def is_pattern(pattern: str) -> str:
    """Checks that a pattern says where the label begins and ends."""
    rest = pattern.replace(LABEL, "", 1)
    if rest == pattern or LABEL in rest:
        raise ValueError("must hold `{label}` once: the part that is the label")
    if "{" in rest or "}" in rest:
        raise ValueError("must hold no other braces than `{label}`: `*` is any text")
    if "/" in rest or "\\" in rest:
        raise ValueError("must be of the file's name alone, without folders")
    if "?" in rest:
        raise ValueError("must hold no `?`: the only sign is `*`, which is any text")
    if f"*{LABEL}" in pattern or f"{LABEL}*" in pattern:
        raise ValueError(
            "must have text between `*` and `{label}`, such as `_`: "
            "else no one knows where the label ends"
        )
    return pattern


LabelPattern: TypeAlias = Annotated[str, AfterValidator(is_pattern)]


def labels_in(pattern: str, name: str) -> list[str]:
    """All that could be the label in the name of a file, none if it does not fit.

    The suffix of a picture need not be in the pattern; `.*` there is any suffix.
    """
    stem, dot, suffix = name.rpartition(".")
    if pattern.lower().endswith(SUFFIXES):
        pattern, _, wanted = pattern.rpartition(".")
        if wanted.lower() != suffix.lower():
            return []
    text = stem if dot else name
    before, _, after = pattern.removesuffix(".*").partition(LABEL)
    starts = ends_of(before.split("*"), text)
    mirrored = [piece[::-1] for piece in reversed(after.split("*"))]
    ends = [len(text) - place for place in ends_of(mirrored, text[::-1])]
    found = [text[start:end] for start in starts for end in ends if start < end]
    return list(dict.fromkeys(found))


def ends_of(pieces: list[str], text: str) -> list[int]:
    """Where the beginning of a text may end that is these pieces with any text between."""
    first, *others = pieces
    if not text.startswith(first):
        return []
    places = [len(first)]
    for piece in others:
        rest = range(places[0], len(text) - len(piece) + 1)
        places = [at + len(piece) for at in rest if text.startswith(piece, at)]
        if not places:
            return []
    return places
