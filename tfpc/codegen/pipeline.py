"""What the program's text of a pipeline is made of: variables, keys, maps, stages."""

from __future__ import annotations

from tfpc.codegen.stages import Stages, cut
from tfpc.codegen.variables import variables
from tfpc.codegen.writer import Writer
from tfpc.plan.ir import Chain, Mode, Plan, StepNode
from tfpc.types.element import Element
from tfpc.types.fragment import Call, Fragment, Name, call, name
from tfpc.vocabulary.source import Source
from tfpc.vocabulary.stream import Batch

TUPLE = "tuple[tf.Tensor, ...]"


class PipelineText:
    """What the writers of maps and of datasets both ask.

    taken: names that variables must not have.
    """

    def __init__(self, writer: Writer, plan: Plan, taken: frozenset[str]) -> None:
        self.writer = writer
        self.plan = plan
        self.taken = taken
        source = plan.data.splits["train"].source
        assert isinstance(source, Source)
        self.random_access = source.random_access
        self.opened = source.opened
        self.has_features = plan.model is not None and bool(plan.model.features)
        self.stages: dict[Mode, Stages] = {
            mode: cut(chain) for mode, chain in plan.chains.items()
        }

    def names(self, element: Element) -> list[Name]:
        """The variables of an element, in order."""
        return list(variables(element, self.taken).values())

    def prepare_name(self, mode: Mode) -> str:
        """One function for both modes, if they do the same above the cache."""
        train, evaluation = self.stages["train"], self.stages["eval"]
        same = [(node.step, node.target) for node in train.once] == [
            (node.step, node.target) for node in evaluation.once
        ]
        both = train.cache is not None and evaluation.cache is not None
        return "prepare" if not both or same else f"prepare_{mode}"

    def keys(self, mode: Mode) -> list[Name]:
        """What says which example it is: the epoch, too, in training."""
        return [name("epoch"), name("index")] if mode == "train" else [name("index")]

    def maps_of(self, mode: Mode) -> list[tuple[str, tuple[StepNode, ...]]]:
        """The maps of a mode with the names of their functions; the first one reads."""
        stages = self.stages[mode]
        each = stages.each if stages.each or stages.gathers_batches else ((),)
        if stages.gathers_batches:
            batched = stages.batched or ((),)
            return numbered(f"{mode}_batch", batched)
        return numbered(f"{mode}_example", each) + numbered(
            f"{mode}_batch", stages.batched
        )

    def reader(self, mode: Mode, function: str, number: int) -> Fragment:
        """The function of a map; the first one is given what it reads from."""
        if number > 0:
            return name(function)
        if self.stages[mode].cache is not None:
            return call("functools.partial", name(function), name("kept"))
        if self.random_access:
            return call("functools.partial", name(function), name("source"))
        return name(function)

    def mapped(self, chain: Chain, function: Fragment) -> Call:
        """A map, on all cores where a pass said so."""
        if chain.parallel:
            return call("map_in_parallel", name("dataset"), function)
        return call("dataset.map", function)


def numbered(
    function: str, groups: tuple[tuple[StepNode, ...], ...]
) -> list[tuple[str, tuple[StepNode, ...]]]:
    """A name for each group: `train_batch`, `train_batch_2`, ..."""
    return [
        (function if number == 1 else f"{function}_{number}", nodes)
        for number, nodes in enumerate(groups, 1)
    ]


def batch_size(chain: Chain) -> int:
    """The size of a chain's batches."""
    node = chain.first(Batch)
    assert node is not None
    assert isinstance(node.step, Batch)
    return node.step.size
