"""Pictures anywhere below a folder, with labels in their names or in a table."""

from __future__ import annotations

import pathlib
from typing import Protocol

import numpy as np

from tfpc.program.failures import InputError
from tfpc.program.sources import Pictures, pictures_below
from tfpc.program.tables import finite_number, whole_number


class LabelsOfPictures(Protocol):
    """Where labels are said."""

    def of_pictures(self, paths: list[str], place: str) -> list[str]:
        """The label of each picture as it is written. Raises InputError."""


def labelled_pictures(
    folder: pathlib.Path,
    labels: LabelsOfPictures,
    place: str,
    *,
    classes: int | None = None,
    like: Pictures | None = None,
    numbers: bool = False,
) -> Pictures:
    """The pictures at any depth below a folder.

    Classes are numbered by name, in order, or as in `like`. classes: how many the
    program was made for; numbers: labels are no classes, but float32. Raises InputError
    if something else is there.
    """
    if not folder.is_dir():
        raise InputError(f"there is no folder {str(folder)!r}", place, str(folder))
    found = pictures_below(folder)
    if not found:
        raise InputError(
            f"there is no picture below {str(folder)!r}", place, str(folder)
        )
    texts = labels.of_pictures(found, place)
    paths = np.array([str(folder / path) for path in found], object)
    if numbers:
        values = [
            number_of(text, path, place)
            for text, path in zip(texts, paths, strict=True)
        ]
        return Pictures(paths, np.array(values, np.float32), [], place)
    names = names_in_order(set(texts))
    known = names if like is None else like.class_names
    if classes is not None and len(names) != classes:
        raise InputError(
            f"the pictures below {str(folder)!r} have {len(names)} classes, but the "
            f"program was made for {classes}: emit it again",
            place,
            str(folder),
        )
    numbered = {name: number for number, name in enumerate(known)}
    for text, path in zip(texts, paths, strict=True):
        if text not in numbered:
            said = f"the class {text!r} of {path} is not one of the training classes"
            raise InputError(said, place, path)
    classes_of = np.array([numbered[text] for text in texts], np.int64)
    return Pictures(paths, classes_of, known, place)


def names_in_order(names: set[str]) -> list[str]:
    """Names sorted, as numbers if all are whole numbers."""
    try:
        return sorted(names, key=lambda name: (whole_number(name), name))
    except ValueError:
        return sorted(names)


def number_of(text: str, path: str, place: str) -> float:
    """A label that is a number. Raises InputError that names its picture."""
    try:
        return finite_number(text)
    except ValueError as error:
        raise InputError(f"the label of {path}: {error}", place, path) from error
