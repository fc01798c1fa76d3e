"""Where the path of a `--set` leads in a spec, and what can be set there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tfpc.resolve.settings import BLOCK_SETTINGS, SETTINGS
from tfpc.resolve.tree import Entry, Item, Node
from tfpc.types.value import Symbol, Value
from tfpc.vocabulary.registry import find, words
from tfpc.vocabulary.word import Word

# Words that stand on lines of their own, by the block that they stand in.
LINE_FAMILIES = ("step", "layer", "monitor")


@dataclass(frozen=True, slots=True)
class Target:
    """A node that a path leads to, as the places in `items` from the top down.

    rest: the names behind those that led there: what is set in it.
    """

    places: tuple[int, ...]
    node: Node
    rest: tuple[str, ...]


def reached(
    items: tuple[Item, ...],
    names: tuple[str, ...],
    places: tuple[int, ...] = (),
    seen: set[tuple[tuple[int, ...], int]] | None = None,
) -> Iterator[Target]:
    """The nodes that a path leads to.

    A block is named by its word, by its name, or by both (`pipeline.images`); a step,
    layer or monitor by its word or its `as` name, however deep it stands.
    """
    seen = set() if seen is None else seen
    if (places, len(names)) in seen:
        return
    seen.add((places, len(names)))
    for number, item in enumerate(items):
        if not isinstance(item, Node):
            continue
        here = (*places, number)
        for used in matched(item, names):
            rest = names[used:]
            if rest:
                yield Target(here, item, rest)
                yield from reached(item.body or (), rest, here, seen)
        yield from reached(item.body or (), names, here, seen)


def matched(node: Node, names: tuple[str, ...]) -> tuple[int, ...]:
    """How many of the first names a node can stand for."""
    if node.name and names[:2] == (node.word, node.name):
        return (2, 1)
    return (1,) if names[0] in (node.word, node.name, node.alias) else ()


def can_set(target: Target) -> bool:
    """Whether the rest of the path names something that the node could say."""
    if target.rest[0] not in settable(target.node):
        return False
    inner = value_in(target.node, target.rest[0])
    return len(target.rest) == 1 or (
        inner is not None and can_set_in(inner, target.rest[1:])
    )


def can_set_in(value: Value, rest: tuple[str, ...]) -> bool:
    """Whether a value is a word that has such an argument."""
    symbol = value.content
    if not isinstance(symbol, Symbol) or rest[0] not in arguments_of(symbol.word):
        return False
    inner = argument_of(symbol, rest[0])
    return len(rest) == 1 or (inner is not None and can_set_in(inner, rest[1:]))


def settable(node: Node) -> tuple[str, ...]:
    """What may be set in a node: settings of a block, or arguments of a word."""
    if node.word in BLOCK_SETTINGS:
        return BLOCK_SETTINGS[node.word]
    if node.word == "schema":
        return tuple(item.path for item in node.body or () if isinstance(item, Entry))
    found = line_word(node.word)
    return () if found is None else fields(found)


def line_word(word: str) -> type[Word] | None:
    """The class of a step, layer or monitor."""
    for family in LINE_FAMILIES:
        found = words(family).get(word)
        if found is not None:
            return found
    return None


def value_word(word: str) -> type[Word] | None:
    """The class of a word that is used as a value."""
    families = find(word)
    return words(families[0])[word] if families else None


def fields(cls: type[Word]) -> tuple[str, ...]:
    """The arguments that have names."""
    return tuple(name for name in cls.model_fields if name != "shape")


def arguments_of(word: str) -> tuple[str, ...]:
    """The arguments of a word that is used as a value."""
    found = value_word(word)
    return () if found is None else fields(found)


def value_in(node: Node, name: str) -> Value | None:
    """The value that a node gives to a setting or argument."""
    for item in node.body or ():
        if isinstance(item, Entry) and item.path == name:
            return item.value
    for argument in node.keywords:
        if argument.name == name:
            return argument.value
    found = line_word(node.word)
    return None if found is None else at_place(found, node.positional, name)


def argument_of(symbol: Symbol, name: str) -> Value | None:
    """The value that a word gives to an argument."""
    for known, value, _ in symbol.keywords:
        if known == name:
            return value
    found = value_word(symbol.word)
    return None if found is None else at_place(found, symbol.positional, name)


def at_place(cls: type[Word], positional: tuple[Value, ...], name: str) -> Value | None:
    """The argument of that name among those given by position."""
    return dict(zip(cls.positional, positional, strict=False)).get(name)


def all_paths(items: tuple[Item, ...]) -> dict[str, Value | None]:
    """Every path that can be set, as it would be written, with its present value."""
    found: dict[str, Value | None] = dict.fromkeys(SETTINGS)
    for item in items:
        if isinstance(item, Entry):
            add_value(found, item.path, item.value)
        else:
            add_node(found, item.word, item)
    return found


def add_node(found: dict[str, Value | None], path: str, node: Node) -> None:
    """The paths into a node and all that stands in it."""
    for name in settable(node):
        value = value_in(node, name)
        found.setdefault(f"{path}.{name}", value)
        if value is not None:
            add_value(found, f"{path}.{name}", value)
    block = path.partition(".")[0]
    for item in node.body or ():
        if isinstance(item, Node):
            add_node(found, f"{block}.{item.alias or item.word}", item)


def add_value(found: dict[str, Value | None], path: str, value: Value) -> None:
    """A value, and the arguments of a word."""
    found[path] = found.get(path) or value
    if isinstance(value.content, Symbol):
        for name in arguments_of(value.content.word):
            inner = argument_of(value.content, name)
            found.setdefault(f"{path}.{name}", inner)
            if inner is not None:
                add_value(found, f"{path}.{name}", inner)
