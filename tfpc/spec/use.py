"""A word as a spec uses it, on a line of its own or as a value."""

from __future__ import annotations

from dataclasses import dataclass

from tfpc.diagnostics.span import Span
from tfpc.resolve.tree import Argument, Node
from tfpc.types.value import Symbol, Value


@dataclass(frozen=True, slots=True)
class Use:
    """What stands in the parentheses of a word, and where.

    span: from the word to its arguments; shape: what stands in `[ ]`, None without;
    target: the text behind `python`.
    """

    word: str
    word_span: Span
    span: Span
    positional: tuple[Value, ...]
    keywords: tuple[Argument, ...]
    shape: tuple[Value, ...] | None = None
    target: Value | None = None

    @classmethod
    def of_node(cls, node: Node) -> Use:
        """A step, layer or monitor."""
        return cls(
            node.word,
            node.word_span,
            node.head,
            node.positional,
            node.keywords,
            target=node.target,
        )

    @classmethod
    def of_symbol(cls, symbol: Symbol, span: Span) -> Use:
        """A word used as a value."""
        keywords = tuple(
            Argument(name, span, value) for name, value, span in symbol.keywords
        )
        return cls(
            symbol.word,
            symbol.word_span or span,
            span,
            symbol.positional,
            keywords,
            symbol.shape,
            symbol.target,
        )
