"""Puts the lines of a definition where it is used, with the arguments of that use."""

from __future__ import annotations

from dataclasses import replace

from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.diagnostics.span import Reached
from tfpc.resolve.bind import bind, in_words
from tfpc.resolve.definitions import Definition
from tfpc.resolve.failure import UnresolvedError
from tfpc.resolve.module import Module
from tfpc.resolve.relocate import relocated, relocated_problem
from tfpc.resolve.tree import Argument, Item, Node
from tfpc.resolve.tree_of import TreeBuilder
from tfpc.resolve.wrong_use import MOST_DEPTH, MOST_LINES, misused, too_deep, too_many
from tfpc.types.value import Symbol, Value

# The blocks whose lines may be definitions, and of which kind.
BLOCKS = {"pipeline": "steps", "model": "layer"}


class Expander:
    """Expands all uses in a tree and collects what is wrong with them."""

    def __init__(self, problems: list[Diagnostic]) -> None:
        self.problems = problems
        self.lines = 0

    def expand_all(self, items: tuple[Item, ...], main: Module) -> tuple[Item, ...]:
        """The top-level items of a spec with the definitions in them expanded."""
        return tuple(
            replace(item, body=self.expand(item.body, main, BLOCKS[item.word], (), 0))
            if isinstance(item, Node) and item.word in BLOCKS and item.body
            else item
            for item in items
        )

    def expand(
        self,
        items: tuple[Item, ...],
        module: Module,
        kind: str,
        chain: tuple[Definition, ...],
        depth: int,
    ) -> tuple[Item, ...]:
        """The items with all uses replaced.

        module: the file that they stand in; kind: `steps` or `layer`; chain: the
        definitions that they stand in, the outermost first; depth: how many braces and
        definitions those are.
        """
        expanded: list[Item] = []
        for given in items:
            if not isinstance(given, Node):
                expanded.append(given)
                continue
            item = self.with_values(given, module, kind, chain, depth)
            try:
                found = module.found(item.word, item.word_span, self.problems)
                if found is not None:
                    expanded.extend(self.used(item, *found, kind, chain, depth))
                    continue
            except UnresolvedError:  # told
                continue
            body = item.body
            if body:
                body = self.expand(body, module, kind, chain, depth + 1)
            expanded.append(replace(item, body=body))
        return tuple(expanded)

    def with_values(
        self,
        node: Node,
        module: Module,
        kind: str,
        chain: tuple[Definition, ...],
        depth: int,
    ) -> Node:
        """The node with the lines of definitions that stand as arguments,
        `residual(shortcut = block(64))`.
        """

        def expanded(value: Value) -> Value:
            symbol = value.content
            if not isinstance(symbol, Symbol) or symbol.lines is not None:
                return value
            span = symbol.word_span or value.span
            try:
                found = module.found(symbol.word, span, self.problems)
                if found is None:
                    return value
                use = as_node(symbol, value)
                lines = self.used(use, *found, kind, chain, depth + 1)
            except UnresolvedError:  # told
                lines = ()
            return replace(value, content=replace(symbol, lines=lines))

        return replace(
            node,
            positional=tuple(map(expanded, node.positional)),
            keywords=tuple(
                replace(each, value=expanded(each.value)) for each in node.keywords
            ),
        )

    def used(
        self,
        use: Node,
        module: Module,
        definition: Definition,
        kind: str,
        chain: tuple[Definition, ...],
        depth: int,
    ) -> tuple[Item, ...]:
        """The lines that a use stands for. Raises UnresolvedError after a report."""
        problem = misused(use, definition, kind, chain)
        if problem is None and depth >= MOST_DEPTH:
            problem = too_deep(use)
        if problem is not None:
            self.problems.append(problem)
            raise UnresolvedError
        evaluator = module.evaluator
        before = len(evaluator.problems)
        bound = bind(use, definition, evaluator)
        reached = Reached(use.head, in_words(bound))
        with evaluator.bound_to(bound):
            items = TreeBuilder(evaluator).items(definition.block.body or ())
        new = evaluator.problems[before:]
        del evaluator.problems[before:]
        self.problems += [relocated_problem(each, reached) for each in new]
        self.lines += len(items)
        if self.lines > MOST_LINES:
            if self.lines <= MOST_LINES + len(items):  # told once
                self.problems.append(too_many(use))
            raise UnresolvedError
        items = relocated(items, reached)
        chain = (*chain, definition)
        return aliased(self.expand(items, module, kind, chain, depth + 1), use)


def as_node(symbol: Symbol, value: Value) -> Node:
    """A definition that stands as an argument, as if it stood on a line."""
    return Node(
        word=symbol.word,
        word_span=symbol.word_span or value.span,
        name=None,
        name_span=None,
        positional=symbol.positional,
        keywords=tuple(Argument(n, span, v) for n, v, span in symbol.keywords),
        called=symbol.called,
        source=None,
        source_span=None,
        body=None,
        alias=None,
        alias_span=None,
        span=value.span,
        head=value.span,
    )


def aliased(items: tuple[Item, ...], use: Node) -> tuple[Item, ...]:
    """The `as` name of a use is that of its last line, whose result it names."""
    if use.alias is None or not items or not isinstance(items[-1], Node):
        return items
    last = replace(items[-1], alias=use.alias, alias_span=use.alias_span)
    return (*items[:-1], last)
