"""What is wrong with a use of a definition, apart from its arguments."""

from __future__ import annotations

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Label
from tfpc.resolve.definitions import KINDS, Definition
from tfpc.resolve.tree import Node

MOST_LINES = 100_000
# Of braces and definitions in each other; far below what recursion can bear.
MOST_DEPTH = 100


def misused(
    use: Node, definition: Definition, kind: str, chain: tuple[Definition, ...]
) -> Diagnostic | None:
    """What is wrong with a use, apart from its arguments."""
    name = definition.name.text
    place = Label(definition.name.span, "defined here")
    if definition.kind != kind:
        wanted, has = ("model", "layers") if kind == "layer" else ("pipeline", "steps")
        return error(
            "TFP132",
            f"`{name}` is {KINDS[definition.kind]}, and a {wanted} has {has}",
            use.head,
            labels=(place,),
            fix=f"define it with `{kind} {name} {{ }}`",
        )
    if definition in chain:
        cycle = [each.name.text for each in chain[chain.index(definition) :]]
        return error(
            "TFP132",
            f"`{name}` uses itself"
            + (f", by way of `{'`, `'.join(cycle[1:])}`" if cycle[1:] else ""),
            use.head,
            labels=(place,),
            why="a definition is replaced by its lines, so this would never end.",
            fix="use `repeat(n) { }` for what comes several times",
        )
    if use.body is not None or use.name is not None or use.source is not None:
        return error(
            "TFP104",
            f"`{name}` takes nothing but arguments",
            use.head,
            labels=(place,),
            fix=f"write `{name}(...)` on a line of its own",
        )
    return None


def too_many(use: Node) -> Diagnostic:
    """Definitions that use others over and over."""
    return error(
        "TFP132",
        f"the definitions stand for more than {MOST_LINES:,} lines",
        use.head,
        "is one use too many",
        fix="use `repeat(n) { }` for what comes several times",
    )


def too_deep(use: Node) -> Diagnostic:
    """Definitions in definitions in definitions."""
    return error(
        "TFP132",
        f"definitions and braces stand more than {MOST_DEPTH} deep in each other",
        use.head,
        "is one too many",
        fix="put some of the lines where they are used",
    )
