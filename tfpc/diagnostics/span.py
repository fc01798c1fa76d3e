"""Where something stands in a text: sources, and the pieces of them called spans."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field

_LINE_END = re.compile("\n")
_BYTE_ORDER_MARK = "\ufeff"


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """A text and the name it goes by in messages.

    ``name`` is the path as the user typed it. ``text`` loses a leading byte-order
    mark, so that offsets and columns never count it. Two sources are equal only if
    they are the same object.
    """

    name: str
    text: str
    _starts: list[int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        text = self.text.removeprefix(_BYTE_ORDER_MARK)
        object.__setattr__(self, "text", text)
        starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
        object.__setattr__(self, "_starts", starts)

    @property
    def line_count(self) -> int:
        """Number of lines; an empty text has one."""
        return len(self._starts)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of a character offset, both from one."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of line ``number`` (from one) without its line end."""
        start = self._starts[number - 1]
        end = self.text.find("\n", start)
        if end < 0:
            return self.text[start:]
        return self.text[start:end].removesuffix("\r")

    def line_start(self, number: int) -> int:
        """Offset of the first character of line ``number`` (from one)."""
        return self._starts[number - 1]


@dataclass(frozen=True, slots=True)
class Reached:
    """Where a definition is used, and so how a piece of it was reached.

    ``parameters`` are those of that use, ``filters = 64, strides = 1``.
    """

    span: Span
    parameters: str = ""


@dataclass(frozen=True, slots=True)
class Span:
    """The characters ``start`` up to, not including, ``end`` of a source.

    ``via`` is the use of the definition that they stand in, if they stand in one; the
    same characters are the same span, however they were reached.
    """

    source: Source
    start: int
    end: int
    via: Reached | None = field(default=None, compare=False)

    @classmethod
    def cover(cls, first: Span, last: Span) -> Span:
        """The smallest span that holds both; they must share a source."""
        start, end = min(first.start, last.start), max(first.end, last.end)
        return cls(first.source, start, end, first.via)

    @property
    def uses(self) -> tuple[Reached, ...]:
        """The uses that led here, the innermost first."""
        return () if self.via is None else (self.via, *self.via.span.uses)

    @property
    def line(self) -> int:
        """Line of the first character, from one."""
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        """Column of the first character, from one, in characters."""
        return self.source.position(self.start)[1]

    @property
    def end_line(self) -> int:
        """Line of ``end``, from one."""
        return self.source.position(self.end)[0]

    @property
    def end_column(self) -> int:
        """Column of ``end`` (the first character after the span), from one."""
        return self.source.position(self.end)[1]

    @property
    def text(self) -> str:
        """The characters of the span."""
        return self.source.text[self.start : self.end]

    def __str__(self) -> str:
        line, column = self.source.position(self.start)
        return f"{self.source.name}:{line}:{column}"
