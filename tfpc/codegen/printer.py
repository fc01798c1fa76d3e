"""Prints fragments as `ruff format` would, in lines of 88 characters.

The small part of its style that programs need: what fits stays on one line; a call
that does not is opened at its last bracket, its arguments on a line of their own or
one a line; a list, tuple or dict always one a line.
"""

from __future__ import annotations

import math

from tfpc.types.fragment import (
    Call,
    Fragment,
    Item,
    Literal,
    Mapping,
    Name,
    Operation,
    Sequence,
)

WIDTH = 88
INDENT = "    "
PRECEDENCE = {"*": 2, "/": 2, "+": 1, "-": 1}


def statement(
    fragment: Fragment, indent: int, prefix: str = "", suffix: str = ""
) -> str:
    """`prefix` + the fragment + `suffix`, on as many lines as it needs."""
    space = INDENT * indent
    line = space + prefix + flat(fragment) + suffix
    if len(line) <= WIDTH and "\n" not in line:
        return line
    return opened(fragment, indent, prefix, suffix)


def opened(fragment: Fragment, indent: int, prefix: str, suffix: str) -> str:
    """The fragment over several lines, if it has brackets to open."""
    space = INDENT * indent
    if isinstance(fragment, Call):
        parts = arguments_of(fragment)
        if not parts:
            return space + prefix + flat(fragment) + suffix
        head = space + prefix + flat(fragment.function) + "("
        inner = ", ".join(key + flat(value) for key, value in parts)
        if len(head) > WIDTH and isinstance(fragment.function, Call):
            return opened(fragment.function, indent, prefix, f"({inner}){suffix}")
        line = INDENT * (indent + 1) + inner
        if len(line) <= WIDTH:
            return "\n".join([head, line, space + ")" + suffix])
        return bracketed(head, parts, indent, ")" + suffix)
    if isinstance(fragment, Sequence) and fragment.items:
        parts = [("", item) for item in fragment.items]
        left, right = fragment.brackets[0], fragment.brackets[1]
        return bracketed(space + prefix + left, parts, indent, right + suffix)
    if isinstance(fragment, Mapping) and fragment.items:
        parts = [(f"{text(key)}: ", value) for key, value in fragment.items]
        return bracketed(space + prefix + "{", parts, indent, "}" + suffix)
    if isinstance(fragment, Literal) and isinstance(fragment.value, list | tuple):
        return opened(as_sequence(fragment.value), indent, prefix, suffix)
    if isinstance(fragment, Operation):
        return broken(fragment, indent, prefix, suffix)
    if isinstance(fragment, Item):
        head = space + prefix + flat(fragment.owner) + "["
        inner = statement(fragment.key, indent + 1)
        return "\n".join([head, inner, space + "]" + suffix])
    inner = INDENT * (indent + 1) + flat(fragment)
    if prefix.endswith(" = ") and len(inner) <= WIDTH:
        return f"{space}{prefix}(\n{inner}\n{space}){suffix}"
    return space + prefix + flat(fragment) + suffix


def bracketed(
    head: str, parts: list[tuple[str, Fragment]], indent: int, tail: str
) -> str:
    """One part a line between the brackets."""
    lines = [statement(value, indent + 1, key, ",") for key, value in parts]
    return "\n".join([head, *lines, INDENT * indent + tail])


def broken(operation: Operation, indent: int, prefix: str, suffix: str) -> str:
    """An operation that is too long: the operator begins the second line."""
    space = INDENT * indent
    sides = [
        flat_side(operation, operation.left),
        flat_side(operation, operation.right),
    ]
    if suffix == "," and not prefix:
        return f"{space}{sides[0]}\n{space}{operation.operator} {sides[1]},"
    inner = INDENT * (indent + 1)
    whole = flat(operation)
    if len(inner + whole) <= WIDTH:
        return f"{space}{prefix}(\n{inner}{whole}\n{space}){suffix}"
    return (
        f"{space}{prefix}(\n{inner}{sides[0]}\n{inner}{operation.operator} {sides[1]}\n"
        f"{space}){suffix}"
    )


def arguments_of(call: Call) -> list[tuple[str, Fragment]]:
    """The arguments with the text before each, `name=` or nothing."""
    return [("", argument) for argument in call.arguments] + [
        (f"{key}=", argument) for key, argument in call.keywords
    ]


def flat(fragment: Fragment) -> str:
    """The fragment on one line."""
    if isinstance(fragment, Name):
        return fragment.text
    if isinstance(fragment, Literal):
        return literal(fragment.value)
    if isinstance(fragment, Call):
        inner = ", ".join(key + flat(value) for key, value in arguments_of(fragment))
        return f"{flat(fragment.function)}({inner})"
    if isinstance(fragment, Sequence):
        items = ", ".join(map(flat, fragment.items))
        left, right = fragment.brackets[0], fragment.brackets[1]
        comma = "," if left == "(" and len(fragment.items) == 1 else ""
        return f"{left}{items}{comma}{right}"
    if isinstance(fragment, Mapping):
        items = ", ".join(
            f"{text(key)}: {flat(value)}" for key, value in fragment.items
        )
        return "{" + items + "}"
    if isinstance(fragment, Item):
        return f"{flat(fragment.owner)}[{flat(fragment.key)}]"
    return " ".join(
        [
            flat_side(fragment, fragment.left),
            fragment.operator,
            flat_side(fragment, fragment.right, right=True),
        ]
    )


def flat_side(operation: Operation, side: Fragment, *, right: bool = False) -> str:
    """One side of an operation, in parentheses where it would not bind as meant."""
    if isinstance(side, Operation):
        outer, inner = PRECEDENCE[operation.operator], PRECEDENCE[side.operator]
        if inner < outer or (right and inner == outer):
            return f"({flat(side)})"
    return flat(side)


def as_sequence(values: list[object] | tuple[object, ...]) -> Sequence:
    """A list or tuple of values as a fragment."""
    brackets = "[]" if isinstance(values, list) else "()"
    return Sequence(tuple(Literal(value) for value in values), brackets)


def literal(value: object) -> str:
    """A value as Python writes it. Raises TypeError for what is no plain value."""
    if isinstance(value, str):
        return text(value)
    if value is None or isinstance(value, bool | int):
        return repr(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            return f'float("{value}")'
        return repr(value).replace("e+", "e")
    if isinstance(value, list | tuple):
        return flat(as_sequence(value))
    raise TypeError(f"{type(value).__name__} is no literal")


def text(value: str) -> str:
    """Text in the quotes that need fewer escapes, in ASCII."""
    quote = "'" if value.count('"') > value.count("'") else '"'
    body = value.encode("unicode_escape", "surrogatepass").decode("ascii")
    return quote + body.replace(quote, "\\" + quote) + quote
