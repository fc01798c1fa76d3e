"""What an expression of a spec comes to, and where that came from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from tfpc.diagnostics.span import Span
from tfpc.types.quantity import Amount


@dataclass(frozen=True, slots=True)
class Symbol:
    """A word used as a value, `adam(learning_rate = 1e-3)` or bare, `relu`.

    keywords: name, value, and where the name stands; called: it has parentheses;
    shape is what stands in `[ ]`; lets are the names that could have been meant. lines
    is what a definition of that name stands for, None if there is none; target is the
    text behind `python`.
    """

    word: str
    positional: tuple[Value, ...] = ()
    keywords: tuple[tuple[str, Value, Span], ...] = ()
    called: bool = False
    shape: tuple[Value, ...] | None = None
    word_span: Span | None = None
    lets: tuple[str, ...] = ()
    lines: tuple[object, ...] | None = None
    target: Value | None = None


@dataclass(frozen=True, slots=True)
class Interval:
    """`low..high`, both included."""

    low: Value
    high: Value


@dataclass(frozen=True, slots=True)
class Anything:
    """`?`, a size that is not known."""


Content: TypeAlias = (
    "int | float | bool | str | Amount | Symbol | Interval | Anything"
    " | tuple[Value, ...]"
)


@dataclass(frozen=True, slots=True)
class Value:
    """A value with its provenance.

    span: where it is used, which is what carets point at. origin: where it was made,
    if elsewhere (the `let`, the `--set`), with `how` in words: "set by `let size`".
    """

    content: Content
    span: Span
    origin: Span | None = None
    how: str = ""

    @property
    def text(self) -> str:
        """As a message quotes it."""
        content = self.content
        if isinstance(content, bool):
            return str(content).lower()
        if isinstance(content, str):
            return f'"{content}"'
        if isinstance(content, Symbol):
            return content.word
        if isinstance(content, Interval):
            return f"{content.low.text}..{content.high.text}"
        if isinstance(content, Anything):
            return "?"
        if isinstance(content, tuple):
            return "[" + ", ".join(item.text for item in content) + "]"
        return f"{content}"

    @property
    def quoted(self) -> str:
        """The same, a word in backticks."""
        return f"`{self.text}`" if isinstance(self.content, Symbol) else self.text
