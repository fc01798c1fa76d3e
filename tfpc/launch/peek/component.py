"""One component of a batch after a step, in words: type, range, spread, values."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tfpc.launch.figures import whole
from tfpc.launch.peek.row import Part

# What the program tells of a component after a step, as JSON values.
Stage = dict[str, Any]
SHOWN_VALUES = 6


@dataclass(frozen=True, slots=True)
class Component:
    """A component after a step, in a batch of `examples`.

    class_names: of the label, in the order of their numbers, as far as they are known.
    """

    stage: Stage
    examples: int
    class_names: Sequence[str] = ()

    @property
    def name(self) -> str:
        """The component's name."""
        return str(self.stage["component"])

    @property
    def changed(self) -> int:
        """How many examples the step left otherwise than it got them."""
        return int(self.stage["changed"])

    @property
    def is_integer(self) -> bool:
        """Whether it holds whole numbers."""
        return str(self.stage["dtype"]).startswith(("int", "uint", "bool"))

    @property
    def is_number_each(self) -> bool:
        """Whether an example has one number, no more."""
        return not self.stage["sizes"] and self.stage["dtype"] != "string"

    def type(self, *, batched: bool) -> str:
        """dtype and shape; `120..500` is a size that differs between examples."""
        sizes = self.stage["sizes"]
        if sizes is None:
            return f"{self.stage['dtype']}[...]"
        shown = [str(low) if low == high else f"{low}..{high}" for low, high in sizes]
        shown = [str(self.examples), *shown] if batched else shown
        return f"{self.stage['dtype']}[{', '.join(shown)}]"

    def part(self, *, batched: bool, notes: tuple[str, ...]) -> Part:
        """All that is said of it."""
        spread = "", ""
        if self.stage["dtype"] != "string" and not self.is_class:
            spread = self.figure("mean"), self.figure("std")
        return Part(
            self.name,
            self.type(batched=batched),
            self.range(),
            *spread,
            remark=self.remark(),
            notes=notes,
        )

    @property
    def is_class(self) -> bool:
        """Whether an example has a class number, of which there is no mean."""
        return self.stage["kind"] == "label" and self.is_integer

    def range(self) -> str:
        """The least and the greatest value; of text, its sizes in bytes."""
        low, high = self.figure("low"), self.figure("high")
        if not low:
            return ""
        said = low if low == high else f"{low}..{high}"
        return f"{said} bytes" if self.stage["dtype"] == "string" else said

    def figure(self, key: str) -> str:
        """A figure, with four digits unless it is a whole number."""
        value = self.stage[key]
        if value is None:
            return ""
        value = float(value)
        exact = self.is_integer or self.stage["dtype"] == "string"
        if exact and key in ("low", "high"):
            return f"{value:.0f}"
        return f"{value:.4g}"

    def remark(self) -> str:
        """How many examples the step changed, else values to recognise it by."""
        if 0 < self.changed < self.examples:
            return f"{whole(self.changed)} of {whole(self.examples)} changed"
        if self.is_class:
            different = int(self.stage["different"])
            classes = f"{different:,} class{'' if different == 1 else 'es'}"
            return f"{classes}: {self.values()}"
        if self.stage["kind"] == "label" and not self.is_number_each:
            return f"{whole(self.stage['different'])} different rows"
        if self.stage["dtype"] == "string" and self.stage["kind"] != "encoded":
            return f"{whole(self.stage['different'])} different: {self.values()}"
        return self.values() if self.is_number_each else ""

    def values(self) -> str:
        """The first values, classes by name; `...` if there are more."""
        first = self.stage["first"][:SHOWN_VALUES]
        rest = ", ..." if self.stage["numbers"] > len(first) else ""
        return ", ".join(map(self.value, first)) + rest

    def value(self, value: object) -> str:
        """One value."""
        if self.is_class and isinstance(value, int):
            known = 0 <= value < len(self.class_names)
            return self.class_names[value] if known else str(value)
        if isinstance(value, float):
            return f"{value:.4g}"
        return json.dumps(value, ensure_ascii=False)
