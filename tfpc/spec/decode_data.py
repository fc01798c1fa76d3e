"""A data block: its splits, its schema, what is the label, how much is used."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tfpc.diagnostics.diagnostic import Diagnostic, Label
from tfpc.diagnostics.suggestion import did_you_mean
from tfpc.resolve.settings import BLOCK_SETTINGS, SPLITS
from tfpc.resolve.tree import Entry, Item, Node
from tfpc.spec.blocks import BlockDecoder
from tfpc.spec.expectation import WHOLE_NUMBER, Expectation
from tfpc.spec.model import DataSpec, Placed
from tfpc.spec.shown import shown
from tfpc.spec.use import Use
from tfpc.types.quantity import Percent
from tfpc.types.value import Symbol
from tfpc.vocabulary.registry import words
from tfpc.vocabulary.split import Split

# What people call the splits elsewhere.
OTHER_NAMES = {
    "eval": "validation",
    "val": "validation",
    "valid": "validation",
    "dev": "validation",
    "training": "train",
    "testing": "test",
}


class DataDecoder(BlockDecoder):
    """Decodes one data block."""

    def __init__(self, node: Node, problems: list[Diagnostic]) -> None:
        super().__init__(problems)
        self.node = node

    def decode(self) -> DataSpec | None:
        """The block, or None after a report."""
        before = len(self.problems)
        if not self.check_head(self.node, "data NAME { }"):
            return None
        schemas, others = self.parted()
        entries = self.entries(replace(self.node, body=others), BLOCK_SETTINGS["data"])
        sources = self.decode_sources(entries)
        schema = self.decode_schema(schemas[0]) if schemas else None
        for second in schemas[1:]:
            self.report_twice(second, schemas[0])
        label = self.decode_label(entries.get("label"), schema)
        limit = self.decode_limit(entries.get("limit"))
        if len(self.problems) > before:
            return None
        name = self.node.name or ""
        return DataSpec(name, self.node.head, sources, label, limit, schema)

    def parted(self) -> tuple[list[Node], tuple[Item, ...]]:
        """The schemas, and all else but splits of other names, which are reported."""
        schemas: list[Node] = []
        others: list[Item] = []
        for item in self.node.body or ():
            if isinstance(item, Node) and item.word == "schema":
                schemas.append(item)
            elif isinstance(item, Entry) and item.path in OTHER_NAMES:
                known = OTHER_NAMES[item.path]
                self.misspelt.add(known)
                self.report(
                    "TFP110",
                    f"`data` has no setting `{item.path}`",
                    item.path_span,
                    "splits are `train`, `validation` and `test`",
                    fix=f"write `{known}`",
                )
            else:
                others.append(item)
        return schemas, tuple(others)

    def report_twice(self, second: Node, first: Node) -> None:
        """A second schema, of which nothing would be read."""
        self.report(
            "TFP104",
            "there are two `schema`",
            second.head,
            labels=(Label(first.head, "the first one"),),
            fix="write all fields in one of them",
        )

    # ----------------------------------------------------------------- splits

    def decode_sources(self, entries: dict[str, Entry]) -> dict[str, Placed[Any]]:
        """The splits, train first."""
        if "train" not in entries:
            self.report_no_settings(self.node, {"train": 'image_folder("data/train")'})
        sources: dict[str, Placed[Any]] = {}
        for split in SPLITS:
            placed = self.decode_source(split, entries.get(split))
            if placed is not None:
                sources[split] = placed
        self.check_parts(sources)
        return sources

    def decode_source(self, split: str, entry: Entry | None) -> Placed[Any] | None:
        """One split: a source, or a part of train."""
        if entry is None:
            return None
        content = entry.value.content
        if not isinstance(content, Symbol):
            self.report_value(
                entry.value,
                f"`{split}` must be a source",
                Expectation(),
                f'{split} = image_folder("data/{split}")',
            )
            return None
        use = Use.of_symbol(content, entry.value.span)
        placed = self.words.decode(use, ("source",), content.lets)
        if placed is not None and split == "train" and isinstance(placed.word, Split):
            self.report(
                "TFP104",
                "`train` can't be a `split` of itself",
                placed.span,
                why="`split` holds a part of train out, for `validation` or `test`.",
                fix='write where the data is: `train = image_folder("...")`',
            )
            return None
        return placed

    def check_parts(self, sources: dict[str, Placed[Any]]) -> None:
        """The shares held out are more than nothing, and leave something to train on.

        The parts of train are disjoint: each is drawn from what those before it left.
        """
        held = 0.0
        earlier: list[Placed[Any]] = []
        for placed in sources.values():
            if not isinstance(placed.word, Split):
                continue
            part = placed.word.part
            if not isinstance(part, Percent):
                continue
            held += part.fraction
            if part.fraction <= 0 or held > 1 - 1e-9:
                self.report_part(placed, earlier, held)
                return
            earlier.append(placed)

    def report_part(
        self, placed: Placed[Any], earlier: list[Placed[Any]], held: float
    ) -> None:
        """A share that holds out nothing or everything."""
        value, part = placed.values["part"], placed.word.part
        if part.fraction <= 0:
            headline = "`part` of `split` must be more than 0%"
        elif earlier:
            headline = (
                f"these splits take {held:.0%} of `train` and leave nothing to train on"
            )
        else:
            headline = "`part` of `split` must be less than 100%"
        self.report(
            "TFP103",
            headline,
            value.span,
            shown(value),
            labels=[
                Label(each.values["part"].span, f"takes {each.word.part}")
                for each in earlier
                if part.fraction > 0
            ],
            fix="hold out a part, for example `split(20%)`",
        )

    # ----------------------------------------------------------------- schema

    def decode_schema(self, node: Node) -> dict[str, Placed[Any]]:
        """The fields by name, in order."""
        self.check_head(node, "schema { }")
        fields: dict[str, Placed[Any]] = {}
        for item in node.body or ():
            if isinstance(item, Node):
                self.report_no_field(item)
            elif item.path in fields or "." in item.path:
                self.report_field_name(item, fields)
            else:
                placed = self.decode_field(item)
                if placed is not None:
                    fields[item.path] = placed
        if node.body == ():
            self.report(
                "TFP104",
                "`schema` has nothing in its braces",
                node.head,
                fix="write its fields: `image = string`",
            )
        return fields

    def report_no_field(self, node: Node) -> None:
        """A word without `=` among the fields."""
        fix = "write a field and its type: `label = int64`"
        if node.word in words("field"):
            fix = f"write the field's name in front: `label = {node.head.text}`"
        self.report(
            "TFP104", f"`{node.word}` can't stand in `schema`", node.head, fix=fix
        )

    def report_field_name(self, entry: Entry, fields: dict[str, Placed[Any]]) -> None:
        """A field's name that is taken, or is none."""
        self.report(
            "TFP104",
            f"the field `{entry.path}` is named twice"
            if entry.path in fields
            else "the name of a field has no dots",
            entry.path_span,
            fix='give it another name: `image = string(key = "image/encoded")`',
        )

    def decode_field(self, entry: Entry) -> Placed[Any] | None:
        """One field: its type."""
        content = entry.value.content
        if not isinstance(content, Symbol):
            expected = Expectation(options=tuple(words("field")))
            headline = f"`{entry.path}` must be a type"
            example = f"{entry.path} = int64"
            self.report_value(entry.value, headline, expected, example)
            return None
        use = Use.of_symbol(content, entry.value.span)
        return self.words.decode(use, ("field",), content.lets)

    # ------------------------------------------------------------------- rest

    def decode_label(
        self, entry: Entry | None, schema: dict[str, Placed[Any]] | None
    ) -> str:
        """The name of the field that is the label."""
        if entry is None:
            return "label"
        content = entry.value.content
        if (
            not isinstance(content, Symbol)
            or content.called
            or content.shape is not None
        ):
            named = content.word if isinstance(content, Symbol) else content
            known = (named,) if isinstance(named, str) and named.isidentifier() else ()
            self.report_value(
                entry.value,
                "`label` must be the name of a field",
                Expectation(options=known),
                "label = income",
            )
        elif schema and content.word not in schema:
            self.report(
                "TFP106",
                f"the schema has no field named `{content.word}`",
                entry.value.span,
                labels=[Label(next(iter(schema.values())).span, "the schema")],
                fix=did_you_mean(content.word, schema) or "write the name of a field",
            )
        else:
            return content.word
        return "label"

    def decode_limit(self, entry: Entry | None) -> int | None:
        """How many examples of each source are used at most."""
        if entry is None:
            return None
        content = entry.value.content
        is_whole = isinstance(content, int) and not isinstance(content, bool)
        if not isinstance(content, int) or not is_whole or content < 1:
            headline = "`limit` must be a whole number of at least 1"
            self.report_value(entry.value, headline, WHOLE_NUMBER, "limit = 1_000")
            return None
        return content
