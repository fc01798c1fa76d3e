"""Characters that cannot be seen, or make text look other than it is."""

from __future__ import annotations

import re
import unicodedata

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Edit, Fix
from tfpc.diagnostics.span import Source, Span

# Refused everywhere: control characters, a CR without LF, marks that reorder what
# is shown ("Trojan Source", CVE-2021-42574), and halves of surrogate pairs.
_EVERYWHERE = (
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069"
    r"\ud800-\udfff]|\r(?!\n)"
)
# Refused outside of text and comments only: blanks and joiners of other widths.
_BLANKS = r"[\u00a0\u00ad\u1680\u2000-\u200f\u202f\u205f\u2060\u3000\ufeff]"
_ALWAYS = re.compile(_EVERYWHERE)
_TEXT_COMMENT_OR_BLANK = re.compile(
    rf'"(?:[^"\\\n]|\\[^\n])*"?|#[^\n]*|(?P<blank>{_BLANKS})'
)


def hidden_characters(source: Source) -> list[Diagnostic]:
    """One error for each kind of hidden character, where it first occurs."""
    text = source.text
    places: dict[str, list[int]] = {}
    for match in _ALWAYS.finditer(text):
        places.setdefault(match[0], []).append(match.start())
    if not text.isascii():
        for match in _TEXT_COMMENT_OR_BLANK.finditer(text):
            if match["blank"]:
                places.setdefault(match["blank"], []).append(match.start())
    return [
        _hidden(source, starts, re.fullmatch(_BLANKS, character) is not None)
        for character, starts in sorted(places.items(), key=lambda item: item[1])
    ]


def _hidden(source: Source, starts: list[int], is_blank: bool) -> Diagnostic:
    span = Span(source, starts[0], starts[0] + 1)
    character = span.text
    code = f"U+{ord(character):04X}"
    if len(starts) > 1:
        code += f", the first of {len(starts)} in this file"
    edits = tuple(
        Edit(Span(source, start, start + 1), " " if is_blank else "")
        for start in starts
    )
    name = unicodedata.name(character, "").lower()
    if character == "\r":
        headline = "a carriage return without a line feed"
        fix = Fix("save the file with Unix or Windows line ends")
    elif is_blank:
        headline = f"this is not an ordinary blank but {_article(name)}"
        fix = Fix("write an ordinary blank, or none", edits, safe=True)
    elif character == "\0":
        headline = "a NUL character"
        fix = Fix("remove it; is this a text file in UTF-8?")
    elif name:
        headline = f"{_article(name)} changes how the line is shown, so it is refused"
        fix = Fix("remove it", edits)
    else:
        headline = "a control character"
        fix = Fix("remove it", edits)
    return error("TFP024", headline, span, code, fix=fix)


def _article(name: str) -> str:
    return f"{'an' if name[:1] in 'aeiou' else 'a'} {name}"
