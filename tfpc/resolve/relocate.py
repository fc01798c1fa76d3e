"""Marks all places in the lines of a definition with the use that they belong to."""

from __future__ import annotations

from dataclasses import replace
from typing import overload

from tfpc.diagnostics.diagnostic import Diagnostic, Label
from tfpc.diagnostics.span import Reached, Span
from tfpc.resolve.tree import Argument, Entry, Item, Node
from tfpc.types.value import Interval, Symbol, Value


@overload
def marked(span: Span, reached: Reached) -> Span: ...
@overload
def marked(span: None, reached: Reached) -> None: ...
def marked(span: Span | None, reached: Reached) -> Span | None:
    """A place with the use that led there, unless it has one already."""
    return span if span is None or span.via else replace(span, via=reached)


def relocated(items: tuple[Item, ...], reached: Reached) -> tuple[Item, ...]:
    """The items with all their places marked."""
    return tuple(
        node(item, reached) if isinstance(item, Node) else entry(item, reached)
        for item in items
    )


def node(item: Node, reached: Reached) -> Node:
    """A node with all its places marked."""
    return replace(
        item,
        word_span=marked(item.word_span, reached),
        name_span=marked(item.name_span, reached),
        source_span=marked(item.source_span, reached),
        alias_span=marked(item.alias_span, reached),
        span=marked(item.span, reached),
        head=marked(item.head, reached),
        positional=tuple(value(each, reached) for each in item.positional),
        keywords=arguments(item.keywords, reached),
        body=None if item.body is None else relocated(item.body, reached),
        asserted=arguments(item.asserted, reached),
        asserted_span=marked(item.asserted_span, reached),
        target=None if item.target is None else value(item.target, reached),
    )


def arguments(given: tuple[Argument, ...], reached: Reached) -> tuple[Argument, ...]:
    """Arguments with all their places marked."""
    return tuple(
        Argument(each.name, marked(each.name_span, reached), value(each.value, reached))
        for each in given
    )


def entry(item: Entry, reached: Reached) -> Entry:
    """A setting with its places marked."""
    return replace(
        item,
        path_span=marked(item.path_span, reached),
        value=value(item.value, reached),
        span=marked(item.span, reached),
    )


def value(given: Value, reached: Reached) -> Value:
    """A value with the places marked at which it is used, not the one it came from."""
    content = given.content
    if isinstance(content, tuple):
        content = tuple(value(each, reached) for each in content)
    elif isinstance(content, Interval):
        content = Interval(value(content.low, reached), value(content.high, reached))
    elif isinstance(content, Symbol) and given.origin is None:
        content = replace(
            content,
            positional=tuple(value(each, reached) for each in content.positional),
            keywords=tuple(
                (name, value(each, reached), marked(span, reached))
                for name, each, span in content.keywords
            ),
            word_span=marked(content.word_span, reached),
            target=content.target and value(content.target, reached),
        )
    return replace(given, content=content, span=marked(given.span, reached))


def relocated_problem(problem: Diagnostic, reached: Reached) -> Diagnostic:
    """A problem with its main place marked."""
    labels = tuple(
        Label(marked(each.span, reached), each.text, each.primary)
        if each.primary
        else each
        for each in problem.labels
    )
    return replace(problem, labels=labels)
