"""Whether reading can go on at the next line after a line that failed."""

from __future__ import annotations

import re

_PIECES = re.compile(r'"(?:[^"\\\n]|\\[^\n])*("?)|#.*|[()\[\]{}]')
_PARTNERS = {")": "(", "]": "[", "}": "{"}


def is_one_line(text: str) -> bool:
    """Whether every bracket and quote that opens in ``text`` also closes in it."""
    if "\n" in text:
        return False
    opened: list[str] = []
    for piece in _PIECES.finditer(text):
        sign = piece[0]
        if sign[0] == '"' and not piece[1]:
            return False
        if sign in ("(", "[", "{"):
            opened.append(sign)
        elif sign in _PARTNERS and (not opened or opened.pop() != _PARTNERS[sign]):
            return False
    return not opened
