"""A document whose expressions have become values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from tfpc.diagnostics.span import Source, Span
from tfpc.types.value import Value


@dataclass(frozen=True, slots=True)
class Argument:
    """`name = value` among arguments; name_span is where the name stands."""

    name: str
    name_span: Span
    value: Value


@dataclass(frozen=True, slots=True)
class Entry:
    """A setting, `path = value`. path_span is where the path stands."""

    path: str
    path_span: Span
    value: Value
    span: Span


@dataclass(frozen=True, slots=True)
class Node:
    """A block, step, layer or monitor.

    head: from the word to its arguments, which is what carets point at. called: it
    has parentheses. source is what stands behind `from`, alias what stands behind `as`,
    asserted what stands behind `->`, by component; target is the text behind `python`.
    """

    word: str
    word_span: Span
    name: str | None
    name_span: Span | None
    positional: tuple[Value, ...]
    keywords: tuple[Argument, ...]
    called: bool
    source: str | None
    source_span: Span | None
    body: tuple[Node | Entry, ...] | None
    alias: str | None
    alias_span: Span | None
    span: Span
    head: Span
    asserted: tuple[Argument, ...] = ()
    asserted_span: Span | None = None
    target: Value | None = None


Item: TypeAlias = Node | Entry


@dataclass(frozen=True, slots=True)
class Resolved:
    """A whole spec: top-level blocks and settings, in order.

    sources: the text of every file of it, the spec first, then its imports.
    """

    source: Source
    items: tuple[Item, ...]
    sources: tuple[Source, ...] = ()

    def nodes(self, word: str) -> tuple[Node, ...]:
        """The top-level blocks of that word."""
        return tuple(
            item for item in self.items if isinstance(item, Node) and item.word == word
        )
