"""How many bytes of memory a spec takes, and how many there are: for several rules.

It is taken from the plan after all passes, since these move what makes bytes many to
below what keeps them.
"""

from __future__ import annotations

from dataclasses import dataclass

from tfpc.machine.memory import usable_memory
from tfpc.plan.ir import Mode, Plan, SplitPlan, StepNode
from tfpc.types.element import Element
from tfpc.vocabulary.source import Source
from tfpc.vocabulary.stream import Cache

# Above this share a system begins to swap, or ends the process: TensorFlow, its
# buffers and the copies of a checkpoint need room as well.
ROOM = 0.7


def memory_here() -> int | None:
    """The memory of the machine that checks, None where it does not say."""
    return usable_memory()


@dataclass(frozen=True, slots=True)
class Kept:
    """What `cache(memory)` keeps. each: bytes of an example; count: examples of all
    splits together; element: what is kept of each.
    """

    element: Element
    each: int
    count: int

    @property
    def bytes(self) -> int:
        """All of it."""
        return self.each * self.count


def kept(plan: Plan) -> Kept | None:
    """What the cache of a plan keeps, None without one or where that is not known."""
    if all(chain.first(Cache) is None for chain in plan.chains.values()):
        return None
    from tfpc.passes.order import optimize

    chains = optimize(plan).chains
    cache = chains["train"].first(Cache)
    if cache is None or cache.after.bytes is None:
        return None
    modes: list[Mode] = [mode for mode in chains if chains[mode].first(Cache)]
    count = examples(plan, modes)
    return None if count is None else Kept(cache.after, cache.after.bytes, count)


def examples(plan: Plan, modes: list[Mode]) -> int | None:
    """Examples of all splits of these modes, as far as known; None without train's."""
    counts = {name: split.facts.count for name, split in plan.data.splits.items()}
    if counts["train"] is None:
        return None
    return sum(
        count or 0
        for name, count in counts.items()
        if ("train" if name == "train" else "eval") in modes
    )


def size_here(plan: Plan, node: StepNode) -> int | None:
    """The bytes of all examples as they are after a step, None if not known."""
    count = examples(plan, ["train", "eval"])
    return (
        None
        if count is None or node.after.bytes is None
        else (count * node.after.bytes)
    )


def record_size(split: SplitPlan) -> int | None:
    """The bytes of a record: of the first one, else what its fields take at least.

    None where text of any length is among them, or the source has no records.
    """
    if not isinstance(split.source, Source) or split.source.random_access:
        return None
    if split.facts.record_bytes is not None:
        return split.facts.record_bytes
    sizes = []
    for _, tensor in split.element.components:
        if tensor.bytes is None:
            return None
        # A whole number takes one byte, if it is small.
        sizes.append(tensor.bytes // 8 if tensor.dtype == "int64" else tensor.bytes)
    return sum(sizes)


def fits(size: int, share: float = ROOM) -> bool:
    """Whether it leaves room on this machine, as far as that can be known."""
    memory = memory_here()
    return memory is None or size <= share * memory


def amount(size: int) -> str:
    """Bytes in the unit that suits them."""
    from tfpc.plan.show import amount as shown

    return shown(size)
