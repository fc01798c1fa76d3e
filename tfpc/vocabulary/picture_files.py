"""Files of pictures below a folder, as the program finds them too."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Iterator

SUFFIXES = (".jpg", ".jpeg", ".png", ".bmp", ".gif", ".webp")


def files_below(top: pathlib.Path, inside: tuple[str, ...] = ()) -> Iterator[str]:
    """The files at any depth, seen from `top`, with `/`; names with a dot are hidden.

    inside: the real folders around, so that a link to one of them is no endless way.
    Raises OSError.
    """
    around = (*inside, os.path.realpath(top))
    with os.scandir(top) as entries:
        for entry in entries:
            if entry.name.startswith("."):
                continue
            if not entry.is_dir():
                yield entry.name
            elif os.path.realpath(entry.path) not in around:
                for name in files_below(top / entry.name, around):
                    yield f"{entry.name}/{name}"


def is_picture(name: str) -> bool:
    """Whether a file is one of a picture, by its suffix."""
    return name.lower().endswith(SUFFIXES)


def some_of(names: list[str]) -> str:
    """The first names in quotes, and how many there are besides."""
    return first_of([f'"{name}"' for name in names])


def first_of(texts: list[str], most: int = 3) -> str:
    """The first texts, and how many there are besides."""
    more = len(texts) - most
    listed = ", ".join(texts[:most])
    return f"{listed} and {more:,} more" if more > 0 else listed
