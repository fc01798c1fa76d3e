"""Builds the nodes of values while the parser reduces: one method a grammar rule.

What is wrong in itself and not in its place (a reserved name, a hexadecimal number,
an unknown escape) is reported here, and reading goes on.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from lark import Token

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.diagnostics.span import Source, Span
from tfpc.syntax import nodes, numbers, text
from tfpc.syntax.mistakes import names

RESERVED = ("import", "let", "from", "as", "python", "true", "false")

Children = list[Any]


class ValueBuilder:
    """The target of the grammar's rules for values, for one source at a time."""

    def __init__(self) -> None:
        self.begin(Source("", ""))

    def begin(self, source: Source) -> None:
        """Forget everything and build for ``source`` from now on."""
        self.source = source
        self.comments: list[nodes.Comment] = []
        self.diagnostics: list[Diagnostic] = []

    # Lark calls this one while reading, since comments have no place in the grammar.
    def comment(self, token: Token) -> Token:
        content = str(token).rstrip()
        start = token.start_pos or 0
        span = Span(self.source, start, start + len(content))
        self.comments.append(nodes.Comment(span, content))
        return token

    def _span(self, children: Children) -> Span:
        return Span(self.source, _start(children[0]), _end(children[-1]))

    def arguments(self, children: Children) -> nodes.Arguments:
        positional: list[nodes.Expression] = []
        keywords: list[nodes.Keyword] = []
        for child in items(children):
            if isinstance(child, nodes.Keyword):
                keywords.append(child)
                continue
            if keywords:
                self._position_after_name(child, keywords[0])
            positional.append(child)
        return nodes.Arguments(self._span(children), tuple(positional), tuple(keywords))

    def keyword(self, children: Children) -> nodes.Keyword:
        name, _, value = children
        return nodes.Keyword(self._span(children), name, value)

    def range(self, children: Children) -> nodes.Range:
        low, _, high = children
        return nodes.Range(self._span(children), low, high)

    def binary(self, children: Children) -> nodes.Binary:
        left, operator, right = children
        return nodes.Binary(self._span(children), str(operator), left, right)

    def negate(self, children: Children) -> nodes.Negate:
        return nodes.Negate(self._span(children), children[1])

    def number(self, children: Children) -> nodes.Integer | nodes.Float:
        span, literal = self._span(children), str(children[0])
        value = numbers.read(literal)
        if math.isinf(value):
            self.diagnostics.append(numbers.too_large(span))
        if isinstance(value, int):
            return nodes.Integer(span, value, literal)
        return nodes.Float(span, value, literal)

    def quantity(self, children: Children) -> nodes.Quantity:
        span, literal = self._span(children), str(children[0])
        number, unit = numbers.split_unit(literal)
        value = numbers.read(number)
        if problem := numbers.foreign_literal(span):
            self.diagnostics.append(problem)
        elif math.isinf(value):
            self.diagnostics.append(numbers.too_large(span))
        return nodes.Quantity(span, value, unit, literal)

    def text(self, children: Children) -> nodes.Text:
        node, problems = text.read(self._span(children))
        self.diagnostics.extend(problems)
        return node

    def boolean(self, children: Children) -> nodes.Boolean:
        return nodes.Boolean(self._span(children), str(children[0]) == "true")

    def unknown(self, children: Children) -> nodes.Unknown:
        return nodes.Unknown(self._span(children))

    def python(self, children: Children) -> nodes.PythonCall:
        _, target, *arguments = children
        return nodes.PythonCall(
            self._span(children), target, arguments[0] if arguments else None
        )

    def call(self, children: Children) -> nodes.Call:
        path, *rest = children
        arguments = shape = None
        for child in rest:
            if isinstance(child, nodes.List):
                shape = child.items
            else:
                arguments = child
        return nodes.Call(self._span(children), path, arguments, shape)

    def list(self, children: Children) -> nodes.List:
        return nodes.List(self._span(children), items(children))

    def group(self, children: Children) -> nodes.Expression:
        inner: nodes.Expression = children[1]
        return replace(inner, span=self._span(children))

    def path(self, children: Children) -> nodes.Path:
        return nodes.Path(self._span(children), items(children))

    def name(self, children: Children) -> nodes.Name:
        name = nodes.Name(self._span(children), str(children[0]))
        if name.text in RESERVED and name.text != "from":
            self._reserved(name)
        return name

    def _reserved(self, name: nodes.Name) -> None:
        self.diagnostics.append(names.reserved_name(name.span))

    def _position_after_name(
        self, value: nodes.Expression, keyword: nodes.Keyword
    ) -> None:
        named = keyword.name.text
        self.diagnostics.append(
            error(
                "TFP017",
                f"this argument needs a name, since it comes after `{named} = ...`",
                value.span,
                "has no name",
                why="arguments by position come first, those with names after them.",
                fix=f"write its name before it, or move it before `{named}`",
            )
        )


def _start(child: Any) -> int:
    if isinstance(child, Token):
        return child.start_pos or 0
    start: int = child.span.start
    return start


def _end(child: Any) -> int:
    if isinstance(child, Token):
        return child.end_pos or 0
    end: int = child.span.end
    return end


def items(children: Children) -> tuple[Any, ...]:
    """The nodes among ``children``, without brackets, commas and line ends."""
    return tuple(child for child in children if type(child) is not Token)
