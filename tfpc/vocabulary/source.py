"""What a source is: a word that says where examples come from."""

from __future__ import annotations

import pathlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from tfpc.types.element import Element
from tfpc.types.facts import SourceFacts
from tfpc.types.fragment import Fragment
from tfpc.vocabulary.schema import SchemaField
from tfpc.vocabulary.word import Mismatch, Word


@dataclass(frozen=True, slots=True)
class Probe:
    """What a look at the data gave: the type of an example, and facts.

    fields: what was read of each component, where the source has fields.
    """

    element: Element
    facts: SourceFacts
    fields: Mapping[str, SchemaField] | None = None


@dataclass(frozen=True, slots=True)
class Opening:
    """What is known when a source is opened.

    classes: how many classes the program is made for, None if that is not known; like:
    the opened training source, whose classes count, None for itself; element: the type
    of its examples; class_names: of the label, None if they are not known; fields: what
    is read of each component, None where a source has no fields.
    """

    classes: int | None
    like: Fragment | None
    element: Element
    class_names: tuple[str, ...] | None = None
    fields: Mapping[str, SchemaField] | None = None


class Source(Word):
    """A source of examples.

    random_access: its examples can be read in any order; in_memory: they are there
    when it is open, so that a whole batch of them is read at once; opened: the class
    of the program that it becomes.
    """

    family: ClassVar[str] = "source"
    random_access: ClassVar[bool] = True
    in_memory: ClassVar[bool] = False
    opened: ClassVar[str] = "Pictures"

    @property
    def fix_classes(self) -> str:
        """What to do if a split has other classes than train."""
        return "name the classes alike in both"

    def probe(
        self,
        folder: pathlib.Path,
        schema: Mapping[str, SchemaField] | None,
        label: str,
    ) -> Probe | Mismatch:
        """Looks at the data (names, headers, first records), relative to `folder`.

        schema: the fields that the spec names, None if it names none; label: the name
        of the field that holds the label.
        """
        raise NotImplementedError

    def blind(
        self, schema: Mapping[str, SchemaField] | None, label: str
    ) -> Probe | Mismatch:
        """What is known without looking at the data."""
        raise NotImplementedError

    def code(self, root: Fragment, place: str, opening: Opening) -> Fragment:
        """Opens the source: a source of the program, of the class `opened`.

        root: the folder that paths are relative to; place: the line of the spec.
        """
        raise NotImplementedError
