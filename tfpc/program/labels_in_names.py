"""Labels of pictures that are parts of the names of their files."""

from __future__ import annotations

import dataclasses

from tfpc.program.failures import InputError
from tfpc.program.sources import PICTURE_SUFFIXES


@dataclasses.dataclass(frozen=True)
class LabelsInNames:
    """pattern: the name of a file, with `{label}` and with `*` for any text.

    take: the `shortest` or `longest` label where a name fits in several ways; without
    it, no name may.
    """

    pattern: str
    take: str | None = None

    def of_pictures(self, paths: list[str], place: str) -> list[str]:
        """The label of each picture. Raises InputError for a name that holds none."""
        return [self.of_picture(path, place) for path in paths]

    def of_picture(self, path: str, place: str) -> str:
        """The label of one picture."""
        found = labels_in(self.pattern, path.rpartition("/")[2])
        if not found:
            said = f"{path} does not fit {self.pattern!r}"
            raise InputError(said, place, path)
        if self.take is None and len(found) > 1:
            said = f"{path} fits {self.pattern!r} in several ways: {', '.join(found)}"
            raise InputError(said, place, path)
        return (max if self.take == "longest" else min)(found, key=len)


def labels_in(pattern: str, name: str) -> list[str]:
    """All that could be the label in the name of a file, none if it does not fit.

    The suffix of a picture need not be in the pattern; `.*` there is any suffix.
    """
    text, _, suffix = name.rpartition(".")
    if pattern.lower().endswith(PICTURE_SUFFIXES):
        pattern, _, wanted = pattern.rpartition(".")
        if wanted.lower() != suffix.lower():
            return []
    before, _, after = pattern.removesuffix(".*").partition("{label}")
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
