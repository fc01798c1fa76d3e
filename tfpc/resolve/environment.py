"""`env("NAME", default = "...")`: a variable of the environment, as text."""

from __future__ import annotations

import os
from dataclasses import dataclass

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.syntax import nodes
from tfpc.types.value import Value

SHAPE = 'write `env("NAME", default = "...")`'


@dataclass(frozen=True, slots=True)
class Variable:
    """The expressions between the parentheses of an `env(...)`."""

    name: nodes.Expression
    default: nodes.Expression | None


def read_arguments(node: nodes.Call) -> Variable | Diagnostic:
    """What an `env(...)` asks for, if it is written right."""
    given = node.arguments.positional if node.arguments else ()
    keywords = node.arguments.keywords if node.arguments else ()
    names = [keyword.name.text for keyword in keywords]
    if len(given) != 1 or names not in ([], ["default"]) or node.shape is not None:
        return error(
            "TFP123",
            "`env` takes the name of a variable, and a default",
            node.span,
            fix=SHAPE,
        )
    return Variable(given[0], keywords[0].value if keywords else None)


def read_variable(
    node: nodes.Call, name: Value, default: Value | None
) -> Value | Diagnostic:
    """The value of a variable when tfpc runs, or the default.

    It is baked into the program like any other text of the spec, so that the program
    needs nothing of the environment that the spec was checked in.
    """
    if not isinstance(name.content, str) or not name.content:
        return nameless(name)
    if default is not None and not isinstance(default.content, str):
        return no_text(default)
    text = looked_up(name.content)
    if text is not None:
        if not is_unicode(text):
            return no_unicode(node, name.content)
        how = f"read from the environment variable {name.content}"
        return Value(text, node.span, None, how)
    if default is None:
        return not_set(node, name.content)
    how = f"the default, since the environment variable {name.content} is not set"
    return Value(default.content, node.span, None, how)


def looked_up(name: str) -> str | None:
    """The variable, None also for names that no variable can have."""
    try:
        return os.environ.get(name)
    except ValueError:
        return None


def is_unicode(text: str) -> bool:
    """False for bytes of the environment that are no UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def nameless(name: Value) -> Diagnostic:
    """A name that is empty or no text."""
    if name.content == "":
        return error(
            "TFP123", "this names no variable", name.span, "is empty", fix=SHAPE
        )
    return error(
        "TFP123",
        "the name of a variable is text",
        name.span,
        f"is {name.quoted}",
        fix=f'write it in quotes: `env("{name.span.text}")`',
    )


def no_text(default: Value) -> Diagnostic:
    """A default that is no text."""
    return error(
        "TFP123",
        "the default of `env` is text, as the variable itself is",
        default.span,
        f"is {default.quoted}",
        fix=f'write it in quotes: `default = "{default.span.text}"`',
    )


def not_set(node: nodes.Call, name: str) -> Diagnostic:
    """A variable that is not there."""
    return error(
        "TFP123",
        f"the environment variable {name} is not set",
        node.span,
        "has no default",
        fix=f'set it, or write `env("{name}", default = "...")`',
    )


def no_unicode(node: nodes.Call, name: str) -> Diagnostic:
    """A variable whose bytes are no text."""
    return error(
        "TFP123",
        f"the environment variable {name} is not UTF-8",
        node.span,
        "its bytes are not text",
        fix="set it to text in UTF-8",
    )
