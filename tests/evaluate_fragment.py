"""Evaluates a fragment as the program would, without printing it first."""

from __future__ import annotations

import operator
from functools import reduce
from typing import Any

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

OPERATORS = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}


def evaluate(fragment: Fragment, scope: dict[str, Any]) -> Any:
    """The value of a fragment; its names are looked up in `scope`, dots as getattr."""
    match fragment:
        case Name(text):
            first, *rest = text.split(".")
            return reduce(getattr, rest, scope[first])
        case Literal(value):
            return value
        case Call(function, arguments, keywords):
            positional = [evaluate(argument, scope) for argument in arguments]
            by_name = {key: evaluate(value, scope) for key, value in keywords}
            return evaluate(function, scope)(*positional, **by_name)
        case Sequence(items, brackets):
            values = [evaluate(item, scope) for item in items]
            return values if brackets == "[]" else tuple(values)
        case Mapping(items):
            return {key: evaluate(value, scope) for key, value in items}
        case Operation(sign, left, right):
            return OPERATORS[sign](evaluate(left, scope), evaluate(right, scope))
        case Item(owner, key):
            return evaluate(owner, scope)[evaluate(key, scope)]
    raise TypeError(f"{fragment!r} is no fragment")
