"""Sets what `--set path=value` asks for in a tree, before it is decoded."""

from __future__ import annotations

from dataclasses import replace

from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.resolve.override import Override
from tfpc.resolve.paths import (
    Target,
    argument_of,
    can_set,
    can_set_in,
    line_word,
    reached,
    value_in,
    value_word,
)
from tfpc.resolve.settings import BLOCK_SETTINGS, SETTINGS
from tfpc.resolve.tree import Argument, Entry, Item, Node
from tfpc.resolve.wrong_override import ambiguous, no_such_path
from tfpc.types.value import Symbol, Value


def place_of(
    items: tuple[Item, ...], override: Override, lets: tuple[str, ...]
) -> Target | Diagnostic | None:
    """The one place that a path leads to, None for a setting of the whole spec.

    lets: the names of all `let`s, which can't be set.
    """
    names = override.names
    if names[0] in SETTINGS and can_set_top(items, names):
        return None
    targets = places_in(items, override)
    if len(targets) == 1:
        return targets[0]
    if targets:
        return ambiguous(override, targets)
    return no_such_path(items, override, lets)


def places_in(items: tuple[Item, ...], override: Override) -> list[Target]:
    """All places in blocks that a path could mean."""
    found = {
        (target.places, target.rest): target
        for target in reached(items, override.names)
        if can_set(target)
    }
    return list(found.values())


def can_set_top(items: tuple[Item, ...], names: tuple[str, ...]) -> bool:
    """`seed`, or `strategy.gpus` where the spec sets the strategy."""
    if len(names) == 1:
        return True
    return any(
        isinstance(item, Entry)
        and item.path == names[0]
        and can_set_in(item.value, names[1:])
        for item in items
    )


def with_value(
    items: tuple[Item, ...], target: Target | None, override: Override, value: Value
) -> tuple[Item, ...]:
    """The items with a value set at a place."""
    if target is None:
        return set_entry(items, override, override.names, value)
    node = set_in_node(target.node, target.rest, override, value)
    return replaced(items, target.places, node)


def set_entry(
    items: tuple[Item, ...], override: Override, rest: tuple[str, ...], value: Value
) -> tuple[Item, ...]:
    """The items with a setting changed where it stands, or added."""
    name = rest[0]
    span = override.path.span
    changed: list[Item] = []
    found = False
    for item in items:
        if isinstance(item, Entry) and item.path == name:
            # A second one is kept, since it is an error of its own.
            inner = value if len(rest) == 1 else set_in(item.value, rest[1:], value)
            changed.append(item if found else replace(item, value=inner))
            found = True
        else:
            changed.append(item)
    if not found:
        changed.append(Entry(name, span, value, span))
    return tuple(changed)


def set_in_node(
    node: Node, rest: tuple[str, ...], override: Override, value: Value
) -> Node:
    """The node with a setting or an argument changed, or added."""
    if node.word in BLOCK_SETTINGS or node.word == "schema":
        body = set_entry(node.body or (), override, rest, value)
        return replace(node, body=body)
    name = rest[0]
    if len(rest) > 1:
        before = value_in(node, name)
        assert before is not None
        value = set_in(before, rest[1:], value)
    found = line_word(node.word)
    assert found is not None
    if name in found.positional[: len(node.positional)]:
        positional = at(node.positional, found.positional.index(name), value)
        return replace(node, positional=positional, called=True)
    if any(each.name == name for each in node.keywords):
        keywords = tuple(
            replace(each, value=value) if each.name == name else each
            for each in node.keywords
        )
    else:
        keywords = (*node.keywords, Argument(name, override.path.span, value))
    return replace(node, keywords=keywords, called=True)


def set_in(value: Value, rest: tuple[str, ...], new: Value) -> Value:
    """A word as a value, with one of its arguments changed or added."""
    symbol = value.content
    assert isinstance(symbol, Symbol)
    name = rest[0]
    if len(rest) > 1:
        before = argument_of(symbol, name)
        assert before is not None
        new = set_in(before, rest[1:], new)
    found = value_word(symbol.word)
    assert found is not None
    if name in found.positional[: len(symbol.positional)]:
        positional = at(symbol.positional, found.positional.index(name), new)
        changed = replace(symbol, positional=positional, called=True)
        return replace(value, content=changed)
    if any(known == name for known, _, _ in symbol.keywords):
        keywords = tuple(
            (known, new if known == name else old, span)
            for known, old, span in symbol.keywords
        )
    else:
        keywords = (*symbol.keywords, (name, new, new.span))
    return replace(value, content=replace(symbol, keywords=keywords, called=True))


def at(values: tuple[Value, ...], place: int, value: Value) -> tuple[Value, ...]:
    """The values with another one at a place."""
    return (*values[:place], value, *values[place + 1 :])


def replaced(
    items: tuple[Item, ...], places: tuple[int, ...], node: Node
) -> tuple[Item, ...]:
    """The items with another node at a place."""
    first, rest = places[0], places[1:]
    if rest:
        parent = items[first]
        assert isinstance(parent, Node)
        node = replace(parent, body=replaced(parent.body or (), rest, node))
    return (*items[:first], node, *items[first + 1 :])
