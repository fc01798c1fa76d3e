"""Text with `${name}` in it: the values put in, or why one can't be."""

from __future__ import annotations

from collections.abc import Sequence

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.diagnostics.suggestion import nearest
from tfpc.resolve.bounds import too_long
from tfpc.syntax import nodes
from tfpc.types.value import Symbol, Value


def filled(
    node: nodes.Text, values: Sequence[Value], lets: Sequence[str]
) -> Value | Diagnostic:
    """The text with the values of its names put in, in their order.

    lets: the names that could have been meant where one is unknown.
    """
    parts: list[str] = []
    left = iter(values)
    for part in node.parts:
        if isinstance(part, str):
            parts.append(part)
            continue
        put = inserted(part, next(left), lets)
        if isinstance(put, Diagnostic):
            return put
        parts.append(put)
    text = "".join(parts)
    problem = too_long(text, node.span)
    if problem is not None:
        return problem
    if len(node.parts) == 1 and values:
        # "${root}" alone is where `root` comes from.
        return Value(text, node.span, values[0].origin, values[0].how)
    return Value(text, node.span)


def inserted(path: nodes.Path, value: Value, lets: Sequence[str]) -> str | Diagnostic:
    """A value as `${name}` puts it into text."""
    content = value.content
    if isinstance(content, str | int | float) and not isinstance(content, bool):
        return str(content)
    if isinstance(content, Symbol) and path.text == content.word:
        label, fix = "no `let` has this name", unknown_name(path, lets)
    else:
        label = f"is {value.quoted}, neither text nor a number"
        fix = "put the name of a `let` there that is text or a number"
    headline = f"`{path.text}` can't stand in text"
    return error("TFP121", headline, path.span, label, fix=fix)


def unknown_name(path: nodes.Path, lets: Sequence[str]) -> str:
    """What to type for an unknown name in `${name}`."""
    name = path.text
    near = nearest(name, lets)
    if near:
        return f"did you mean `{near[0]}`?"
    if name.isupper():  # as a shell would read it
        lower = name.lower()
        return f'write `let {lower} = env("{name}")` above it, then `${{{lower}}}`'
    return f"write `let {name} = ...` above it, or `\\$` where a dollar sign is meant"
