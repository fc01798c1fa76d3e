"""Reads the `# allow(RULE): reason` comments of a text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tfpc.diagnostics.span import Source, Span

_TEXT_OR_COMMENT = re.compile(r'"(?:[^"\\\n]|\\[^\n])*"?|(?P<comment>#[^\r\n]*)')
_ALLOW = re.compile(r"#\s*allow\((?P<names>[^()]*)\)\s*(?::\s*(?P<reason>.*))?")
# Near it, as in `# Allow cache-after-random`, which matters only with a rule's name.
_ALMOST = re.compile(r"#\s*allow\b\W*(?P<name>[\w-]+)", re.IGNORECASE)
_NAME = re.compile(r"[^,\s](?:[^,]*[^,\s])?")


@dataclass(frozen=True, slots=True)
class Allow:
    """One comment. names: where each stands; line: the one that it stands for."""

    span: Span
    names: tuple[Span, ...]
    reason: str
    line: int


def allows_in(source: Source) -> Iterator[Allow]:
    """All that are written as they should be, down to their names and reason."""
    for span in _comments(source):
        match = _ALLOW.match(span.text)
        if match is not None:
            start = span.start + match.start("names")
            names = tuple(
                Span(source, start + name.start(), start + name.end())
                for name in _NAME.finditer(match["names"])
            )
            reason = (match["reason"] or "").strip()
            yield Allow(span, names, reason, _line_meant(span))


def almost_allows_in(source: Source) -> Iterator[tuple[Span, str]]:
    """(comment, name) of those that may be meant as an `allow`, and are none."""
    for span in _comments(source):
        match = _ALMOST.match(span.text)
        if match is not None and _ALLOW.match(span.text) is None:
            yield span, match["name"]


def stands_alone(span: Span) -> bool:
    """Whether nothing but blanks is in front of it on its line."""
    return not span.source.line(span.line)[: span.column - 1].strip()


def _comments(source: Source) -> Iterator[Span]:
    if "allow" in source.text.lower():
        for match in _TEXT_OR_COMMENT.finditer(source.text):
            if match["comment"]:
                yield Span(source, match.start(), match.end())


def _line_meant(span: Span) -> int:
    """Its own line, or for a comment alone, the next that is not one."""
    line = span.line
    if not stands_alone(span):
        return line
    line += 1
    while line <= span.source.line_count and span.source.line(line).lstrip().startswith(
        "#"
    ):
        line += 1
    return line
