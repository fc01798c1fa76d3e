"""Reads quoted text: escapes, and the names inside `${ }`."""

from __future__ import annotations

import re

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Edit, Fix
from tfpc.diagnostics.span import Span
from tfpc.syntax import nodes

_ESCAPES = {"\\": "\\", '"': '"', "n": "\n", "t": "\t", "$": "$"}
_SPECIAL = re.compile(r"\\(.)|\$\{([^}]*)(\}?)", re.DOTALL)
_WINDOWS = re.compile(r'"[A-Za-z]:\\[^\\]')
_PATH = re.compile(r"\s*[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*\s*")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def read(span: Span) -> tuple[nodes.Text, list[Diagnostic]]:
    """The text whose quotes ``span`` includes, and what is wrong inside it."""
    literal = span.text
    parts: list[str | nodes.Path] = []
    problems: list[Diagnostic] = []
    if _WINDOWS.match(literal):
        return nodes.Text(span, (literal[1:-1],), literal), [_windows_path(span)]
    plain: list[str] = []
    end = 1
    for match in _SPECIAL.finditer(literal, 1, len(literal) - 1):
        plain.append(literal[end : match.start()])
        end = match.end()
        place = Span(span.source, span.start + match.start(), span.start + end)
        if match[1] is not None:
            plain.append(_ESCAPES.get(match[1], match[0]))
            if match[1] not in _ESCAPES:
                problems.append(_unknown_escape(place))
        elif match[3] and _PATH.fullmatch(match[2]):
            _flush(plain, parts)
            parts.append(_path(span, match.start(2), match.end(2)))
        else:
            problems.append(_bad_interpolation(place, match[2], bool(match[3])))
    plain.append(literal[end : len(literal) - 1])
    _flush(plain, parts)
    return nodes.Text(span, tuple(parts), literal), problems


def _flush(plain: list[str], parts: list[str | nodes.Path]) -> None:
    if piece := "".join(plain):
        parts.append(piece)
    plain.clear()


def _path(span: Span, start: int, end: int) -> nodes.Path:
    offset = span.start
    names = tuple(
        nodes.Name(
            Span(span.source, offset + match.start(), offset + match.end()), match[0]
        )
        for match in _NAME.finditer(span.text, start, end)
    )
    return nodes.Path(Span.cover(names[0].span, names[-1].span), names)


def _windows_path(span: Span) -> Diagnostic:
    # Reported even where every escape exists: in `C:\train` the `\t` is a tab.
    slashed = span.text.replace("\\", "/")
    return error(
        "TFP015",
        "paths are written with `/`",
        span,
        why="a `\\` in text starts an escape: `\\t` would become a tab.",
        fix=Fix(
            f"write `{slashed}`, which Windows takes too, or double each `\\`",
            (Edit(span, slashed),),
            safe=True,
        ),
    )


def _unknown_escape(place: Span) -> Diagnostic:
    doubled = "\\" + place.text
    return error(
        "TFP015",
        f"`{place.text}` stands for nothing in text",
        place,
        why='a backslash in text starts one of `\\\\`, `\\"`, `\\n`, `\\t`, `\\$`.',
        fix=Fix(
            f"write `{doubled}` for a backslash; paths may use `/` on Windows too",
            (Edit(place, doubled),),
        ),
    )


def _bad_interpolation(place: Span, inside: str, closed: bool) -> Diagnostic:
    if not closed:
        headline, fix = "this `${` has no `}`", "close it: `${name}`"
    elif not inside.strip():
        headline, fix = "there is no name in `${}`", "write a name: `${name}`"
    else:
        headline = f"`${{{inside}}}` takes a name and nothing else"
        fix = f"write `let value = {inside.strip()}` above and use `${{value}}` here"
    return error(
        "TFP016",
        headline,
        place,
        fix=f"{fix}; a `${{` that is meant as text is written `\\${{`",
    )
