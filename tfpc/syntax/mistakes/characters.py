"""Characters that no token starts with, as far as no other mistake explains them."""

from __future__ import annotations

import re
import unicodedata

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Edit, Fix
from tfpc.diagnostics.span import Span
from tfpc.syntax.situation import Situation

_LOOKALIKES = {
    "\N{MINUS SIGN}": "-",
    "\N{EN DASH}": "-",
    "\N{EM DASH}": "-",
    "\N{HYPHEN}": "-",
    "\N{MULTIPLICATION SIGN}": "*",
    "\N{FULLWIDTH COMMA}": ",",
    "\N{FULLWIDTH EQUALS SIGN}": "=",
    "\N{FULLWIDTH LEFT PARENTHESIS}": "(",
    "\N{FULLWIDTH RIGHT PARENTHESIS}": ")",
    "\N{HORIZONTAL ELLIPSIS}": "..",
}


def other_alphabet(at: Situation) -> Diagnostic | None:
    """`größe = 3`: letters and digits beyond ASCII."""
    if at.token is not None:
        return None
    character = at.rest[:1]
    if character.isascii() or not re.match(r"\w", character):
        return None
    text = at.source.text
    start, end = at.offset, at.offset
    while start > 0 and re.match(r"\w", text[start - 1]):
        start -= 1
    while end < len(text) and _continues(text[end]):
        end += 1
    span = Span(at.source, start, end)
    decomposed = unicodedata.normalize(
        "NFKD", span.text.replace("\N{LATIN SMALL LETTER SHARP S}", "ss")
    )
    letters = "".join(sign for sign in decomposed if not unicodedata.combining(sign))
    plain = letters if letters.isascii() else ""
    fix = "write it with the letters `a` to `z`, digits and `_`"
    if re.fullmatch(r"[A-Za-z_]\w+", plain):
        fix += f", such as `{plain}`"
    return error(
        "TFP002",
        "names use the letters `a` to `z`, digits and `_`",
        span,
        why="names become names in Python and in checkpoints; text in quotes is free.",
        fix=fix,
    )


def _continues(character: str) -> bool:
    return (
        character.isalnum() or character == "_" or unicodedata.combining(character) > 0
    )


def unknown_character(at: Situation) -> Diagnostic | None:
    """Any other character that means nothing."""
    if at.token is not None:
        return None
    character = at.rest[:1]
    if plain := _LOOKALIKES.get(character):
        edit = Edit(at.ahead(1), plain)
        name = unicodedata.name(character).lower()
        return error(
            "TFP002",
            f"`{character}` is not `{plain}`",
            at.ahead(1),
            f"{name}, U+{ord(character):04X}",
            fix=Fix(f"write `{plain}`", (edit,), safe=True),
        )
    name = "" if character.isascii() else unicodedata.name(character, "").lower()
    label = f"{name or 'unnamed'}, U+{ord(character):04X}" if name else ""
    return error(
        "TFP002",
        f"`{character}` means nothing here",
        at.ahead(1),
        label,
        fix="remove it; text stands in double quotes, comments start with `#`",
    )
