"""Program text that opens the sources: which examples belong to which split."""

from __future__ import annotations

from tfpc.codegen.writer import Writer
from tfpc.diagnostics.span import Span
from tfpc.plan.ir import DataPlan, SplitPlan
from tfpc.types.fragment import Fragment, Item, Literal, Mapping, Name, call, name
from tfpc.types.quantity import Percent
from tfpc.types.tensor import Content
from tfpc.vocabulary.source import Opening, Source
from tfpc.vocabulary.split import Split


def place_of(span: Span) -> str:
    """A place of the spec as the program names it: file, line, column."""
    file = span.source.name.replace("\\", "/").rpartition("/")[2]
    return f"{file}:{span.line}:{span.column}"


def write_sources(writer: Writer, data: DataPlan) -> None:
    """`open_sources`: the splits by name, from the folder that paths start at."""
    writer.line("@functools.cache")
    with writer.function(
        "open_sources",
        ["root: pathlib.Path = SPEC_FOLDER"],
        "dict[str, Source]",
        "Finds the examples of each split below the folder that paths start at.",
    ):
        train = data.splits["train"]
        write_source(writer, data, train)
        held = [
            split for split in data.splits.values() if isinstance(split.source, Split)
        ]
        if any(isinstance(split.source.part, Percent) for split in held):  # type: ignore[union-attr]
            writer.assign("count", Name("train.count"))
        for split in held:
            write_held_out(writer, split)
        for split in data.splits.values():
            if isinstance(split.source, Source) and split is not train:
                write_source(writer, data, split)
        splits = tuple((split, Name(split)) for split in data.splits)
        writer.returns(Mapping(splits))


def write_source(writer: Writer, data: DataPlan, split: SplitPlan) -> None:
    """Opens one source, and takes a sample of it where there is a limit."""
    assert isinstance(split.source, Source)
    labels = split.element.of_content(Content.LABEL)
    classes = split.element[labels[0]].classes if labels else None
    like = None if split.name == "train" else name("train")
    names = split.facts.class_names
    opening = Opening(classes, like, split.element, names, split.fields)
    place = place_of(split.span)
    writer.assign(split.name, split.source.code(name("root"), place, opening))
    if data.limit is not None:
        sample = call("sample", Name(f"{split.name}.count"), data.limit, name("SEED"))
        writer.assign(split.name, call(f"{split.name}.select", sample))


def write_held_out(writer: Writer, split: SplitPlan) -> None:
    """Takes a part out of train."""
    assert isinstance(split.source, Split)
    part = split.source.part
    size: object = part
    if isinstance(part, Percent):
        size = call("share", name("count"), part.fraction)
    writer.assign("held", call("sample", Name("train.count"), size, split.source.seed))
    writer.assign(split.name, call("train.select", name("held")))
    writer.assign("train", call("train.select", Name("~held")))


def split_of(split: str, root: str = "root") -> Fragment:
    """`open_sources(root)["train"]`."""
    return Item(call("open_sources", name(root)), Literal(split))
