"""What is known where reading fails: enough to say which mistake it is."""

from __future__ import annotations

from dataclasses import dataclass

from lark import Token

from tfpc.diagnostics.span import Source, Span

WORD_KINDS = frozenset({"NAME", "IMPORT", "LET", "FROM", "AS", "PYTHON"})
VALUE_KINDS = frozenset(
    {"INT", "FLOAT", "QUANTITY", "STRING", "TRUE", "FALSE", "UNKNOWN", "LSQB"}
)


@dataclass(frozen=True, slots=True)
class Situation:
    """The token that does not fit, and what stands before it.

    ``token`` is None where the text at ``offset`` is not even a token. ``line`` holds
    the tokens of the statement so far, ``open`` the brackets that are open, and
    ``expected`` the kinds of tokens that would have been right.
    """

    source: Source
    offset: int
    token: Token | None
    line: tuple[Token, ...]
    open: tuple[Token, ...]
    expected: frozenset[str]

    @property
    def kind(self) -> str:
        """The kind of the token; empty if it is not one, `$END` at the end."""
        return self.token.type if self.token is not None else ""

    @property
    def last(self) -> Token | None:
        """The token before, if it belongs to the same statement."""
        return self.line[-1] if self.line else None

    @property
    def last_kind(self) -> str:
        """The kind of the token before; empty at the start of a statement."""
        return self.line[-1].type if self.line else ""

    @property
    def bracket(self) -> str:
        """The kind of the innermost open bracket, or empty."""
        return self.open[-1].type if self.open else ""

    @property
    def inside(self) -> bool:
        """Whether line ends do not count here, being inside ( ) or [ ]."""
        return self.bracket in ("LPAR", "LSQB")

    @property
    def adjacent(self) -> bool:
        """Whether nothing stands between this and the token before."""
        return self.last is not None and self.last.end_pos == self.offset

    @property
    def rest(self) -> str:
        """The text from here to the end of the line."""
        end = self.source.text.find("\n", self.offset)
        text = self.source.text[self.offset : end if end >= 0 else None]
        return text.removesuffix("\r")

    @property
    def span(self) -> Span:
        """The token, or the character, that does not fit."""
        length = len(self.token) if self.token is not None else 1
        if self.kind in ("NL", "$END"):
            # Point behind the last word, not at an empty line far below it.
            end = len(self.source.text[: self.offset].rstrip())
            if self.last is not None and self.last.end_pos is not None:
                end = self.last.end_pos
            return Span(self.source, end, end)
        return self.ahead(length)

    @property
    def subject(self) -> str:
        """The path that the statement sets or starts with: `train.epochs`, or empty."""
        words = []
        skip = 1 if self.line and self.line[0].type == "LET" else 0
        for token in self.line[skip:]:
            if token.type not in WORD_KINDS and token.type != "DOT":
                break
            words.append(str(token))
        return "".join(words)

    @property
    def is_setting(self) -> bool:
        """Whether the statement so far is `path =` and maybe a value."""
        for token in self.line:
            if token.type not in WORD_KINDS and token.type != "DOT":
                return token.type == "EQUAL"
        return False

    def ahead(self, length: int) -> Span:
        """The next ``length`` characters."""
        end = min(self.offset + length, len(self.source.text))
        return Span(self.source, self.offset, end)

    def of(self, token: Token) -> Span:
        """The span of another token."""
        start = token.start_pos or 0
        return Span(self.source, start, start + len(token))

    def line_of(self, token: Token) -> int:
        """The line, from one, on which a token starts."""
        return self.of(token).line

    def behind_last(self) -> Span:
        """The empty place behind the token before."""
        end = self.of(self.last).end if self.last is not None else self.offset
        return Span(self.source, end, end)
