"""A data block with what a look at the data tells: types, counts, classes."""

from __future__ import annotations

import pathlib
from dataclasses import replace

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Label
from tfpc.plan.ir import DataPlan, SplitPlan
from tfpc.plan.mismatches import report
from tfpc.spec.model import DataSpec, Placed
from tfpc.types.facts import SourceFacts
from tfpc.types.quantity import Percent
from tfpc.types.tensor import Content
from tfpc.vocabulary.source import Probe, Source
from tfpc.vocabulary.split import Split
from tfpc.vocabulary.word import Mismatch


def lower_data(
    data: DataSpec, folder: pathlib.Path, *, look: bool
) -> tuple[DataPlan | None, list[Diagnostic]]:
    """All splits of a data block. look: whether to open the data at all."""
    splits: dict[str, SplitPlan] = {}
    problems: list[Diagnostic] = []
    for name, placed in data.sources.items():
        if isinstance(placed.word, Split):
            continue
        found = probed(data, placed.word, folder, look=look)
        if isinstance(found, Mismatch):
            problems.append(report("TFP202", found, placed.span, placed.argument_spans))
            continue
        splits[name] = SplitPlan(
            name,
            placed.word,
            placed.span,
            limited(found.facts, data.limit),
            found.element,
            found.fields,
        )
    if problems or "train" not in splits:
        return None, problems
    problems += unlike_train(splits)
    problems += hold_out(data, splits)
    if problems:
        return None, problems
    keys = {name: name for name in splits["train"].element.names}
    for name, schema_field in (data.schema or {}).items():
        keys[name] = schema_field.word.key or name
    ordered = {name: splits[name] for name in data.sources}
    return DataPlan(data.name, data.span, ordered, data.limit, keys), []


def probed(
    data: DataSpec, source: Source, folder: pathlib.Path, *, look: bool
) -> Probe | Mismatch:
    """What a source tells, with the schema where it takes one."""
    schema = None
    if data.schema is not None:
        schema = {name: placed.word for name, placed in data.schema.items()}
    return (
        source.probe(folder, schema, data.label)
        if look
        else source.blind(schema, data.label)
    )


def limited(facts: SourceFacts, limit: int | None) -> SourceFacts:
    """The facts of a source of which at most `limit` examples are used."""
    if limit is None or facts.count is None:
        return facts
    return replace(facts, count=min(facts.count, limit))


def unlike_train(splits: dict[str, SplitPlan]) -> list[Diagnostic]:
    """Splits whose examples or classes are not those of train."""
    train = splits["train"]
    problems = []
    for split in splits.values():
        known = train.facts.class_names
        new = set(split.facts.class_names or ()) - set(known or ())
        if known is not None and new:
            listed = ", ".join(f'"{name}"' for name in sorted(new)[:3])
            problems.append(
                error(
                    "TFP203",
                    f"`{split.name}` has classes that `train` has not: {listed}",
                    split.span,
                    f"{len(split.facts.class_names or ())} classes",
                    labels=(Label(train.span, f"{len(known)} classes"),),
                    why="a class that is never trained has no score.",
                    fix=fix_of(split),
                )
            )
        elif shapes(split) != shapes(train):
            problems.append(
                error(
                    "TFP203",
                    f"the examples of `{split.name}` are not like those of `train`",
                    split.span,
                    f"gives {split.element}",
                    labels=(Label(train.span, f"gives {train.element}"),),
                    why="one pipeline reads all splits.",
                    fix="make them alike, or name the fields in `schema { }`",
                )
            )
    return problems


def fix_of(split: SplitPlan) -> str:
    """What to do about classes that only one split has."""
    return split.source.fix_classes if isinstance(split.source, Source) else ""


def shapes(split: SplitPlan) -> list[tuple[str, str, object]]:
    """Names, dtypes and shapes of the components."""
    return [(name, t.dtype, t.shape) for name, t in split.element.components]


def hold_out(data: DataSpec, splits: dict[str, SplitPlan]) -> list[Diagnostic]:
    """Adds the splits that are parts of train, and takes them out of it."""
    train = splits["train"]
    whole = left = train.facts.count
    for name, placed in data.sources.items():
        if not isinstance(placed.word, Split):
            continue
        size = None if whole is None else part_of(whole, placed.word)
        if left is not None and size is not None:
            if size >= left:
                return [nothing_left(placed, size, left)]
            left -= size
        facts = SourceFacts(size, train.facts.class_names)
        splits[name] = SplitPlan(name, placed.word, placed.span, facts, train.element)
    facts = replace(train.facts, count=left)
    splits["train"] = replace(train, facts=facts)
    return []


def part_of(count: int, split: Split) -> int:
    """How many examples a split takes; the program's `share` is the same."""
    if isinstance(split.part, Percent):
        return max(1, round(count * split.part.fraction))
    return split.part


def nothing_left(placed: Placed[Source | Split], size: int, left: int) -> Diagnostic:
    """A split that leaves nothing to train on."""
    return error(
        "TFP204",
        f"this split takes {size:,} of {left:,} examples and leaves none to train on",
        placed.argument_spans.get("part", placed.span),
        "too much",
        fix="hold out less, for example `split(20%)`",
    )


def fact(plan: DataPlan, name: str) -> int | None:
    """`classes` or `size` (examples of train) of a data block, None if not known."""
    train = plan.splits["train"]
    if name == "size":
        return train.facts.count
    labels = train.element.of_content(Content.LABEL)
    return train.element[labels[0]].classes if labels else None
