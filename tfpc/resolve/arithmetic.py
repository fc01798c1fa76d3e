"""`+ - * /` on numbers and quantities: what they come to, or why they have no meaning."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.syntax.nodes import Binary, Negate
from tfpc.types.quantity import Amount, Bytes, Epochs, Percent, Seconds, Steps
from tfpc.types.value import Value

# What a spec's numbers are held to: every part of the program can count this far.
LARGEST = 2**63 - 1
BEYOND_INTEGERS = f"more than {LARGEST:,}"
BEYOND_FLOATS = "more than 1.8e308"
AMOUNTS = (Percent, Epochs, Steps, Seconds, Bytes)
WHOLE = (Steps, Bytes)

Number: TypeAlias = int | float


@dataclass(frozen=True, slots=True)
class Operand:
    """A number with its unit, None if it is a plain one."""

    number: Number
    unit: type[Amount] | None


def negated(node: Negate, value: Value) -> Number | Diagnostic:
    """`-x` of a plain number: no quantity is less than nothing."""
    content = value.content
    if isinstance(content, AMOUNTS):
        return error(
            "TFP124",
            f"`{node.span.text}` is less than nothing",
            node.span,
            why="epochs, steps, shares, times and sizes begin at zero.",
            fix=f"write `{node.operand.span.text}`",
        )
    if isinstance(content, bool) or not isinstance(content, int | float):
        return no_number("-", value)
    return -content


def combined(node: Binary, left: Value, right: Value) -> Number | Amount | Diagnostic:
    """The result of an operation.

    Quantities of one unit are added and subtracted; a quantity is multiplied and
    divided by a plain number. Whole division of whole numbers stays whole.
    """
    first, second = operand(node, left), operand(node, right)
    if isinstance(first, Diagnostic):
        return first
    if isinstance(second, Diagnostic):
        return second
    problem = mismatched(node, first, second)
    if problem is not None:
        return problem
    number = computed(node, first.number, second.number)
    unit = first.unit or second.unit
    if unit is None or isinstance(number, Diagnostic):
        return number
    return with_unit(node, number, unit)


def operand(node: Binary, value: Value) -> Operand | Diagnostic:
    """One side of an operation."""
    content = value.content
    if isinstance(content, Percent):
        return Operand(content.fraction, Percent)
    if isinstance(content, Epochs | Steps | Seconds | Bytes):
        return Operand(content.number, type(content))
    if isinstance(content, int | float) and not isinstance(content, bool):
        return Operand(content, None)
    return no_number(node.operator, value)


def no_number(operator: str, value: Value) -> Diagnostic:
    """A side that is no number."""
    fix = "write a number, or the name of a `let` that is one"
    if isinstance(value.content, str):
        fix = 'write one text, with the names of `let`s in it: `"${name}/train"`'
    return error(
        "TFP124",
        f"`{operator}` needs numbers, {value.quoted} is none",
        value.span,
        fix=fix,
    )


def mismatched(node: Binary, first: Operand, second: Operand) -> Diagnostic | None:
    """Why two sides do not go together, as the user wrote them."""
    adds = node.operator in "+-"
    if first.unit is None and second.unit is None:
        return None
    if first.unit is second.unit:
        if adds:
            return None
        label, fix = "two units", "give one of the two without a unit"
    elif first.unit is not None and second.unit is not None:
        label, fix = "the units do not go together", "give both the same unit"
    elif adds:
        bare = node.left if first.unit is None else node.right
        label = f"{bare.span.text} has no unit"
        fix = "give both the same unit"
    elif node.operator == "/" and first.unit is None:
        label = "a number divided by a quantity"
        fix = "divide the quantity by the number"
    else:
        return None
    written = f"{node.left.span.text} {node.operator} {node.right.span.text}"
    return error("TFP124", f"`{written}` has no meaning", node.span, label, fix=fix)


def computed(node: Binary, left: Number, right: Number) -> Number | Diagnostic:
    """The number that an operation comes to."""
    if node.operator == "/" and right == 0:
        return error(
            "TFP124",
            "this divides by zero",
            node.right.span,
            "is zero",
            fix="write another number",
        )
    try:
        result = calculated(node.operator, left, right)
    except OverflowError:
        return too_large(node, BEYOND_FLOATS)
    if isinstance(result, int):
        return result if abs(result) <= LARGEST else too_large(node, BEYOND_INTEGERS)
    return result if math.isfinite(result) else too_large(node, BEYOND_FLOATS)


def calculated(operator: str, left: Number, right: Number) -> Number:
    """Raises OverflowError where a float can't hold the result."""
    if operator == "+":
        return left + right
    if operator == "-":
        return left - right
    if operator == "*":
        return left * right
    if isinstance(left, int) and isinstance(right, int) and left % right == 0:
        return left // right
    return left / right


def with_unit(node: Binary, number: Number, unit: type[Amount]) -> Amount | Diagnostic:
    """The result as a quantity."""
    if number < 0:
        return error(
            "TFP124",
            "this comes to less than nothing",
            node.span,
            why="epochs, steps, shares, times and sizes begin at zero.",
            fix="subtract less",
        )
    if unit not in WHOLE:
        return unit(number)  # type: ignore[arg-type]
    if number != int(number):
        what = "step" if unit is Steps else "byte"
        return error(
            "TFP124",
            f"this comes to a part of a {what}",
            node.span,
            f"{number:g}",
            fix="write a number that divides without a rest",
        )
    if number > LARGEST:
        return too_large(node, BEYOND_INTEGERS)
    return unit(int(number))


def too_large(node: Binary, label: str) -> Diagnostic:
    """A result beyond what is counted."""
    return error(
        "TFP120",
        "this comes to a number that is too large",
        node.span,
        label,
        fix="write smaller numbers",
    )
