"""Where the labels of pictures are said, if not by their folders."""

from __future__ import annotations

import pathlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from pydantic import Field

from tfpc.types.fragment import Fragment, call
from tfpc.vocabulary.csv_sample import is_number, is_whole
from tfpc.vocabulary.label_pattern import LabelPattern, labels_in
from tfpc.vocabulary.picture_files import some_of
from tfpc.vocabulary.word import Mismatch, Word


@dataclass(frozen=True, slots=True)
class Labels:
    """The label of each picture as it is written, and where that stands."""

    texts: tuple[str, ...]
    places: tuple[str, ...]

    def class_names(self) -> tuple[str, ...]:
        """Each label once, in order; if all are whole numbers, in that of numbers."""
        names = set(self.texts)
        if all(map(is_whole, names)):
            return tuple(sorted(names, key=lambda name: (int(name), name)))
        return tuple(sorted(names))


class Labelling(Word):
    """Says the label of each picture below a folder."""

    family: ClassVar[str] = "labelling"
    example: ClassVar[str] = 'csv("labels.csv")'
    fix_classes: ClassVar[str]
    kind: Literal["class", "number"] = Field(
        "class", description="`number` is a label to predict as such, float32"
    )

    def read(self, folder: pathlib.Path, pictures: Sequence[str]) -> Labels | Mismatch:
        """The labels of pictures, in their order. folder: that of the spec.

        pictures: as seen from the top of all pictures, with `/`.
        """
        found = self.find(folder, pictures)
        if isinstance(found, Mismatch) or self.kind == "class":
            return found
        for text, place in zip(found.texts, found.places, strict=True):
            if not is_number(text):
                return Mismatch(
                    f'the label of {place} is "{text}", which is no number',
                    "`kind = number` asks for numbers",
                    fix="leave `kind` out, if these are the names of classes",
                    argument="labels",
                )
        return found

    def find(self, folder: pathlib.Path, pictures: Sequence[str]) -> Labels | Mismatch:
        """What is written."""
        raise NotImplementedError

    def code(self, root: Fragment) -> Fragment:
        """The same for the program; root: the folder that paths are relative to."""
        raise NotImplementedError


class FileName(Labelling):
    """The label of a picture is a part of its file's name.

    In the pattern `{label}` is that part, `*` any text, also none, and all else is
    itself. The suffix of the file may be left out: `{label}_*` fits `cat_1.jpg`. All
    pictures below the folder must fit, at any depth. A name like `bull_dog_1.jpg`
    fits in two ways, as `bull` and as `bull_dog`: then `take` says which it is.

    Classes are numbered by their names, in order; names that are all whole numbers in
    the order of numbers.
    """

    word: ClassVar[str] = "filename"
    example: ClassVar[str] = 'labels = filename("{label}_*")'
    positional: ClassVar[tuple[str, ...]] = ("pattern",)
    fix_classes: ClassVar[str] = "name the files alike in both"
    pattern: LabelPattern = Field(
        description="the file's name, with `{label}` and `*`, which is any text"
    )
    take: Literal["shortest", "longest"] | None = Field(
        None, description="which label, where a name fits in several ways"
    )

    def find(self, folder: pathlib.Path, pictures: Sequence[str]) -> Labels | Mismatch:
        """Looks at each name."""
        possible = [
            labels_in(self.pattern, path.rpartition("/")[2]) for path in pictures
        ]
        pairs = list(zip(pictures, possible, strict=True))
        unfit = [path for path, labels in pairs if not labels]
        if unfit:
            return Mismatch(
                f'{len(unfit):,} of {len(pairs):,} pictures do not fit "{self.pattern}"',
                some_of(unfit),
                "each picture needs a label, and these names hold none at that place.",
                "write a pattern that fits all of them, or move these files away",
                argument="labels",
            )
        if self.take is None:
            for path, labels in pairs:
                if len(labels) > 1:
                    return self.ambiguous(path, labels)
        choose = max if self.take == "longest" else min
        texts = tuple(choose(labels, key=len) for labels in possible)
        return Labels(texts, tuple(f'"{path}"' for path in pictures))

    def ambiguous(self, path: str, labels: list[str]) -> Mismatch:
        """A name of which several parts could be the label."""
        return Mismatch(
            f'"{path}" fits "{self.pattern}" in several ways',
            " or ".join(f'"{label}"' for label in labels[:3]),
            "what stands between `{label}` and `*` comes more than once in the name.",
            f'say which it is: `filename("{self.pattern}", take = longest)`, '
            "or `take = shortest`",
            argument="labels",
        )

    def code(self, root: Fragment) -> Fragment:
        """`LabelsInNames("{label}_*")`."""
        given = {} if self.take is None else {"take": self.take}
        return call("LabelsInNames", self.pattern, **given)
