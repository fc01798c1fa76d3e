"""`steps NAME(parameters) { }` and `layer NAME(parameters) { }`: what they define."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.resolve.lets import set_twice
from tfpc.syntax import nodes
from tfpc.vocabulary.registry import find

# By the word that defines them: what a use of them stands for.
KINDS = {"steps": "a piece of a pipeline", "layer": "a piece of a model"}


@dataclass(frozen=True, slots=True, eq=False)
class Parameter:
    """A parameter; default is None where an argument must be given."""

    name: nodes.Name
    default: nodes.Expression | None


@dataclass(frozen=True, slots=True, eq=False)
class Definition:
    """What one block defines. kind: `steps` or `layer`."""

    kind: str
    name: nodes.Name
    parameters: tuple[Parameter, ...]
    block: nodes.Block


def is_definition(statement: nodes.Statement) -> bool:
    """Whether a block defines something."""
    return isinstance(statement, nodes.Block) and statement.word.text in KINDS


def read_definition(block: nodes.Block) -> tuple[Definition | None, list[Diagnostic]]:
    """What a block defines, and what is wrong with its head."""
    word = block.word.text
    shape = f"{word} NAME(parameters) {{ }}"
    problems: list[Diagnostic] = []
    if block.name is None:
        return None, [wrong(f"`{word}` needs a name", block, f"write `{shape}`")]
    if block.source is not None or block.alias is not None:
        behind = f"from {block.source.text}" if block.source else "as"
        problems.append(wrong(f"`{word}` takes no `{behind}`", block, f"as `{shape}`"))
    if not block.body:
        lines = f"write what it stands for in its braces: `{shape}`"
        problems.append(wrong(f"`{block.name.text}` stands for nothing", block, lines))
    if find(block.name.text):
        problems.append(taken(block.name))
    parameters: list[Parameter] = []
    for parameter in read_parameters(block, problems):
        if any(each.name.text == parameter.name.text for each in parameters):
            first = next(e for e in parameters if e.name.text == parameter.name.text)
            problems.append(set_twice(parameter.name, first.name.span))
        else:
            parameters.append(parameter)
    if problems:
        return None, problems
    return Definition(word, block.name, tuple(parameters), block), []


def read_parameters(
    block: nodes.Block, problems: list[Diagnostic]
) -> Iterator[Parameter]:
    """The parameters in parentheses; the others become problems."""
    arguments = block.arguments
    if arguments is None:
        return
    for each in arguments.positional:
        if (
            isinstance(each, nodes.Call)
            and each.arguments is None
            and each.shape is None
            and len(each.path.names) == 1
        ):
            yield Parameter(each.path.names[0], None)
        else:
            problems.append(
                error(
                    "TFP132",
                    "a parameter is a name",
                    each.span,
                    why="the value comes with each use; a default stands behind `=`.",
                    fix="write `name`, or `name = value` for a default",
                )
            )
    for keyword in arguments.keywords:
        yield Parameter(keyword.name, keyword.value)


def wrong(headline: str, block: nodes.Block, fix: str) -> Diagnostic:
    """Something wrong with the head of a definition."""
    return error("TFP132", headline, block.head, fix=fix)


def taken(name: nodes.Name) -> Diagnostic:
    """A definition with the name of a word of the language."""
    return error(
        "TFP125",
        f"`{name.text}` is a word of the language",
        name.span,
        "can't be defined anew",
        why="a name means one thing in the whole spec.",
        fix=f"give it another name, for example `my_{name.text}`",
    )


def listed(parameters: Sequence[Parameter]) -> str:
    """The parameters as a message lists them."""
    return ", ".join(f"`{each.name.text}`" for each in parameters) or "none"
