"""`--set path=value`: changes a value of the tree before it is decoded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Label
from tfpc.diagnostics.span import Source, Span
from tfpc.diagnostics.suggestion import did_you_mean
from tfpc.resolve.evaluate import Evaluator, UnresolvedError
from tfpc.resolve.tree import Argument, Entry, Item, Node, Resolved
from tfpc.syntax import nodes
from tfpc.syntax.parser import parse
from tfpc.types.value import Value
from tfpc.vocabulary.registry import words

SETTINGS = ("strategy", "precision", "seed", "determinism")
BLOCK_SETTINGS = {
    "data": ("train", "validation", "test", "label", "limit"),
    "train": ("epochs", "optimizer", "loss", "metrics"),
}
WORD_FAMILIES = {"pipeline": "step", "model": "layer", "observe": "monitor"}


@dataclass(frozen=True, slots=True)
class Override:
    """One `--set`: the names of its path, where they stand, and its value."""

    names: tuple[str, ...]
    span: Span
    value: Value


@dataclass(frozen=True, slots=True)
class Target:
    """A node that a path reaches, as the places in `items` from the top down."""

    places: tuple[int, ...]
    node: Node


def apply_overrides(
    resolved: Resolved, settings: Sequence[str], evaluator: Evaluator
) -> tuple[Resolved, list[Diagnostic]]:
    """The tree with all overrides applied, in order."""
    problems: list[Diagnostic] = []
    for text in settings:
        override, found = parse_override(text, evaluator)
        problems += found
        if override is not None:
            outcome = apply_override(resolved, override)
            if isinstance(outcome, Diagnostic):
                problems.append(outcome)
            else:
                resolved = outcome
    return resolved, problems


def parse_override(
    text: str, evaluator: Evaluator
) -> tuple[Override | None, list[Diagnostic]]:
    """Parses `path=value` by the grammar of specs."""
    source = Source("command line", f"--set {text}")
    document, problems = parse(source, start=6)
    if document is None or problems:
        return None, problems
    statements = document.statements
    if len(statements) != 1 or not isinstance(statements[0], nodes.Setting):
        return None, [
            error(
                "TFP110",
                "`--set` takes one setting",
                document.span,
                fix="write `--set path=value`, for example `--set train.epochs=3`",
            )
        ]
    setting = statements[0]
    try:
        value = evaluator.evaluate(setting.value)
    except UnresolvedError:
        return None, []
    origin = replace(value, how="set by --set")
    names = tuple(name.text for name in setting.path.names)
    return Override(names, setting.path.span, origin), []


def apply_override(resolved: Resolved, override: Override) -> Resolved | Diagnostic:
    """The tree with one value changed, or why that can't be."""
    if len(override.names) == 1:
        return set_top_level(resolved, override)
    targets = list(reached(resolved.items, override.names[:-1]))
    name = override.names[-1]
    usable = [target for target in targets if name in settable(target.node)]
    if not usable:
        return unknown(resolved, override, targets)
    if len(usable) > 1:
        return ambiguous(override, usable)
    changed = with_setting(usable[0].node, override)
    items = replaced(resolved.items, usable[0].places, changed)
    return Resolved(resolved.source, items)


def set_top_level(resolved: Resolved, override: Override) -> Resolved | Diagnostic:
    """`--set seed=1`."""
    name = override.names[0]
    if name not in SETTINGS:
        return unknown(resolved, override, [])
    entry = Entry(name, override.span, override.value, override.span)
    kept = tuple(
        item
        for item in resolved.items
        if not (isinstance(item, Entry) and item.path == name)
    )
    return Resolved(resolved.source, (*kept, entry))


def reached(
    items: tuple[Item, ...], names: tuple[str, ...], places: tuple[int, ...] = ()
) -> Iterator[Target]:
    """The nodes that a path leads to.

    A block is named by its word, by its name, or by both (`pipeline.images`); a step
    or layer by its word or its `as` name, however deep it stands.
    """
    for number, item in enumerate(items):
        if not isinstance(item, Node):
            continue
        here = (*places, number)
        for used in matched(item, names):
            if used == len(names):
                yield Target(here, item)
            else:
                yield from reached(item.body or (), names[used:], here)
        if places and item.body and not matched(item, names):
            yield from reached(item.body, names, here)


def matched(node: Node, names: tuple[str, ...]) -> tuple[int, ...]:
    """How many names of a path a node can stand for."""
    if node.word == names[0] and names[1:2] == (node.name,) and node.name:
        return (2, 1) if len(names) > 2 and names[1] != names[2] else (2,)
    return (1,) if names[0] in (node.word, node.name, node.alias) else ()


def settable(node: Node) -> tuple[str, ...]:
    """What may be set in a node: settings of a block, or arguments of a word."""
    if node.word in BLOCK_SETTINGS:
        return BLOCK_SETTINGS[node.word]
    for family in WORD_FAMILIES.values():
        found = words(family).get(node.word)
        if found is not None:
            return tuple(found.model_fields)
    return ()


def with_setting(node: Node, override: Override) -> Node:
    """The node with a setting or an argument changed, or added."""
    name = override.names[-1]
    if node.word in BLOCK_SETTINGS:
        entry = Entry(name, override.span, override.value, override.span)
        kept = tuple(
            item
            for item in node.body or ()
            if not (isinstance(item, Entry) and item.path == name)
        )
        return replace(node, body=(*kept, entry))
    for family in WORD_FAMILIES.values():
        found = words(family).get(node.word)
        if found is not None and name in found.positional[: len(node.positional)]:
            at = found.positional.index(name)
            positional = list(node.positional)
            positional[at] = override.value
            return replace(node, positional=tuple(positional), called=True)
    kept_arguments = tuple(each for each in node.keywords if each.name != name)
    argument = Argument(name, override.span, override.value)
    return replace(node, keywords=(*kept_arguments, argument), called=True)


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


def unknown(
    resolved: Resolved, override: Override, targets: list[Target]
) -> Diagnostic:
    """A path that leads nowhere."""
    name = override.names[-1]
    place = Span(override.span.source, override.span.end - len(name), override.span.end)
    where = ".".join(override.names[:-1])
    if targets:
        known = settable(targets[0].node)
        headline = f"`{where}` has no setting `{name}`"
    elif where:
        known = paths(resolved)
        headline = f"there is no `{where}` in the spec"
        place = override.span
        name = ".".join(override.names)
    else:
        known = (*SETTINGS, *paths(resolved))
        headline = f"there is no setting `{name}`"
    return error(
        "TFP110",
        headline,
        place,
        why="an override may change only what the spec could say; unknown names are "
        "never ignored.",
        fix=did_you_mean(name, known) or None,
    )


def paths(resolved: Resolved) -> tuple[str, ...]:
    """The paths of all settings of blocks."""
    return tuple(
        f"{item.word}.{setting}"
        for item in resolved.items
        if isinstance(item, Node)
        for setting in BLOCK_SETTINGS.get(item.word, ())
    )


def ambiguous(override: Override, targets: list[Target]) -> Diagnostic:
    """A path that leads to several places."""
    labels = tuple(Label(target.node.head, "one of them") for target in targets)
    return error(
        "TFP126",
        f"`{'.'.join(override.names)}` could be any of {len(targets)} places",
        override.span,
        labels=labels,
        fix="name the one that is meant: `as NAME` behind it, then `--set NAME.ARGUMENT=...`",
    )
