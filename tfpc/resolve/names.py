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


def check_names(statements: Sequence[nodes.Statement]) -> list[Diagnostic]:
    """Names of blocks that a `let` has, data named like a split, and `as` names given
    twice in one block.
    """
    lets: dict[str, nodes.Name] = {}
    for each in statements:
        if isinstance(each, nodes.Let):
            lets.setdefault(each.name.text, each.name)
    problems: list[Diagnostic] = []
    for block in statements:
        if not isinstance(block, nodes.Block):
            continue
        name = block.name
        if name is not None and name.text in lets and block.word.text != "train":
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
