"""The arguments of a use, by the names of the parameters of what it uses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Label
from tfpc.diagnostics.span import Span
from tfpc.diagnostics.suggestion import did_you_mean
from tfpc.resolve.definitions import Definition, listed
from tfpc.resolve.evaluate import Evaluator
from tfpc.resolve.failure import UnresolvedError
from tfpc.resolve.tree import Node
from tfpc.types.value import Value

MOST_SHOWN = 60


def bind(use: Node, definition: Definition, evaluator: Evaluator) -> dict[str, Value]:
    """The value of every parameter. Raises UnresolvedError after a report.

    evaluator: that of the file with the definition, which evaluates the defaults.
    """
    names = [each.name.text for each in definition.parameters]
    problems: list[Diagnostic] = []
    if len(use.positional) > len(names):
        problems.append(too_many(use, definition))
    bound = dict(zip(names, use.positional, strict=False))
    for argument in use.keywords:
        place = argument.name_span
        if argument.name not in names:
            meant = did_you_mean(argument.name, names)
            said = f"`{use.word}` has no parameter `{argument.name}`"
            fix = meant or f"it has {listed(definition.parameters)}"
            problems.append(wrong(definition, said, place, fix))
        elif argument.name in bound:
            said = f"`{argument.name}` is given twice"
            problems.append(wrong(definition, said, place, "give it once"))
        else:
            bound[argument.name] = argument.value
    for parameter in definition.parameters:
        name = parameter.name.text
        if name in bound:
            bound[name] = given(bound[name], name)
        elif parameter.default is not None:
            value = evaluator.value(parameter.default)
            if value is None:
                raise UnresolvedError
            bound[name] = given(value, name)
    lacking = [name for name in names if name not in bound]
    if lacking and not problems:
        joined = " and ".join(f"`{name}`" for name in lacking)
        said = f"`{use.word}` needs {joined}"
        example = ", ".join(f"{name} = ..." for name in lacking)
        fix = f"write `{use.word}({example})`"
        problems.append(wrong(definition, said, use.head, fix))
    if problems:
        evaluator.problems += problems
        raise UnresolvedError
    return {name: bound[name] for name in names}


def given(value: Value, name: str) -> Value:
    """The value of a parameter, which knows where it was given."""
    origin = value.origin or value.span
    return replace(value, origin=origin, how=value.how or f"given as `{name}`")


def in_words(bound: Mapping[str, Value]) -> str:
    """Parameters as a message shows them, `filters = 64, strides = 1`."""
    text = ", ".join(f"{name} = {value.text}" for name, value in bound.items())
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]} ..."


def wrong(definition: Definition, said: str, span: Span, fix: str) -> Diagnostic:
    """An argument that the definition does not take, or lacks."""
    place = Label(definition.block.head, "is defined here")
    return error("TFP102", said, span, labels=(place,), fix=fix)


def too_many(use: Node, definition: Definition) -> Diagnostic:
    """More arguments than parameters."""
    count = len(definition.parameters)
    extra = use.positional[count]
    takes = f"{count} argument{'' if count == 1 else 's'}" if count else "no arguments"
    said = f"`{use.word}` takes {takes}, and is given {len(use.positional)}"
    return wrong(
        definition, said, extra.span, f"it has {listed(definition.parameters)}"
    )
