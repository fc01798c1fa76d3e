"""The lines of a `features` block: a column and its encoder each."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tfpc.diagnostics.diagnostic import Label
from tfpc.resolve.tree import Entry, Node
from tfpc.spec.expectation import Expectation
from tfpc.spec.model import Placed
from tfpc.spec.use import Use
from tfpc.types.value import Symbol
from tfpc.vocabulary.encoder import Encoder
from tfpc.vocabulary.registry import words

if TYPE_CHECKING:
    from tfpc.spec.blocks import BlockDecoder


def decode_features(
    node: Node, decoder: BlockDecoder, outer: Node | None, *, first: bool
) -> Placed[Encoder] | None:
    """The block with an encoder for each column, whose name is its alias.

    outer: the layer in whose braces it stands; first: whether nothing is above it.
    """
    placed = decoder.words.decode(Use.of_node(node), ("layer",))
    if outer is not None or not first:
        decoder.report(
            "TFP104",
            "`features` is the first layer of a model",
            node.head,
            labels=() if outer is None else (Label(outer.head, "it stands in this"),),
            why="it makes the model's input of the columns of a table.",
            fix="move it up, directly below `model`",
        )
    columns: dict[str, Placed[Encoder]] = {}
    for item in node.body or ():
        if isinstance(item, Node):
            decoder.report(
                "TFP104",
                f"`{item.word}` can't stand in `features`",
                item.head,
                why="its lines are columns, each with an encoder.",
                fix=f"write `{item.word} = normalize`, or move it below the braces",
            )
        elif item.path in columns:
            decoder.report(
                "TFP104",
                f"the column `{item.path}` is named twice",
                item.path_span,
                labels=(Label(columns[item.path].span, "here already"),),
                fix="keep one of the two",
            )
        else:
            encoder = decode_encoder(item, decoder)
            if encoder is not None:
                columns[item.path] = encoder
    if not node.body:
        decoder.report(
            "TFP104",
            "`features` has nothing in its braces",
            node.head,
            fix="name the columns: `features { age = normalize }`",
        )
    body = tuple(columns.values())
    return None if placed is None else replace(placed, body=body, alias=node.alias)  # type: ignore[return-value]


def decode_encoder(entry: Entry, decoder: BlockDecoder) -> Placed[Encoder] | None:
    """One line: `age = normalize`."""
    content = entry.value.content
    if not isinstance(content, Symbol):
        expected = Expectation(options=tuple(words("encoder")))
        headline = f"`{entry.path}` must be an encoder"
        decoder.report_value(
            entry.value, headline, expected, f"{entry.path} = normalize"
        )
        return None
    use = Use.of_symbol(content, entry.value.span)
    placed = decoder.words.decode(use, ("encoder",), content.lets)
    if placed is None:
        return None
    spans = {**placed.argument_spans, "column": entry.path_span}
    return replace(placed, alias=entry.path, argument_spans=spans)  # type: ignore[return-value]
