"""A document to a tree of values: lets first, then every block and setting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.diagnostics.span import Span
from tfpc.resolve.evaluate import NOT_YET, Evaluator
from tfpc.resolve.facts import own_fact
from tfpc.resolve.failure import UnresolvedError
from tfpc.resolve.lets import Lets
from tfpc.resolve.names import check_names
from tfpc.resolve.override import COMMAND_LINE, Override, parse_override
from tfpc.resolve.tree import Argument, Entry, Item, Node, Resolved
from tfpc.syntax import nodes

if TYPE_CHECKING:  # most specs are read without `--set`
    from tfpc.resolve.paths import Target

# Blocks of the language that this version does not have yet.
LATER = ("profile", "steps", "layer", "lint")

FactSource = Callable[[Node, str], "int | None"]


def resolve(
    document: nodes.Document, settings: Sequence[str], fact: FactSource
) -> tuple[Resolved | None, list[Diagnostic]]:
    """The tree of a document, with the `--set` texts applied, in order.

    fact: gives a fact (`classes`, `size`) of a resolved data block, or None. It is
    asked only for what the spec uses, and never for a block that has a problem here.
    """
    resolver = Resolver(document, fact)
    resolved = resolver.resolve(settings)
    problems = sorted(resolver.problems, key=place)
    return (None if problems else resolved), problems


def place(problem: Diagnostic) -> tuple[bool, int]:
    """For the order in which problems are told: the spec, then the command line."""
    span = problem.span
    if span is None:
        return False, 0
    # Several `--set` stay in the order in which they were given.
    is_override = span.source.name == COMMAND_LINE
    return is_override, 0 if is_override else span.start


class Resolver:
    """Resolves one document. Every expression is evaluated once, so that no problem
    is reported twice; a data block whose facts are asked for comes before its turn.
    """

    def __init__(self, document: nodes.Document, fact: FactSource) -> None:
        self.document = document
        self.fact = fact
        self.blocks: dict[str, nodes.Block] = {}
        for statement in document.statements:
            if isinstance(statement, nodes.Block) and statement.word.text == "data":
                name = statement.name
                if name is not None:
                    self.blocks.setdefault(name.text, statement)
        self.lets = Lets(document.statements)
        self.evaluator = Evaluator(tuple(self.blocks), self.fact_of, self.lets)
        self.overrides: list[Override] = []
        self.done: list[Override] = []
        self.nodes: dict[int, Node | None] = {}  # data blocks; None: not yet whole
        self.wrong: set[int] = set()  # data blocks with a problem

    @property
    def problems(self) -> list[Diagnostic]:
        """All that has been found."""
        return self.lets.problems + self.evaluator.problems

    def resolve(self, settings: Sequence[str]) -> Resolved:
        """Everything."""
        statements = self.document.statements
        self.evaluator.problems += check_names(statements)
        for text in settings:
            override, problems = parse_override(text)
            self.evaluator.problems += problems
            if override is not None:
                self.overrides.append(override)
        self.lets.evaluate_all(self.evaluator.evaluate_let)
        items = self.items(statements)
        for override in self.overrides:
            if override not in self.done:
                from tfpc.resolve.overrides import place_of

                target = place_of(items, override, self.lets.names)
                items = self.overridden(items, target, override)
        return Resolved(self.document.source, items)

    def overridden(
        self,
        items: tuple[Item, ...],
        target: Target | Diagnostic | None,
        override: Override,
    ) -> tuple[Item, ...]:
        """The items after one `--set`, or as they are after a report."""
        from tfpc.resolve.overrides import with_value

        self.done.append(override)
        if isinstance(target, Diagnostic):
            self.evaluator.problems.append(target)
            return items
        value = self.evaluator.value(override.expression)
        if value is None:
            return items
        if value.origin is None:
            value = replace(value, origin=value.span, how="set by --set")
        return with_value(items, target, override, value)

    # ------------------------------------------------------------------- data

    def data_node(self, block: nodes.Block) -> Node:
        """A data block with its overrides. Raises UnresolvedError within itself."""
        key = id(block)
        if key not in self.nodes:
            self.nodes[key] = None
            before = len(self.problems)
            items: tuple[Item, ...] = (self.block(block),)
            for override in self.overrides:
                from tfpc.resolve.overrides import places_in

                targets = places_in(items, override)
                if len(targets) == 1 and override not in self.done:
                    items = self.overridden(items, targets[0], override)
            node = items[0]
            assert isinstance(node, Node)
            self.nodes[key] = node
            if len(self.problems) > before:
                self.wrong.add(key)
        found = self.nodes[key]
        if found is None:
            raise UnresolvedError
        return found

    def fact_of(self, path: nodes.Path) -> int | None:
        """A fact of a data block, which is resolved before its turn for that.

        Raises UnresolvedError after a report: of a block that needs its own fact here,
        of whatever else is wrong with the block where that stands.
        """
        block = self.blocks[path.names[0].text]
        key = id(block)
        if key in self.nodes and self.nodes[key] is None:
            self.evaluator.problems.append(own_fact(path))
            raise UnresolvedError
        # Any `let` may be used in the block, also where one of them asks for the fact.
        inside, self.evaluator.inside = self.evaluator.inside, None
        try:
            node = self.data_node(block)
        finally:
            self.evaluator.inside = inside
        if key in self.wrong:
            raise UnresolvedError
        return self.fact(node, path.names[1].text)

    # ------------------------------------------------------------------ blocks

    def items(
        self, statements: Sequence[nodes.Statement], *, nested: bool = False
    ) -> tuple[Item, ...]:
        """All statements that become part of the tree."""
        items: list[Item] = []
        for statement in statements:
            if isinstance(statement, nodes.Setting):
                value = self.evaluator.value(statement.value)
                if value is not None:
                    path = statement.path
                    items.append(Entry(path.text, path.span, value, statement.span))
            elif isinstance(statement, nodes.Import):
                self.report_later(statement.span, "import")
            elif isinstance(statement, nodes.Let):
                if nested:
                    self.report_nested(statement)
            elif self.is_available(statement):
                is_data = statement.word.text == "data" and not nested
                items.append((self.data_node if is_data else self.block)(statement))
        return tuple(items)

    def report_nested(self, let: nodes.Let) -> None:
        """A `let` in braces."""
        self.evaluator.problems.append(
            error(
                "TFP104",
                "a `let` stands outside all braces",
                let.span,
                "stands in a block",
                why="its name means one thing in the whole spec.",
                fix=f"move `{let.span.text}` above the block"
                if "\n" not in let.span.text
                else "move it above the block",
            )
        )

    def is_available(self, block: nodes.Block) -> bool:
        """Reports what comes with a later version."""
        word = block.word.text
        if block.target is not None:
            self.report_later(block.head, "python")
            return False
        if word in LATER and (block.name is not None or word == "lint"):
            self.report_later(block.head, word)
            return False
        if block.asserted is not None:
            self.report_later(block.asserted.span, "->")
        return True

    def report_later(self, span: Span, word: str) -> None:
        """Says that a word is known, but not yet there."""
        self.evaluator.problems.append(
            error(
                "TFP199",
                f"`{word}` {NOT_YET}",
                span,
                "comes with a later version",
                fix="leave it out",
            )
        )

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
            body=None if block.body is None else self.items(block.body, nested=True),
            alias=block.alias.text if block.alias else None,
            alias_span=block.alias.span if block.alias else None,
            span=block.span,
            head=block.head,
        )
