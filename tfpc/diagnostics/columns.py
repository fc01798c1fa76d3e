"""How wide characters are on a terminal, and what is shown for those that hide."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

_TAB = "    "
_WIDEST = 160
_ELLIPSIS = "..."


@dataclass(frozen=True, slots=True)
class Shown:
    """A source line as printed, character by character.

    ``pieces[i]`` is what is printed for character ``i`` of the line, and ``edges[i]``
    the terminal column (from zero) where it begins; the last edge is the width of
    the whole.
    """

    pieces: Sequence[str]
    edges: Sequence[int]

    @property
    def text(self) -> str:
        """The whole line."""
        return "".join(self.pieces)


def show(line: str) -> Shown:
    """``line`` with tabs as blanks, and hidden characters as escapes."""
    if line.isascii() and line.isprintable():
        return Shown(line, range(len(line) + 1))
    pieces: list[str] = []
    edges = [0]
    for character in line:
        piece, width = _piece(character)
        pieces.append(piece)
        edges.append(edges[-1] + width)
    return Shown(pieces, edges)


def visible(text: str) -> str:
    """``text`` with characters that a terminal would obey or hide as escapes."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        character if character == "\n" else _piece(character)[0] for character in text
    )


def _piece(character: str) -> tuple[str, int]:
    if character == "\t":
        return _TAB, len(_TAB)
    category = unicodedata.category(character)
    if category in ("Mn", "Me"):
        return character, 0
    if category[0] == "C" or category in ("Zl", "Zp"):
        number = ord(character)
        escape = f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"
        return escape, len(escape)
    if unicodedata.east_asian_width(character) in ("W", "F"):
        return character, 2
    return character, 1


def cut(shown: Shown, start: int, end: int) -> tuple[str, int, int]:
    """A window of a long line around the columns ``start`` to ``end``.

    Returns the text and where the two columns are in it. Lines of ordinary length
    come back whole.
    """
    width = shown.edges[-1]
    if width <= _WIDEST:
        return shown.text, start, end
    # A little of what stands before, most of what stands behind.
    wanted = max(0, min(start - _WIDEST // 4, width - _WIDEST))
    first = bisect_left(shown.edges, wanted)
    last = bisect_left(shown.edges, min(width, wanted + _WIDEST))
    left = _ELLIPSIS if first > 0 else ""
    right = _ELLIPSIS if last < len(shown.pieces) else ""
    text = left + "".join(shown.pieces[first:last]) + right
    origin = shown.edges[first] - len(left)
    end = max(start + 1, min(end, shown.edges[last]))
    return text, start - origin, end - origin
