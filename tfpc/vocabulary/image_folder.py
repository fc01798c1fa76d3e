"""`image_folder`: pictures in one sub-folder a class."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Mapping
from typing import ClassVar

from pydantic import Field

from tfpc.types.element import Element
from tfpc.types.facts import SourceFacts
from tfpc.types.fragment import Fragment, Literal, Operation, call
from tfpc.types.tensor import Content, Tensor
from tfpc.vocabulary.schema import SchemaField
from tfpc.vocabulary.source import Opening, Probe, Source
from tfpc.vocabulary.word import Mismatch

SCHEMA = Mismatch(
    "`image_folder` takes no `schema { }`",
    why="its examples always are `(image = string[], label = int64[])`.",
    fix="remove the `schema { }` block",
)
SUFFIXES = (".jpg", ".jpeg", ".png", ".bmp", ".gif", ".webp")


class ImageFolder(Source):
    """Pictures below a folder with one sub-folder a class.

    Classes are numbered by the names of the sub-folders, in order. An example is
    `(image = string[], label = int64[])`, the image still being the bytes of its file.
    """

    word: ClassVar[str] = "image_folder"
    example: ClassVar[str] = 'image_folder("data/flowers")'
    positional: ClassVar[tuple[str, ...]] = ("folder",)
    folder: str = Field(
        min_length=1, description="the folder, relative to that of the spec"
    )

    def probe(
        self,
        folder: pathlib.Path,
        schema: Mapping[str, SchemaField] | None,
        label: str,
    ) -> Probe | Mismatch:
        """Lists the folders; reads no picture."""
        if schema is not None:
            return SCHEMA
        top = folder / self.folder
        try:
            names, count, left_out = listed(top)
        except OSError as error:
            return Mismatch(
                f'there is no folder "{self.folder}"',
                "not found"
                if isinstance(error, FileNotFoundError)
                else str(error.strerror),
                f"it was looked for at {top.absolute()}: paths in a spec are relative to the "
                "spec's own folder.",
                "put the data there, or write the path that it has",
                argument="folder",
            )
        if not names:
            return Mismatch(
                f'"{self.folder}" has no sub-folders',
                "one sub-folder a class is needed",
                "the label of a picture is the name of its folder.",
                "make a sub-folder for each class and move its pictures there",
                argument="folder",
            )
        if not count:
            return Mismatch(
                f'there are no pictures below "{self.folder}"',
                f"{len(names)} sub-folders without {', '.join(SUFFIXES)}",
                fix="put pictures there, or write another path",
                argument="folder",
            )
        facts = SourceFacts(count, tuple(names), left_out)
        return Probe(self.typed(len(names)), facts)

    def blind(
        self, schema: Mapping[str, SchemaField] | None, label: str
    ) -> Probe | Mismatch:
        """The type of an example; nothing else is known without the folder."""
        return SCHEMA if schema is not None else Probe(self.typed(None), SourceFacts())

    def typed(self, classes: int | None) -> Element:
        """The type of an example."""
        high = None if classes is None else classes - 1
        label = Tensor("int64", (), Content.LABEL, 0, high, classes)
        image = Tensor("string", (), Content.ENCODED_IMAGE)
        return Element((("image", image), ("label", label)))

    def code(self, root: Fragment, place: str, opening: Opening) -> Fragment:
        """Opens the folder, with its classes or those of the training split."""
        folder = Operation("/", root, Literal(self.folder))
        if opening.like is not None:
            return call("image_folder", folder, place, like=opening.like)
        return call("image_folder", folder, place, classes=opening.classes)


def listed(top: pathlib.Path) -> tuple[list[str], int, int]:
    """Class names, pictures, and other files below a folder. Raises OSError."""
    with os.scandir(top) as entries:
        names = sorted(
            entry.name
            for entry in entries
            if entry.is_dir() and not entry.name.startswith(".")
        )
    count = left_out = 0
    for name in names:
        with os.scandir(top / name) as entries:
            for entry in entries:
                if entry.name.startswith("."):
                    continue
                if entry.name.lower().endswith(SUFFIXES):
                    count += 1
                else:
                    left_out += 1
    return names, count, left_out
