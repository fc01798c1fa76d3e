"""What in a batch is worth a look: it may be meant, and often is not."""

from __future__ import annotations

from collections.abc import Iterator

from tfpc.launch.peek.component import Component


def notes(component: Component) -> Iterator[tuple[object, str]]:
    """(what it is about, in words) for each. What has been said once is not news."""
    stage, examples = component.stage, component.examples
    odd, flat, black = (int(stage[key]) for key in ("odd", "flat", "black"))
    different = int(stage["different"])
    if odd:
        yield ("odd", odd), f"NaN or infinity in {share(odd, examples)}"
    if component.is_class and different == 1 and examples > 1:
        yield "class", "one class only in this batch"
    elif black == examples:
        yield ("flat", flat), "every picture is black"
    elif is_constant(component):
        yield "constant", f"constant: every value is {component.range()}"
    elif flat:
        said = f"{share(black, examples)} all black" if black else ""
        if flat > black:
            said += " and " if said else ""
            said += f"{share(flat - black, examples)} of one color only"
        yield ("flat", flat), f"pictures: {said}"
    if stage["kind"] == "picture" and different < examples and black < examples:
        yield (
            ("different", different),
            f"{different:,} different pictures among {examples:,}",
        )


def share(part: int, whole: int) -> str:
    """`3 of 32`, or `all 32`."""
    return f"all {whole:,}" if part == whole else f"{part:,} of {whole:,}"


def is_constant(component: Component) -> bool:
    """Whether there are several numbers, and all are the same."""
    stage = component.stage
    return (
        stage["dtype"] != "string"
        and int(stage["numbers"]) > 1
        and stage["low"] == stage["high"]
    )
