"""The facts of a data block, looked up once and only when something asks."""

from __future__ import annotations

import pathlib
from dataclasses import dataclass

from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.plan.ir import DataPlan
from tfpc.plan.lower_data import fact, lower_data
from tfpc.resolve.tree import Node
from tfpc.spec.decode import decode_data
from tfpc.spec.model import DataSpec

# Facts of data that can't be read, so that no message follows from another one: the
# first one is reported where the data stands.
PLACEHOLDER = 1


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a look at the data of one block gave."""

    data: DataSpec
    plan: DataPlan | None
    problems: list[Diagnostic]


class DataFacts:
    """Looks at the data of a spec. look: whether it may."""

    def __init__(self, folder: pathlib.Path, *, look: bool) -> None:
        self.folder = folder
        self.look = look
        self.outcomes: list[Outcome] = []

    def lower(self, data: DataSpec) -> tuple[DataPlan | None, list[Diagnostic]]:
        """The plan of a data block."""
        for known in self.outcomes:
            if known.data == data:
                return known.plan, known.problems
        plan, problems = lower_data(data, self.folder, look=self.look)
        self.outcomes.append(Outcome(data, plan, problems))
        return plan, problems

    def fact(self, node: Node, name: str) -> int | None:
        """A fact of a data block that is not decoded yet; None if it is not known."""
        data, _ = decode_data(node)
        if data is None:
            return PLACEHOLDER
        plan, _ = self.lower(data)
        return PLACEHOLDER if plan is None else fact(plan, name)
