"""A data block: its splits, its schema, what is the label, how much is used."""

from __future__ import annotations

from typing import Any

from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.resolve.tree import Entry, Node
from tfpc.spec.blocks import BlockDecoder
from tfpc.spec.model import DataSpec, Placed
from tfpc.spec.words import Use
from tfpc.types.value import Symbol
from tfpc.vocabulary.split import Split

SPLITS = ("train", "validation", "test")
# What people call the splits elsewhere.
OTHER_NAMES = {
    "eval": "validation",
    "val": "validation",
    "valid": "validation",
    "dev": "validation",
    "training": "train",
}


class DataDecoder(BlockDecoder):
    """Decodes one data block."""

    def __init__(self, node: Node, problems: list[Diagnostic]) -> None:
        super().__init__(problems)
        self.node = node

    def decode(self) -> DataSpec | None:
        """The block, or None after a report."""
        before = len(self.problems)
        self.check_head(self.node, "data NAME { }", needs_source=False)
        schemas = [
            item
            for item in self.node.body or ()
            if isinstance(item, Node) and item.word == "schema"
        ]
        plain = tuple(item for item in self.node.body or () if item not in schemas)
        self.report_other_names(plain)
        entries = self.entries_of(plain)
        sources = self.decode_sources(entries)
        schema = self.decode_schema(schemas[0]) if schemas else None
        label = self.decode_label(entries.get("label"))
        limit = self.decode_limit(entries.get("limit"))
        if len(self.problems) > before:
            return None
        return DataSpec(
            self.node.name or "",
            self.node.head,
            sources,
            label,
            limit,
            schema,
        )

    def report_other_names(self, items: tuple) -> None:  # type: ignore[type-arg]
        """Splits by the names that they have elsewhere."""
        for item in items:
            if isinstance(item, Entry) and item.path in OTHER_NAMES:
                self.report(
                    "TFP110",
                    f"`data` has no setting `{item.path}`",
                    item.path_span,
                    "splits are `train`, `validation` and `test`",
                    fix=f"write `{OTHER_NAMES[item.path]}`",
                )

    def entries_of(self, items: tuple) -> dict[str, Entry]:  # type: ignore[type-arg]
        """The settings of the block."""
        from dataclasses import replace

        kept = tuple(
            item
            for item in items
            if not (isinstance(item, Entry) and item.path in OTHER_NAMES)
        )
        node = replace(self.node, body=kept)
        return self.entries(node, (*SPLITS, "label", "limit"))

    def decode_sources(self, entries: dict[str, Entry]) -> dict[str, Placed[Any]]:
        """The splits, train first."""
        if "train" not in entries:
            self.report_no_setting(self.node, "train", 'image_folder("data/train")')
        sources: dict[str, Placed[Any]] = {}
        for split in SPLITS:
            entry = entries.get(split)
            if entry is None:
                continue
            content = entry.value.content
            if not isinstance(content, Symbol):
                self.report_value(
                    entry,
                    f"`{split}` must be a source",
                    f'{split} = image_folder("data/{split}")',
                )
                continue
            use = Use.of_symbol(content, entry.value.span)
            placed = self.words.decode(use, ("source",))
            if placed is None:
                continue
            if split == "train" and isinstance(placed.word, Split):
                self.report(
                    "TFP104",
                    "`train` can't be a `split` of itself",
                    placed.span,
                    why="`split` holds a part of train out, for `validation` or `test`.",
                    fix='write where the data is: `train = image_folder("...")`',
                )
            sources[split] = placed
        return sources

    def decode_schema(self, node: Node) -> dict[str, Placed[Any]]:
        """The fields by name, in order."""
        fields: dict[str, Placed[Any]] = {}
        for item in node.body or ():
            if isinstance(item, Node):
                self.report(
                    "TFP104",
                    f"`{item.word}` can't stand in `schema`",
                    item.head,
                    fix="write a field and its type: `label = int64`",
                )
                continue
            content = item.value.content
            if item.path in fields or "." in item.path:
                self.report(
                    "TFP104",
                    f"the field `{item.path}` is named twice"
                    if item.path in fields
                    else "the name of a field has no dots",
                    item.path_span,
                    fix='give it another name: `image = string(key = "image/encoded")`',
                )
                continue
            if not isinstance(content, Symbol):
                self.report_value(
                    item, f"`{item.path}` must be a type", f"{item.path} = int64"
                )
                continue
            placed = self.words.decode(
                Use.of_symbol(content, item.value.span), ("field",)
            )
            if placed is not None:
                fields[item.path] = placed
        if not node.body:
            self.report(
                "TFP104",
                "`schema` has nothing in its braces",
                node.head,
                fix="write its fields: `image = string`",
            )
        return fields

    def decode_label(self, entry: Entry | None) -> str:
        """The name of the field that is the label."""
        if entry is None:
            return "label"
        content = entry.value.content
        if isinstance(content, Symbol) and not content.called:
            return content.word
        self.report_value(
            entry, "`label` must be the name of a field", "label = income"
        )
        return "label"

    def decode_limit(self, entry: Entry | None) -> int | None:
        """How many examples of each source are used at most."""
        if entry is None:
            return None
        content = entry.value.content
        if isinstance(content, bool) or not isinstance(content, int) or content < 1:
            self.report_value(
                entry, "`limit` must be a whole number of at least 1", "limit = 1_000"
            )
            return None
        return content
