"""Builds the nodes of statements while the parser reduces: one method a rule."""

from __future__ import annotations

from typing import Any

from lark import Token

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Edit, Fix
from tfpc.diagnostics.span import Span
from tfpc.syntax import nodes
from tfpc.syntax.build_values import Children, ValueBuilder, items
from tfpc.syntax.mistakes.settings import equal_between


class Builder(ValueBuilder):
    """The target of all rules of the grammar."""

    def start(self, children: Children) -> nodes.Document:
        span = Span(self.source, 0, len(self.source.text))
        return nodes.Document(self.source, span, items(children), tuple(self.comments))

    def import_(self, children: Children) -> nodes.Import:
        _, path, _, name = children
        self._refuse_from(name)
        return nodes.Import(self._span(children), path, name)

    def let(self, children: Children) -> nodes.Let:
        _, name, _, value = children
        self._refuse_from(name)
        return nodes.Let(self._span(children), name, value)

    def setting(self, children: Children) -> nodes.Setting:
        path, _, value = children
        return nodes.Setting(self._span(children), path, value)

    def block(self, children: Children) -> nodes.Block:
        (word, target, name, arguments, head), *clauses = children
        span = Span(self.source, head.start, head.end)
        found: dict[str, Any] = {}
        for kind, value, place in clauses:
            if kind in found:
                self._second_alias(place)
            found[kind] = value
            span = Span(self.source, head.start, place.end)
        return nodes.Block(
            span=span,
            word=word,
            target=target,
            name=name,
            arguments=arguments,
            source=found.get("source"),
            body=found.get("body"),
            alias=found.get("alias"),
            asserted=found.get("asserted"),
            head=head,
        )

    def head(self, children: Children) -> tuple[Any, ...]:
        first, *rest = children
        target = name = arguments = None
        for child in rest:
            if isinstance(child, nodes.Text):
                target = child
            elif isinstance(child, nodes.Name):
                name = child
                self._refuse_from(name)
                if name.text in ("true", "false"):
                    self._missing_equal(first, name)
            else:
                arguments = child
        return self._word(first), target, name, arguments, self._span(children)

    def _word(self, first: nodes.Path | Token) -> nodes.Path:
        if isinstance(first, nodes.Path):
            return first
        span = self._span([first])
        return nodes.Path(span, (nodes.Name(span, str(first)),))

    def source_(self, children: Children) -> tuple[str, nodes.Path, Span]:
        return "source", children[1], self._span(children)

    def alias(self, children: Children) -> tuple[str, nodes.Name, Span]:
        self._refuse_from(children[1])
        return "alias", children[1], self._span(children)

    def asserted(self, children: Children) -> tuple[str, nodes.Arguments, Span]:
        return "asserted", children[1], self._span(children)

    def body(self, children: Children) -> tuple[str, tuple[nodes.Statement, ...], Span]:
        return "body", items(children), self._span(children)

    def _refuse_from(self, name: nodes.Name) -> None:
        # `from = head` is a setting, so `from` is refused only where names are given.
        if name.text == "from":
            self._reserved(name)

    def _missing_equal(self, word: nodes.Path, value: nodes.Name) -> None:
        # `use_bias true` has the shape of a block named `true`.
        self.diagnostics = [
            problem for problem in self.diagnostics if problem.span != value.span
        ]
        place = Span(self.source, word.span.end, value.span.start)
        self.diagnostics.append(equal_between(place, word.text, value.text))

    def _second_alias(self, place: Span) -> None:
        self.diagnostics.append(
            error(
                "TFP001",
                "this has two names after `as`",
                place,
                "the second",
                fix=Fix("remove one of them", (Edit(place, ""),)),
            )
        )
