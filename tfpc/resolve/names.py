"""Names that mean two things: there is no shadowing in a spec."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.diagnostics.span import Span
from tfpc.resolve.lets import set_twice
from tfpc.syntax import nodes

# First names of paths that values can be, and so no names for data: a fact of such data
# would read like them.
TAKEN = {
    "train": "a split",
    "validation": "a split",
    "test": "a split",
    "keras": "Keras itself",
}


DEFINING = ("steps", "layer")
# Blocks whose name is that of something else, or is never used as a value.
FREE = ("train", "profile")


def check_names(statements: Sequence[nodes.Statement]) -> list[Diagnostic]:
    """Names of blocks that a `let`, an import or a definition has, such names given
    twice, data named like a split, and `as` names given twice in one block.
    """
    lets: dict[str, nodes.Name] = {}
    problems: list[Diagnostic] = []
    for each in statements:
        name = named(each)
        if name is None:
            continue
        if name.text in lets:
            # Two `let`s of one name are told where they are evaluated.
            if not isinstance(each, nodes.Let):
                problems.append(set_twice(name, lets[name.text].span))
        else:
            lets[name.text] = name
    for block in statements:
        if not isinstance(block, nodes.Block) or block.word.text in DEFINING:
            continue
        name = block.name
        if name is not None and name.text in lets and block.word.text not in FREE:
            # Told once of a `let`, however many blocks have its name.
            let = lets.pop(name.text)
            first, second = sorted((let, name), key=lambda each: each.span.start)
            problems.append(set_twice(second, first.span))
        if name is not None and block.word.text == "data" and name.text in TAKEN:
            problems.append(taken(name))
        seen: dict[str, Span] = {}
        for alias in aliases(block.body or ()):
            if alias.text in seen:
                problems.append(set_twice(alias, seen[alias.text]))
            seen.setdefault(alias.text, alias.span)
    return problems


def named(statement: nodes.Statement) -> nodes.Name | None:
    """The name that a `let`, an import or a definition gives to something."""
    if isinstance(statement, nodes.Let | nodes.Import):
        return statement.name
    if isinstance(statement, nodes.Block) and statement.word.text in DEFINING:
        return statement.name
    return None


def aliases(statements: Sequence[nodes.Statement]) -> Iterator[nodes.Name]:
    """All `as` names in braces, however deep."""
    for statement in statements:
        if isinstance(statement, nodes.Block):
            if statement.alias is not None:
                yield statement.alias
            yield from aliases(statement.body or ())


def taken(name: nodes.Name) -> Diagnostic:
    """Data whose facts would read like something else."""
    return error(
        "TFP125",
        f"`{name.text}` can't be the name of data",
        name.span,
        f"is the name of {TAKEN[name.text]}",
        why=f"`{name.text}.loss` and `{name.text}.size` could not be told apart.",
        fix="give the data another name",
    )
