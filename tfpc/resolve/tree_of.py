"""Statements to nodes and entries: every expression in them becomes a value."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.resolve.definitions import is_definition
from tfpc.resolve.evaluate import Evaluator
from tfpc.resolve.tree import Argument, Entry, Item, Node
from tfpc.syntax import nodes

# Blocks that a spec names but that are no part of its tree.
OUTSIDE = ("profile",)


class TreeBuilder:
    """Builds the tree of one file with the evaluator of that file."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator

    def items(
        self,
        statements: Sequence[nodes.Statement],
        *,
        nested: bool = True,
        data_node: Callable[[nodes.Block], Node] | None = None,
    ) -> tuple[Item, ...]:
        """All statements that become part of the tree.

        data_node: what builds the data blocks, if they are built elsewhere.
        """
        items: list[Item] = []
        for statement in statements:
            if isinstance(statement, nodes.Setting):
                entry = self.entry(statement)
                if entry is not None:
                    items.append(entry)
            elif not isinstance(statement, nodes.Block) or is_definition(statement):
                if nested:
                    self.evaluator.problems.append(misplaced(statement))
            elif nested or statement.word.text not in OUTSIDE:
                is_data = data_node is not None and statement.word.text == "data"
                build = data_node if is_data and data_node else self.block
                items.append(build(statement))
        return tuple(items)

    def entry(self, setting: nodes.Setting) -> Entry | None:
        """A setting with its value; None after a report."""
        value = self.evaluator.value(setting.value)
        if value is None:
            return None
        return Entry(setting.path.text, setting.path.span, value, setting.span)

    def block(self, block: nodes.Block) -> Node:
        """A block with the values of its arguments and its body."""
        positional: tuple[nodes.Expression, ...] = ()
        keywords: tuple[nodes.Keyword, ...] = ()
        if block.arguments is not None:
            positional = block.arguments.positional
            keywords = block.arguments.keywords
        given = [self.evaluator.value(each) for each in positional]
        named = [(each.name, self.evaluator.value(each.value)) for each in keywords]
        return Node(
            word=block.word.text,
            word_span=block.word.span,
            name=block.name.text if block.name else None,
            name_span=block.name.span if block.name else None,
            positional=tuple(value for value in given if value is not None),
            keywords=tuple(
                Argument(name.text, name.span, value)
                for name, value in named
                if value is not None
            ),
            called=block.arguments is not None,
            source=block.source.text if block.source else None,
            source_span=block.source.span if block.source else None,
            body=None if block.body is None else self.items(block.body),
            alias=block.alias.text if block.alias else None,
            alias_span=block.alias.span if block.alias else None,
            span=block.span,
            head=block.head,
            asserted=self.asserted(block),
            asserted_span=block.asserted.span if block.asserted else None,
            target=self.evaluator.value(block.target) if block.target else None,
        )

    def asserted(self, block: nodes.Block) -> tuple[Argument, ...]:
        """The types behind `->`, each with the name of its component, "" without one."""
        if block.asserted is None:
            return ()
        named = [
            (each.name.text, each.name.span, self.evaluator.value(each.value))
            for each in block.asserted.keywords
        ]
        nameless = [
            ("", each.span, self.evaluator.value(each))
            for each in block.asserted.positional
        ]
        return tuple(
            Argument(name, span, value)
            for name, span, value in (*named, *nameless)
            if value is not None
        )


def misplaced(statement: nodes.Let | nodes.Import | nodes.Block) -> Diagnostic:
    """A `let`, an import or a definition in braces."""
    if isinstance(statement, nodes.Block):
        word, span = f"`{statement.word.text}` definition", statement.head
    else:
        word, span = "`let`", statement.span
        if isinstance(statement, nodes.Import):
            word = "`import`"
    one_line = "\n" not in statement.span.text
    return error(
        "TFP104",
        f"{'an' if word == '`import`' else 'a'} {word} stands outside all braces",
        span,
        "stands in a block",
        why="its name means one thing in the whole spec.",
        fix=f"move `{statement.span.text}` above the block"
        if one_line
        else "move it above the block",
    )
