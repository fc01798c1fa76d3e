"""The units of quantities: which there are, and what they stand for."""

from __future__ import annotations

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.diagnostics.span import Span
from tfpc.diagnostics.suggestion import did_you_mean
from tfpc.resolve.arithmetic import LARGEST
from tfpc.syntax.nodes import Quantity
from tfpc.types.quantity import (
    COUNT_UNITS,
    SIZE_UNITS,
    TIME_UNITS,
    UNITS,
    Amount,
    Bytes,
    Epochs,
    Percent,
    Seconds,
    Steps,
)

SHORT_SIZES = {"K": "KiB", "M": "MiB", "G": "GiB", "T": "TiB"}
# What units are called elsewhere.
OTHER_NAMES = {
    "sec": "s",
    "secs": "s",
    "second": "s",
    "seconds": "s",
    "minute": "min",
    "minutes": "min",
    "mins": "min",
    "hour": "h",
    "hours": "h",
    "hr": "h",
    "hrs": "h",
    "day": "d",
    "days": "d",
    "batch": "steps",
    "batches": "steps",
    "iteration": "steps",
    "iterations": "steps",
    "it": "steps",
    "ep": "epochs",
    "percent": "%",
}


def quantity(node: Quantity) -> Amount | Diagnostic:
    """A number with its unit, or what is wrong with it."""
    unit, number = node.unit, node.number
    factor = SIZE_UNITS.get(unit) or TIME_UNITS.get(unit) or 1
    # A float compares with inf, an integer of many digits is never turned into one.
    if number > LARGEST or number * factor > LARGEST:
        return too_large(node)
    if unit == "%":
        return Percent(number / 100)
    if unit in TIME_UNITS:
        return Seconds(number * factor)
    if unit in SIZE_UNITS:
        size = number * factor
        return Bytes(int(size)) if size == int(size) else part_of(node, "byte")
    if COUNT_UNITS.get(unit) == "epochs":
        return Epochs(number)
    if COUNT_UNITS.get(unit) == "steps":
        return Steps(int(number)) if number == int(number) else part_of(node, "step")
    return no_unit(node)


def too_large(node: Quantity) -> Diagnostic:
    """More than anything is counted to."""
    return error(
        "TFP120",
        "this number is too large",
        node.span,
        f"more than {LARGEST:,}",
        fix="write a smaller number",
    )


def part_of(node: Quantity, what: str) -> Diagnostic:
    """A fraction of what can't be divided."""
    return error(
        "TFP012",
        f"there is no part of a {what}",
        node.span,
        "comes to no whole number",
        fix="write a whole number",
    )


def no_unit(node: Quantity) -> Diagnostic:
    """A unit that does not exist."""
    first = node.span.end - len(node.unit)
    span = Span(node.span.source, first, node.span.end)
    digits = node.literal[: -len(node.unit)]
    short = SHORT_SIZES.get(node.unit.upper()[:1])
    if (
        node.unit.upper()
        in ("K", "M", "G", "T", "KB", "MB", "GB", "TB", "KIB", "MIB", "GIB", "TIB")
        and short
    ):
        power = "KMGT".index(node.unit[0].upper()) + 1
        return error(
            "TFP012",
            f"`{node.unit}` is not a unit",
            span,
            "a size needs a full unit",
            why=f"`{node.literal}` could be {digits} x 1000^{power} or "
            f"{digits} x 1024^{power} bytes.",
            fix=f"write `{digits}{short}` (1024) or `{digits}{short[0]}B` (1000)",
        )
    known = OTHER_NAMES.get(node.unit.lower())
    fix = f"write `{digits}{known}`" if known else did_you_mean(node.unit, UNITS)
    return error(
        "TFP012",
        f"`{node.unit}` is not a unit",
        span,
        "" if fix else f"units are {', '.join(UNITS)}",
        fix=fix or "leave the unit out, or write one of these",
    )
