"""A plan for a person to read: every step with its type, place and size."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from tfpc.plan.ir import Chain, ModelPlan, Place, Plan, SplitPlan, StepNode
from tfpc.plan.written import in_words, written
from tfpc.types.element import Element
from tfpc.vocabulary.stream import Batch, Cache, Prefetch, StreamStep

MOST_IN_A_CELL = 6
MOST_WEIGHTS = 10


def render(plan: Plan) -> str:
    """The whole plan as text, in the order in which data goes through it."""
    blocks = [data_lines(plan)]
    for chain in plan.chains.values():
        blocks.append(chain_lines(plan, chain))
    if plan.model is not None:
        blocks.append(model_lines(plan.model))
    if plan.train is not None:
        blocks.append(train_lines(plan))
    blocks.append(change_lines(plan))
    return "\n\n".join("\n".join(block) for block in blocks if block)


def table(rows: Sequence[tuple[str, ...]], indent: str = "  ") -> list[str]:
    """Rows with their columns one below the other."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        (
            indent
            + "  ".join(
                cell.ljust(width) for cell, width in zip(row, widths, strict=True)
            )
        ).rstrip()
        for row in rows
    ]


def amount(size: int | None) -> str:
    """Bytes in the unit that suits them; `?` where they are not known."""
    if size is None:
        return "?"
    value = float(size)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if value < 1024 or unit == "GiB":
            break
        value /= 1024
    return f"{value:,.0f} {unit}" if unit == "B" else f"{value:,.1f} {unit}"


def counted(count: int | None) -> str:
    """A number of examples; `?` where only the program can know."""
    return "? examples" if count is None else f"{count:,} examples"


def data_lines(plan: Plan) -> list[str]:
    """The splits."""
    rows = [split_row(split) for split in plan.data.splits.values()]
    element = plan.chains["train"].source
    listed: list[str] = []
    if len(element.names) > MOST_IN_A_CELL:
        listed = wrap(inner(element), 86, initial_indent="  ", subsequent_indent="  ")
    return [f"data {plan.data.name}", *table(rows), *listed]


def split_row(split: SplitPlan) -> tuple[str, ...]:
    """One split: where it is from, how many, which classes."""
    names = split.facts.class_names
    classes = "" if names is None else f"{len(names)} classes"
    return (
        split.name,
        " ".join(split.span.text.split()),
        counted(split.facts.count),
        classes,
    )


def chain_lines(plan: Plan, chain: Chain) -> list[str]:
    """The steps of one mode, as they run."""
    rows = [("step", "runs", "gives", "bytes an example")]
    rows.append(("(source)", "", in_a_cell(chain.source), amount(chain.source.bytes)))
    above_cache = chain.first(Cache) is not None
    for node in chain.nodes:
        above_cache = above_cache and not isinstance(node.step, Cache)
        gives = "" if node.before == node.after else in_a_cell(node.after)
        size = "" if not gives else amount(node.after.bytes)
        rows.append(
            (step_text(node), place(node, above_cache=above_cache), gives, size)
        )
    return [f"pipeline {plan.pipeline}, {chain.mode}", *table(rows)]


def inner(element: Element) -> str:
    """The components, without parentheses."""
    return str(element)[1:-1]


def in_a_cell(element: Element) -> str:
    """The same for a cell of a table: of many components only how many."""
    count = len(element.names)
    return inner(element) if count <= MOST_IN_A_CELL else f"{count} components"


def step_text(node: StepNode) -> str:
    """The step as the spec says it; a prefetch of the compiler's own is `prefetch`."""
    if isinstance(node.step, Prefetch) and node.step.count is None:
        return "prefetch"
    text = written(node.step, node.span)
    return f"{text} of {node.target}" if node.shared else text


def place(node: StepNode, *, above_cache: bool) -> str:
    """Where and how often a step runs."""
    if isinstance(node.step, Cache):
        return f"keeps {counted(node.facts.count)}"
    if isinstance(node.step, Batch | Prefetch):
        return ""
    if isinstance(node.step, StreamStep):
        return "on keys" if not node.batched else "on batches of keys"
    often = "once" if above_cache else "every epoch"
    unit = "a batch" if node.batched else "an example"
    return (
        f"{node.place.value}, {unit}, {often}"
        if node.place is Place.HOST
        else "device, in the step"
    )


def model_lines(model: ModelPlan) -> list[str]:
    """The layers with their types and parameters."""
    rows = [("layer", "gives", "parameters"), (model.component, str(model.input), "")]
    for node in model.nodes:
        count = f"{node.parameters:,}" if node.parameters else ""
        if node.parameters is None:
            count = "?"
        rows.append((node.name, str(node.after), count))
    total = model.parameters
    said = "as many parameters as the training data asks for"
    if total is not None:
        said = f"{total:,} parameters, {amount(4 * total)}"
    return [f"model {model.name}: {said}", *feature_lines(model), *table(rows)]


def feature_lines(model: ModelPlan) -> list[str]:
    """The columns with their encoders."""
    rows = [
        (each.column, written(each.encoder, each.span), str(each.tensor))
        for each in model.features
    ]
    return table([("column", "encoder", "is"), *rows]) if rows else []


def train_lines(plan: Plan) -> list[str]:
    """How it is trained."""
    assert plan.train is not None
    rows = [
        ("epochs", str(plan.train.epochs)),
        ("loss", plan.train.loss.word),
        *weight_rows(plan.train.class_weights),
        ("optimizer", plan.train.optimizer.word),
        ("metrics", ", ".join(plan.train.metrics) or "none"),
        ("strategy", in_words(plan.settings.strategy)),
        ("precision", plan.settings.precision),
        ("memory", in_words(plan.settings.memory)),
        ("seed", str(plan.settings.seed)),
        ("determinism", str(plan.settings.determinism).lower()),
    ]
    return ["train", *table(rows)]


def weight_rows(weights: tuple[float, ...]) -> list[tuple[str, str]]:
    """How much each class counts, if not all alike."""
    said = ", ".join(f"{weight:g}" for weight in weights[:MOST_WEIGHTS])
    more = ", ..." if len(weights) > MOST_WEIGHTS else ""
    return [("class weights", said + more)] if weights else []


def change_lines(plan: Plan) -> list[str]:
    """What the passes changed, and why."""
    if not plan.changes:
        return []
    lines = ["what the compiler changed"]
    for change in plan.changes:
        lines.append(f"  {change.by} ({change.exactness}): {change.what}:")
        lines.append(f"    {change.why}")
    return lines
