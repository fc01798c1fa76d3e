"""A document resolved, with facts of its data that a test makes up."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pytest

from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.diagnostics.span import Source
from tfpc.resolve.resolve import resolve
from tfpc.resolve.tree import Entry, Node, Resolved
from tfpc.syntax.parser import parse
from tfpc.types.value import Value

Outcome = tuple[Resolved | None, list[Diagnostic]]


@pytest.fixture
def resolve_text() -> Callable[..., Outcome]:
    """Resolves a text with `--set` texts; facts: by name, those of any data block."""

    def run(
        text: str | Source,
        *settings: str,
        facts: Mapping[str, int] | None = None,
        profiles: Sequence[str] = (),
    ) -> Outcome:
        source = text if isinstance(text, Source) else Source("spec.tfp", text)
        document, problems = parse(source)
        assert document is not None, problems
        known = {} if facts is None else facts
        return resolve(document, settings, lambda node, name: known.get(name), profiles)

    return run


@pytest.fixture
def value_of(resolve_text: Callable[..., Outcome]) -> Callable[..., Value]:
    """The value of one expression, which must have one."""

    def run(expression: str, before: str = "", **options: object) -> Value:
        text = f"{before}\nit = {expression}\n"
        resolved, problems = resolve_text(text, **options)
        assert resolved is not None, problems
        entry = resolved.items[-1]
        assert isinstance(entry, Entry)
        return entry.value

    return run


@pytest.fixture
def node_at() -> Callable[..., Node]:
    """The node at a path of words, from the top down."""

    def find(resolved: Resolved, *words: str) -> Node:
        items = resolved.items
        for word in words:
            node = next(i for i in items if isinstance(i, Node) and i.word == word)
            items = node.body or ()
        return node

    return find
