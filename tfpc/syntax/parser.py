"""Turns the text of a spec into its tree, or into syntax errors."""

from __future__ import annotations

import threading
from functools import cache
from typing import Any, cast

import lark
from lark import Token
from lark.exceptions import UnexpectedCharacters, UnexpectedToken

from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.diagnostics.span import Source, Span
from tfpc.syntax.build import Builder
from tfpc.syntax.build_values import RESERVED
from tfpc.syntax.depth import DEEPEST, too_deep
from tfpc.syntax.grammar import load_grammar
from tfpc.syntax.hidden import hidden_characters
from tfpc.syntax.nodes import Document
from tfpc.syntax.recovery import is_one_line
from tfpc.syntax.situation import Situation

_OPENING = {"LPAR", "LSQB", "LBRACE"}
_CLOSING = {"RPAR", "RSQB", "RBRACE"}
_OPERATORS = {"PLUS", "MINUS", "STAR", "SLASH", "DOTDOT"}
_WORDS = {word.upper() for word in RESERVED}
_MOST_ERRORS = 20

# The builder belongs to the tables, and both are shared by all calls.
_LOCK = threading.Lock()


def parse(source: Source, start: int = 0) -> tuple[Document | None, list[Diagnostic]]:
    """The tree of ``source``, or None and at least one error. Never raises.

    ``start`` is where the spec begins in it: the value of a `--set` is parsed inside
    the command line that it came from.
    """
    hidden = hidden_characters(source)
    if hidden:
        return None, hidden
    with _LOCK:
        parser, builder = _load()
        builder.begin(source)
        document, failures = _Reading(parser, source, start).read()
        # A line that cannot be read has one message, not those of its pieces too.
        failed = {failure.span.line for failure in failures if failure.span}
        problems = [
            *failures,
            *(
                problem
                for problem in builder.diagnostics
                if problem.span is None or problem.span.line not in failed
            ),
        ]
        builder.begin(Source("", ""))  # keep no text alive
    problems.sort(key=lambda problem: problem.span.start if problem.span else 0)
    return (None if problems else document), problems


def tokens(source: Source) -> list[Token]:
    """All tokens of a source without syntax errors, comments and line ends too."""
    with _LOCK:
        parser, builder = _load()
        builder.begin(source)
        found = list(parser.lex(source.text, dont_ignore=True))
        builder.begin(Source("", ""))
    return [token for token in found if token.type != "BLANK"]


@cache
def _load() -> tuple[lark.Lark, Builder]:
    builder = Builder()
    return load_grammar(builder), builder


class _Reading:
    """One pass over one source: brackets, depth, the current line, recovery."""

    def __init__(self, parser: lark.Lark, source: Source, start: int) -> None:
        self.source = source
        # Lark leaves most of this object untyped.
        self.interactive = cast(Any, parser.parse_interactive(source.text))
        self.interactive.lexer_thread.state.line_ctr.char_pos = start
        self.state = self.interactive.parser_state
        self.actions = self.state.parse_conf.parse_table.states
        self.line: list[Token] = []  # the tokens of the current statement so far
        self.outer: list[list[Token]] = []  # the same for the blocks around it
        self.open: list[Token] = []
        self.depths: list[int] = []  # the depth outside each open bracket
        self.depth = 0
        # For each open brace, how high the parser's stack is where a line starts:
        # what is below never changes while a line is read.
        self.heights = [len(self.state.state_stack)]

    def read(self) -> tuple[Document | None, list[Diagnostic]]:
        """The document, unless something failed."""
        failures: list[Diagnostic] = []
        while len(failures) < _MOST_ERRORS:
            try:
                document = self._feed_all()
                return (None if failures else document), failures
            except UnexpectedCharacters as failure:
                offset = failure.pos_in_stream or 0
                failures.append(self._explained(offset, None))
            except UnexpectedToken as failure:
                token = failure.token
                offset = len(self.source.text)
                if token.type != "$END":
                    offset = token.start_pos or 0
                failures.append(self._explained(offset, token))
            except _TooDeepError as failure:
                failures.append(too_deep(failure.args[0]))
                break
            if not self._recover(offset):
                break
        return None, failures

    def _explained(self, offset: int, token: Token | None) -> Diagnostic:
        from tfpc.syntax.failures import explain  # most specs can be read

        return explain(self._situation(offset, token))

    def _feed_all(self) -> Document:
        feed = self.state.feed_token
        for read in self.interactive.lexer_thread.lex(self.state):
            token: Token = read
            kind = token.type
            if kind == "NL":
                if not self.line or (self.open and self.open[-1].type != "LBRACE"):
                    continue
                feed(token)
                self._start_line()
                continue
            if kind in _WORDS and kind not in self.actions[self.state.position]:
                token = Token.new_borrow_pos("NAME", str(token), token)
            feed(token)
            if kind in _CLOSING:
                self._close()
            self.line.append(token)
            if kind in _OPENING:
                self._open(token)
            elif kind in _OPERATORS:
                self._deeper(token)
            elif kind == "COMMA":
                self.depth = self.depths[-1] + 1
        last = self.line[-1] if self.line else None
        end = (
            Token("$END", "")
            if last is None
            else Token.new_borrow_pos("$END", "", last)
        )
        document: Document = feed(end, True)
        return document

    def _start_line(self) -> None:
        self.line = []
        self.depth = self.depths[-1] + 1 if self.depths else 0
        self.heights[-1] = len(self.state.state_stack)

    def _open(self, token: Token) -> None:
        self.open.append(token)
        self.depths.append(self.depth)
        self._deeper(token)
        if token.type == "LBRACE":
            self.heights.append(0)
            self.outer.append(self.line)
            self._start_line()

    def _close(self) -> None:
        if self.open.pop().type == "LBRACE":
            self.heights.pop()
            self.line = self.outer.pop()
        self.depth = self.depths.pop()

    def _deeper(self, token: Token) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            start = token.start_pos or 0
            raise _TooDeepError(Span(self.source, start, start + len(token)))

    def _situation(self, offset: int, token: Token | None) -> Situation:
        return Situation(
            source=self.source,
            offset=offset,
            token=token,
            line=tuple(self.line),
            open=tuple(self.open),
            expected=frozenset(self.interactive.accepts()),
        )

    def _recover(self, offset: int) -> bool:
        """Drop the line that failed at ``offset`` and go on behind it.

        Only where the statement is one physical line with all its brackets in it;
        else what follows would be read wrongly, and it is better to stop.
        """
        first = self.line[0].start_pos if self.line else offset
        start = self.source.line_start(self.source.position(first or 0)[0])
        end = self.source.text.find("\n", offset)
        if end < 0 or not is_one_line(self.source.text[start:end]):
            return False
        while self.open and (self.open[-1].start_pos or 0) >= start:
            self._close()
        if self.open and self.open[-1].type != "LBRACE":
            return False
        height = self.heights[-1]
        del self.state.state_stack[height:]
        del self.state.value_stack[height - 1 :]
        self.interactive.lexer_thread.state.line_ctr.char_pos = end
        self._start_line()
        return True


class _TooDeepError(Exception):
    """Carries the span of the token that goes too deep."""
