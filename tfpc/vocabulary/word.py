"""What a word is: a pydantic model of its arguments, what it does to types, its code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pydantic import BaseModel, ConfigDict


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Why a word can't act on what it is given.

    headline and why are sentences in the user's words; label stands under the carets,
    fix is what to type. argument: the argument to blame, else the whole word is; code: of
    a kind of mismatch that has one of its own.
    """

    headline: str
    label: str = ""
    why: str = ""
    fix: str = ""
    argument: str | None = None
    code: str = ""


class Word(BaseModel):
    """A word and its arguments.

    Fields are the arguments, their descriptions are the reference; `positional` names
    those that may be given by position, `led_by` the one that may stand before them as a
    bare name, `all_positional` the list of all that is so given. The class docstring is
    the reference page, `example` a line as it stands in a spec.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        strict=True,
        defer_build=True,
        protected_namespaces=(),
    )

    word: ClassVar[str]
    family: ClassVar[str]
    positional: ClassVar[tuple[str, ...]] = ()
    led_by: ClassVar[str] = ""
    all_positional: ClassVar[str] = ""
    has_body: ClassVar[bool] = False
    may_be_empty: ClassVar[bool] = False
    example: ClassVar[str] = ""
