"""What is shown of a step of a pipeline: a row, with a part for each component."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Part:
    """What is said of one component, or of all examples where `component` is empty.

    remark: what else it may be recognised by; notes: what is worth a look.
    """

    component: str = ""
    type: str = ""
    range: str = ""
    mean: str = ""
    std: str = ""
    remark: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """A step (or the source, which is number 0) and what it gives.

    line: in the spec; mode: that of the `when` that it stands in, empty outside of any.
    """

    number: int
    line: str
    step: str
    mode: str
    parts: tuple[Part, ...]
