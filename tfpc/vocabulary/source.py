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
    """What a look at the data gave: the type of an example, and facts."""

    element: Element
    facts: SourceFacts


@dataclass(frozen=True, slots=True)
class Opening:
    """What is known when a source is opened.

    classes: how many classes the program is made for, None if that is not known;
    like: the opened training source, whose classes count, None for itself.
    """

    classes: int | None
    like: Fragment | None


class Source(Word):
    """A source of examples.

    random_access: its examples can be read in any order.
    """

    family: ClassVar[str] = "source"
    random_access: ClassVar[bool] = True

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
        """Opens the source: a `Pictures` or `Records` of the program.

        root: the folder that paths are relative to; place: the line of the spec.
        """
        raise NotImplementedError
