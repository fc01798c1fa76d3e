"""What there is to know of a word, read from its class."""

from __future__ import annotations

import inspect
import json
import re
from dataclasses import asdict, dataclass
from typing import Any

from pydantic.fields import FieldInfo

from tfpc.spec.expectation import Expectation, expectations
from tfpc.vocabulary.registry import FAMILIES, find, words
from tfpc.vocabulary.word import Word

SHAPE = "shape"
SENTENCE = re.compile(r".+?\.(?=\s+[A-Z`]|$)")


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a word.

    takes: in the words of messages; default: as a spec would write it, None where
    there is none; positional: whether it may be given without its name.
    """

    name: str
    takes: str
    default: str | None
    required: bool
    positional: bool
    description: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A word in one family.

    summary: its first sentence; sizes: whether sizes in `[ ]` may stand behind it;
    body: whether a `{ }` follows; description: all that is said of it.
    """

    family: str
    word: str
    summary: str
    arguments: tuple[Argument, ...]
    example: str
    sizes: bool
    body: bool
    description: str

    def as_values(self) -> dict[str, Any]:
        """For JSON: the fields by their names, in this order. The form only grows."""
        return asdict(self)


def all_words() -> list[Entry]:
    """Every word, family by family."""
    return [entry(word) for family in FAMILIES for word in words(family).values()]


def entries_of(name: str) -> list[Entry]:
    """What a name means, once for each family that has such a word."""
    return [entry(words(family)[name]) for family in find(name)]


def entry(cls: type[Word]) -> Entry:
    """What the class of a word says."""
    description = inspect.cleandoc(cls.__doc__ or "")
    # A shape is written in `[ ]` behind the word, never as an argument.
    taken = {name: what for name, what in expectations(cls).items() if name != SHAPE}
    arguments = tuple(
        Argument(
            name,
            taken[name].in_words(),
            default(info, taken[name]),
            info.is_required(),
            name in (cls.led_by, cls.all_positional, *cls.positional),
            info.description or "",
        )
        for name, info in cls.model_fields.items()
        if name in taken
    )
    return Entry(
        cls.family,
        cls.word,
        first_sentence(description),
        arguments,
        cls.example,
        SHAPE in cls.model_fields,
        cls.has_body,
        description,
    )


def first_sentence(text: str) -> str:
    """The first sentence of a page, on one line."""
    paragraph = " ".join(text.partition("\n\n")[0].split())
    found = SENTENCE.match(paragraph)
    return found[0] if found else paragraph


def default(info: FieldInfo, taken: Expectation) -> str | None:
    """A default as a spec would write it; None where there is none to write."""
    if info.is_required() or info.default is None:
        return None
    return written(info.default, taken)


def written(value: object, taken: Expectation) -> str:
    """A value as a spec would write it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        bare = value in taken.options or taken.name is not None
        return value if bare else json.dumps(value, ensure_ascii=False)
    if isinstance(value, tuple):
        items = taken.items or taken
        return f"[{', '.join(written(item, items) for item in value)}]"
    return str(value)
