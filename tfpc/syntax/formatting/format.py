"""Formats a spec, and proves that it still says the same."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, is_dataclass

from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.diagnostics.span import Source, Span
from tfpc.syntax.formatting.layout import Layout
from tfpc.syntax.formatting.reading import read_pieces
from tfpc.syntax.nodes import Comment, Document
from tfpc.syntax.parser import parse


class ChangedMeaningError(Exception):
    """What was formatted is not what it was: a mistake of the formatter."""


def format_source(source: Source) -> tuple[str | None, list[Diagnostic]]:
    """The formatted text, with plain line ends; or None and what is wrong in it.

    Raises ChangedMeaningError rather than give a text that says something else.
    """
    document, problems = parse(source)
    if document is None:
        return None, problems
    layout = Layout()
    layout.write_lines(read_pieces(source).lines, 0)
    text = "".join(f"{line}\n" for line in layout.lines)
    check_same(document, Source(source.name, text))
    return text, []


def check_same(document: Document, formatted: Source) -> None:
    """Raises ChangedMeaningError unless tree and comments are those of a document."""
    again, problems = parse(formatted)
    if again is None:
        raise ChangedMeaningError(problems[0].headline)
    if not same(document.statements, again.statements):
        raise ChangedMeaningError("the formatted text has another tree")
    if texts(document.comments) != texts(again.comments):
        raise ChangedMeaningError("the formatted text has other comments")


def texts(comments: tuple[Comment, ...]) -> Counter[str]:
    """How often each comment is there; one inside of a value may change its place."""
    return Counter(comment.text.rstrip() for comment in comments)


def same(one: object, other: object) -> bool:
    """Whether two parts of trees are equal but for their places."""
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple) and isinstance(other, tuple):
        pairs = zip(one, other, strict=False)
        return len(one) == len(other) and all(same(*pair) for pair in pairs)
    if isinstance(one, Span) or not is_dataclass(one):
        return isinstance(one, Span) or one == other
    names = [field.name for field in fields(one)]
    return all(same(getattr(one, each), getattr(other, each)) for each in names)
