"""A document to a tree of values: lets first, then every block and setting."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Label
from tfpc.diagnostics.span import Span
from tfpc.resolve.evaluate import NOT_YET, Evaluator, UnresolvedError
from tfpc.resolve.overrides import apply_overrides
from tfpc.resolve.tree import Argument, Entry, Item, Node, Resolved
from tfpc.syntax import nodes
from tfpc.types.value import Value

# Blocks of the language that this version does not have yet.
LATER = ("profile", "steps", "layer", "lint")

FactSource = Callable[[Node, str], "int | None"]


def resolve(
    document: nodes.Document, settings: Sequence[str], fact: FactSource
) -> tuple[Resolved | None, list[Diagnostic]]:
    """The tree of a document, with the `--set` texts applied, in order.

    fact: gives a fact (`classes`, `size`) of a resolved data block, or None. It is
    asked only for what the spec uses.
    """
    resolver = Resolver(document, settings, fact)
    return resolver.resolve()


class Resolver:
    """Resolves one document."""

    def __init__(
        self, document: nodes.Document, settings: Sequence[str], fact: FactSource
    ) -> None:
        self.document = document
        self.settings = settings
        self.fact = fact
        self.blocks = {
            statement.name.text: statement
            for statement in document.statements
            if isinstance(statement, nodes.Block)
            and statement.word.text == "data"
            and statement.name is not None
        }
        self.evaluator = Evaluator(frozenset(self.blocks), self.fact_of)
        self.data: dict[str, Node | None] = {}

    def resolve(self) -> tuple[Resolved | None, list[Diagnostic]]:
        """Everything."""
        self.resolve_lets()
        items = self.items(self.document.statements)
        resolved = Resolved(self.document.source, items)
        problems = self.evaluator.problems
        if self.settings:
            resolved, more = apply_overrides(resolved, self.settings, self.evaluator)
            problems = problems + more
        return (None if problems else resolved), problems

    def fact_of(self, name: str, fact: str) -> int | None:
        """A fact of a data block, which is resolved (and overridden) before others."""
        if name not in self.data:
            self.data[name] = None  # a data block that asks for its own facts
            before = len(self.evaluator.problems)
            node = self.block(self.blocks[name])
            resolved = Resolved(self.document.source, (node,))
            resolved, _ = apply_overrides(resolved, self.settings, self.evaluator)
            # What is wrong with it is reported where it stands, not where it is used.
            failed = len(self.evaluator.problems) > before
            del self.evaluator.problems[before:]
            first = resolved.items[0]
            assert isinstance(first, Node)
            self.data[name] = None if failed else first
        node_or_none = self.data[name]
        return None if node_or_none is None else self.fact(node_or_none, fact)

    def resolve_lets(self) -> None:
        """`let`s in order; each may use those above it."""
        for statement in self.document.statements:
            if not isinstance(statement, nodes.Let):
                continue
            name = statement.name.text
            known = self.evaluator.lets.get(name)
            if known is not None:
                self.evaluator.problems.append(shadowed(statement.name, known.span))
                continue
            try:
                self.evaluator.lets[name] = self.evaluator.evaluate(statement.value)
            except UnresolvedError:
                # Known all the same, so that its uses are not reported again.
                self.evaluator.lets[name] = Value(1, statement.value.span)

    def items(self, statements: Sequence[nodes.Statement]) -> tuple[Item, ...]:
        """All statements that are not `let` or `import`."""
        items: list[Item] = []
        for statement in statements:
            if isinstance(statement, nodes.Setting):
                value = self.value(statement.value)
                if value is not None:
                    path = statement.path
                    items.append(Entry(path.text, path.span, value, statement.span))
            elif isinstance(statement, nodes.Block):
                if self.is_available(statement):
                    items.append(self.block(statement))
            elif isinstance(statement, nodes.Import):
                self.report_later(statement.span, "import")
        return tuple(items)

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

    def value(self, expression: nodes.Expression) -> Value | None:
        """The value of an expression, None after a report."""
        try:
            return self.evaluator.evaluate(expression)
        except UnresolvedError:
            return None

    def block(self, block: nodes.Block) -> Node:
        """A block with the values of its arguments and its body."""
        positional: list[Value] = []
        keywords: list[Argument] = []
        if block.arguments is not None:
            given = map(self.value, block.arguments.positional)
            positional = [value for value in given if value is not None]
            for keyword in block.arguments.keywords:
                value = self.value(keyword.value)
                if value is not None:
                    name = keyword.name
                    keywords.append(Argument(name.text, name.span, value))
        return Node(
            word=block.word.text,
            word_span=block.word.span,
            name=block.name.text if block.name else None,
            name_span=block.name.span if block.name else None,
            positional=tuple(positional),
            keywords=tuple(keywords),
            called=block.arguments is not None,
            source=block.source.text if block.source else None,
            source_span=block.source.span if block.source else None,
            body=None if block.body is None else self.items(block.body),
            alias=block.alias.text if block.alias else None,
            span=block.span,
            head=block.head,
        )


def shadowed(name: nodes.Name, first: Span) -> Diagnostic:
    """A second `let` of one name."""
    return error(
        "TFP125",
        f"`{name.text}` is set twice",
        name.span,
        labels=(Label(first, "first set here"),),
        why="a name means one thing in the whole spec.",
        fix="give one of the two another name",
    )
