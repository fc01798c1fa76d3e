"""What the formatter lays out: tokens in groups, groups in lines, lines in bodies.

The tree will not do: it has no comments in their places, no parentheses around values
and no literals of names.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TypeAlias

_ALLOW = re.compile(r"#\s*allow\b", re.IGNORECASE)
# A word or a bracket that closes ends a value: a bracket behind it belongs to it.
_ENDS_VALUE = re.compile(r'[\w"\])]')


def is_allow(comment: str | None) -> bool:
    """Whether a comment may be an `# allow`, which stands for one line of the file."""
    return comment is not None and _ALLOW.match(comment) is not None


@dataclass(slots=True)
class Atom:
    """One token as written. ``unary``: it is the minus of one operand."""

    text: str
    unary: bool = False


@dataclass(slots=True)
class Item:
    """One argument or element; ``before``: comments above it, ``after``: behind it."""

    pieces: list[Piece] = field(default_factory=list)
    before: list[str] = field(default_factory=list)
    after: str | None = None

    @property
    def plain(self) -> bool:
        """Whether it is a number, a text or a name, and has no comment."""
        atoms = [piece for piece in self.pieces if isinstance(piece, Atom)]
        single = len(atoms) - atoms[0].unary == 1 if atoms else False
        return single and len(atoms) == len(self.pieces) and not self.comments

    @property
    def comments(self) -> list[str]:
        """Those above it and behind it."""
        return self.before + ([] if self.after is None else [self.after])


@dataclass(slots=True)
class Group:
    """`( )` or `[ ]`.

    written: its text in the file; opening: the comment behind the bracket; dangling:
    those below the last item; comma: whether one stands behind the last item.
    """

    open: str
    close: str
    is_value: bool  # parentheses around one value, which take no comma
    items: list[Item] = field(default_factory=list)
    opening: str | None = None
    dangling: list[str] = field(default_factory=list)
    comma: bool = False
    written: str = ""

    @property
    def comments(self) -> list[str]:
        """All within it, except those of groups in it."""
        own = [] if self.opening is None else [self.opening]
        return own + self.dangling + [c for item in self.items for c in item.comments]

    @property
    def inner(self) -> list[Group]:
        """The groups directly in it."""
        pieces = (piece for item in self.items for piece in item.pieces)
        return [piece for piece in pieces if isinstance(piece, Group)]

    @property
    def has_allow(self) -> bool:
        """Whether an `# allow` stands anywhere in it."""
        return any(map(is_allow, self.comments)) or any(
            group.has_allow for group in self.inner
        )

    @property
    def broken(self) -> bool:
        """Whether it must take several lines: for a comment, or the last comma."""
        stays = bool(self.comments) or (self.comma and bool(self.items))
        return stays or any(group.broken for group in self.inner)


@dataclass(slots=True)
class Body:
    """`{ }`; ``inline``: it was written on one line; ``opening``: comment behind `{`."""

    lines: list[Line] = field(default_factory=list)
    inline: bool = True
    opening: str | None = None


@dataclass(slots=True)
class Line:
    """A statement, or a comment alone, which has no pieces.

    blank: a blank line stood above it; allowed: an `# allow` stands for it.
    """

    pieces: list[Piece] = field(default_factory=list)
    comment: str | None = None
    blank: bool = False
    allowed: bool = False

    @property
    def has_body(self) -> bool:
        """Whether it is a block with a body."""
        return any(isinstance(piece, Body) for piece in self.pieces)


Piece: TypeAlias = Atom | Group | Body


def first_text(piece: Piece) -> str:
    """What it begins with."""
    if isinstance(piece, Atom):
        return piece.text
    return piece.open if isinstance(piece, Group) else "{"


def last_text(piece: Piece) -> str:
    """What it ends with."""
    if isinstance(piece, Atom):
        return piece.text
    return piece.close if isinstance(piece, Group) else "}"


def ends_value(text: str) -> bool:
    """Whether a bracket behind it would be its arguments or its shape."""
    return bool(text) and _ENDS_VALUE.fullmatch(text[-1]) is not None


def gap(before: Piece | None, after: Piece) -> str:
    """The blank between two pieces, if there is one."""
    if before is None or (isinstance(before, Atom) and before.unary):
        return ""
    left, right = last_text(before), first_text(after)
    if right in {",", ".", ".."} or left in {".", ".."}:
        return ""
    return "" if right in {"(", "["} and ends_value(left) else " "
