"""Pictures in folders: what is there, and how one of them is read, in any order."""

from __future__ import annotations

import dataclasses
import functools
import os
import pathlib
from collections.abc import Iterator

import numpy as np
import tensorflow as tf

from tfpc.program.failures import InputError

PICTURE_SUFFIXES = (".jpg", ".jpeg", ".png", ".bmp", ".gif", ".webp")


@dataclasses.dataclass(frozen=True)
class Pictures:
    """Files of pictures with a label each, read in any order.

    place: the line of the spec that names them, for messages.
    """

    paths: np.ndarray
    labels: np.ndarray
    class_names: list[str]
    place: str

    @property
    def count(self) -> int:
        """The number of examples."""
        return len(self.paths)

    def select(self, member: np.ndarray) -> Pictures:
        """Only the examples marked in `member`: bool[count]."""
        return dataclasses.replace(
            self, paths=self.paths[member], labels=self.labels[member]
        )

    @functools.cached_property
    def tensors(self) -> tuple[tf.Tensor, tf.Tensor]:
        """All paths and labels; outside of any graph, which would hold a copy."""
        with tf.init_scope():
            return tf.constant(self.paths.tolist(), tf.string), tf.constant(self.labels)

    def read(self, index: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        """The bytes of a file (string[]) and its label (int64[] or float32[])."""
        paths, labels = self.tensors
        return tf.io.read_file(tf.gather(paths, index)), tf.gather(labels, index)

    def keys(self) -> tf.data.Dataset:
        """(index,) of each example, once."""
        return tf.data.Dataset.from_tensor_slices((np.arange(self.count),))

    def file_of(self, index: int) -> str:
        """Where the example comes from."""
        return str(self.paths[index])

    def damaged_file(self) -> tuple[str, str] | None:
        """None: each file is one example, and is found as such."""
        return None


def pictures_below(folder: pathlib.Path) -> list[str]:
    """The pictures at any depth, sorted, seen from `folder`, with `/`."""
    return sorted(
        name
        for name in files_below(folder, ())
        if name.lower().endswith(PICTURE_SUFFIXES)
    )


def files_below(top: pathlib.Path, inside: tuple[str, ...]) -> Iterator[str]:
    """The files at any depth, without hidden ones, seen from `top`, with `/`.

    inside: the real folders around, so that a link to one of them is no endless way.
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


def image_folder(
    folder: pathlib.Path,
    place: str,
    *,
    classes: int | None = None,
    like: Pictures | None = None,
) -> Pictures:
    """The pictures below a folder with one sub-folder a class.

    Classes are numbered by name, in order, or as in `like`; a class's pictures lie at
    any depth. classes: how many the program was made for. Raises InputError if
    something else is there.
    """
    if not folder.is_dir():
        raise InputError(f"there is no folder {str(folder)!r}", place, str(folder))
    names = sorted(
        entry.name
        for entry in folder.iterdir()
        if entry.is_dir() and not entry.name.startswith(".")
    )
    known = names if like is None else like.class_names
    if classes is not None and len(names) != classes:
        raise InputError(
            f"{str(folder)!r} has {len(names)} class folders, but the program was "
            f"made for {classes}: emit it again",
            place,
            str(folder),
        )
    paths: list[str] = []
    labels: list[int] = []
    for name in names:
        if name not in known:
            raise InputError(
                f"the class {name!r} is not one of the training classes",
                place,
                str(folder / name),
            )
        files = [str(folder / name / path) for path in pictures_below(folder / name)]
        paths += files
        labels += [known.index(name)] * len(files)
    if not paths:
        raise InputError(
            f"there is no picture below {str(folder)!r}", place, str(folder)
        )
    return Pictures(np.array(paths, object), np.array(labels, np.int64), known, place)
