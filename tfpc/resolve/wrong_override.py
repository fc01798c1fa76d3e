"""What is wrong with a `--set`: it leads nowhere, or to several places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Label
from tfpc.diagnostics.suggestion import nearest
from tfpc.resolve.override import Override
from tfpc.resolve.paths import (
    Target,
    all_paths,
    argument_of,
    arguments_of,
    reached,
    settable,
    value_in,
)
from tfpc.resolve.settings import SETTINGS
from tfpc.resolve.tree import Entry, Item
from tfpc.types.value import Symbol, Value
from tfpc.vocabulary.registry import find

WHY = (
    "an override may change only what the spec could say; unknown names are "
    "never ignored."
)
MOST_LISTED = 8


def ambiguous(override: Override, targets: Sequence[Target]) -> Diagnostic:
    """A path that leads to several places."""
    node, name = targets[0].node, ".".join(targets[0].rest)
    placed = [Label(each.node.head, "one of them") for each in targets]
    fix = "remove all of these blocks but one"
    if all(len(each.places) > 1 for each in targets):
        said = override.written(f"NAME.{name}=...")
        fix = f"write `as NAME` behind the one that is meant, then `{said}`"
        if all(each.node.alias for each in targets):
            said = override.written(f"{node.alias}.{name}=...")
            fix = f"write the name of one: `{said}`"
    return error(
        "TFP126",
        f"`{override.path.text}` could be any of {len(targets)} places",
        override.path.span,
        labels=placed,
        fix=fix,
    )


def no_such_path(
    items: tuple[Item, ...], override: Override, lets: Sequence[str]
) -> Diagnostic:
    """A path that leads nowhere."""
    names = override.names
    if len(names) == 1 and names[0] in lets:
        return error(
            "TFP110",
            f"`{names[0]}` is a `let`, and what is set are settings and arguments"
            if override.profile
            else f"`{names[0]}` is a `let`, and `--set` changes settings and arguments",
            override.path.span,
            why=WHY,
            fix="set what uses it, or change the `let` in the spec",
        )
    targets = list(reached(items, names))
    if targets:
        return nothing_in(items, override, min(targets, key=lambda t: len(t.rest)))
    top = top_value(items, names[0])
    if names[0] in SETTINGS and len(names) > 1:
        return nothing_behind(items, override, 0, top)
    known = all_paths(items)
    headline = f"there is no `{override.path.text}` in the spec"
    if len(names) == 1:
        headline = f"there is no setting `{names[0]}`"
    fix = suggestion(names, known) or (
        f"choose one of {', '.join(f'`{name}`' for name in SETTINGS)}, or a path such "
        "as `train.epochs`"
    )
    return misnamed(override, headline, 0, fix)


def top_value(items: tuple[Item, ...], name: str) -> Value | None:
    """The value of a setting of the whole spec."""
    for item in items:
        if isinstance(item, Entry) and item.path == name:
            return item.value
    return None


def nothing_in(
    items: tuple[Item, ...], override: Override, target: Target
) -> Diagnostic:
    """A path whose first names lead to a node that has no such setting."""
    number = len(override.names) - len(target.rest)
    if target.rest[0] in settable(target.node):
        value = value_in(target.node, target.rest[0])
        return nothing_behind(items, override, number, value)
    return no_setting(items, override, number, settable(target.node))


def nothing_behind(
    items: tuple[Item, ...], override: Override, number: int, value: Value | None
) -> Diagnostic:
    """A path that goes on behind a setting, into a value that has no such argument."""
    names = override.names
    while value is not None and isinstance(value.content, Symbol):
        number += 1
        known = arguments_of(value.content.word)
        if names[number] not in known or number + 1 == len(names):
            return no_setting(items, override, number, known)
        value = argument_of(value.content, names[number])
    where = ".".join(names[: number + 1])
    if value is None:
        return misnamed(
            override,
            f"the spec does not say `{where}`, so nothing in it can be set",
            number,
            f"set it whole: `{override.written(f'{where}=...')}`",
        )
    return misnamed(
        override,
        f"`{where}` is {value.quoted}, and nothing in it can be set",
        number,
        f"write `{override.written(f'{where}=...')}`",
    )


def no_setting(
    items: tuple[Item, ...], override: Override, number: int, known: Sequence[str]
) -> Diagnostic:
    """A name that is not among what can be set at its place."""
    names = override.names
    where = ".".join(names[:number])
    values = all_paths(items)
    close = nearest(names[number], known)
    near = meant(f"{where}.{close[0]}", values) if close else ""
    fix = near or suggestion(names, values)
    if not fix and find(names[number]):
        return misnamed(
            override,
            f"there is no `{names[number]}` in `{where}`",
            number,
            "write it in the spec: an override changes what is there",
        )
    if not fix and 0 < len(known) <= MOST_LISTED:
        fix = f"choose one of {', '.join(f'`{where}.{name}`' for name in known)}"
    fix = fix or f"set `{where}` as a whole, or write it in the spec"
    return misnamed(
        override,
        f"`{where}` has no setting `{names[number]}`",
        number,
        fix,
    )


def misnamed(override: Override, headline: str, number: int, fix: str) -> Diagnostic:
    """A path that is wrong from one of its names on."""
    span = override.span_from(number)
    return error("TFP110", headline, span, why=WHY, fix=fix or None)


def suggestion(names: tuple[str, ...], known: Mapping[str, Value | None]) -> str:
    """The path that was probably meant: misspelt, or without its first or last names."""
    written = ".".join(names)
    likely = [path for path in known if path.endswith(f".{written}")]
    likely += [path for path in known if is_close(names, tuple(path.split(".")))]
    longer = [path for path in known if path.startswith(f"{written}.")]
    if likely or len(longer) == 1:
        return meant((likely or longer)[0], known)
    if longer:
        listed = ", ".join(f"`{path}`" for path in longer[:3])
        return f"say what is to be set in it: {listed}{', ...' * (len(longer) > 3)}"
    return ""


def is_close(names: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Whether each name is another one, or near to it. A single one may be the last."""
    if len(names) == 1:
        others = others[-1:]
    return len(names) == len(others) and all(
        name == other or bool(nearest(name, [other]))
        for name, other in zip(names, others, strict=True)
    )


def meant(path: str, known: Mapping[str, Value | None]) -> str:
    """A path as a question, with its value if it has one in the spec."""
    value = known.get(path)
    if value is None:
        return f"did you mean `{path}`?"
    text = value.span.text if len(value.span.text) <= 40 else value.text
    place = f"{value.span.source.name}:{value.span.line}"
    return f"did you mean `{path}`? Its value is {text}, set at {place}"
