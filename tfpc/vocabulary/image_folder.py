"""`image_folder`: pictures in one sub-folder a class, or with labels said elsewhere."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import Field

from tfpc.types.element import Element
from tfpc.types.facts import SourceFacts
from tfpc.types.fragment import Fragment, Operation, call
from tfpc.types.fragment import Literal as Text
from tfpc.types.tensor import Content, Tensor
from tfpc.vocabulary.labelling import Labelling
from tfpc.vocabulary.picture_files import SUFFIXES, files_below, is_picture
from tfpc.vocabulary.schema import SchemaField
from tfpc.vocabulary.source import Opening, Probe, Source
from tfpc.vocabulary.word import Mismatch

SCHEMA = Mismatch(
    "`image_folder` takes no `schema { }`",
    why="its examples always are a picture and a label, with the names `image` and "
    "`label`.",
    fix="remove the `schema { }` block",
)
IMAGE = Tensor("string", (), Content.ENCODED_IMAGE)
NUMBERED = Element((("image", IMAGE), ("label", Tensor("float32", (), Content.LABEL))))


class ImageFolder(Source):
    """Pictures below a folder with one sub-folder a class, or with labels elsewhere.

    With one sub-folder a class, classes are numbered by the names of the sub-folders,
    in order; pictures may lie at any depth below them. Else `labels` says where the
    labels are: `filename("{label}_*")` in the names of the files, or
    `csv("labels.csv")` in a table; pictures then lie anywhere below the folder. An
    example is `(image = string[], label = int64[])`, the image still being the bytes
    of its file; with `kind = number` the label is `float32[]`.
    """

    word: ClassVar[str] = "image_folder"
    example: ClassVar[str] = 'image_folder("data/flowers")'
    positional: ClassVar[tuple[str, ...]] = ("folder",)
    folder: str = Field(
        min_length=1, description="the folder, relative to that of the spec"
    )
    labels: Literal["folder"] | Labelling = Field(
        "folder",
        description="where labels are: `filename(...)`, `csv(...)`, or class folders",
    )

    @property
    def fix_classes(self) -> str:
        """What to do if a split has other classes than train."""
        if isinstance(self.labels, Labelling):
            return self.labels.fix_classes
        return "name the class folders alike in both"

    @property
    def fix_one_class(self) -> str:
        """What to do if there is only one."""
        if isinstance(self.labels, Labelling):
            return "write where the labels of several classes are, in `labels`"
        return "name the folder whose sub-folders are the classes"

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
            names = class_folders(top)
            files = sorted(files_below(top))
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
        if isinstance(self.labels, Labelling):
            return self.labelled(self.labels, folder, files)
        return self.by_folder(names, files)

    def by_folder(self, names: list[str], files: list[str]) -> Probe | Mismatch:
        """A class for each sub-folder."""
        if not names:
            return Mismatch(
                f'"{self.folder}" has no sub-folders',
                "one sub-folder a class is needed",
                "the label of a picture is the name of its folder, unless `labels` says "
                "where it is.",
                "make a sub-folder for each class and move its pictures there, or write "
                'where the labels are: `labels = csv("labels.csv")`',
                argument="folder",
            )
        count = sum("/" in name and is_picture(name) for name in files)
        if not count:
            return self.no_pictures(f"{len(names)} sub-folders without")
        facts = SourceFacts(count, tuple(names), len(files) - count)
        return Probe(typed(len(names)), facts)

    def labelled(
        self, labels: Labelling, folder: pathlib.Path, files: list[str]
    ) -> Probe | Mismatch:
        """The labels as they are said elsewhere."""
        pictures = [name for name in files if is_picture(name)]
        if not pictures:
            return self.no_pictures("no file with")
        found = labels.read(folder, pictures)
        if isinstance(found, Mismatch):
            return found
        left_out = len(files) - len(pictures)
        if labels.kind == "number":
            return Probe(NUMBERED, SourceFacts(len(pictures), None, left_out))
        names = found.class_names()
        facts = SourceFacts(len(pictures), names, left_out)
        return Probe(typed(len(names)), facts)

    def no_pictures(self, what: str) -> Mismatch:
        """Nothing to train on."""
        return Mismatch(
            f'there are no pictures below "{self.folder}"',
            f"{what} {', '.join(SUFFIXES)}",
            fix="put pictures there, or write another path",
            argument="folder",
        )

    def blind(
        self, schema: Mapping[str, SchemaField] | None, label: str
    ) -> Probe | Mismatch:
        """The type of an example; nothing else is known without the folder."""
        if schema is not None:
            return SCHEMA
        labels = self.labels
        numbered = isinstance(labels, Labelling) and labels.kind == "number"
        return Probe(NUMBERED if numbered else typed(None), SourceFacts())

    def code(self, root: Fragment, place: str, opening: Opening) -> Fragment:
        """Opens the folder, with its classes or those of the training split."""
        folder = Operation("/", root, Text(self.folder))
        given: dict[str, object] = {"classes": opening.classes}
        if opening.like is not None:
            given = {"like": opening.like}
        if not isinstance(self.labels, Labelling):
            return call("image_folder", folder, place, **given)
        if self.labels.kind == "number":
            given = {"numbers": True}
        labels = self.labels.code(root)
        return call("labelled_pictures", folder, labels, place, **given)


def typed(classes: int | None) -> Element:
    """The type of an example whose label is a class."""
    high = None if classes is None else classes - 1
    label = Tensor("int64", (), Content.LABEL, 0, high, classes)
    return Element((("image", IMAGE), ("label", label)))


def class_folders(top: pathlib.Path) -> list[str]:
    """The names of the folders right below a folder, in order. Raises OSError."""
    with os.scandir(top) as entries:
        return sorted(
            entry.name
            for entry in entries
            if entry.is_dir() and not entry.name.startswith(".")
        )
