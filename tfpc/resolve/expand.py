"""Puts the lines of a definition where it is used, with the arguments of that use."""

from __future__ import annotations

from dataclasses import replace

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Label
from tfpc.diagnostics.span import Reached
from tfpc.resolve.bind import bind, in_words
from tfpc.resolve.definitions import KINDS, Definition
from tfpc.resolve.failure import UnresolvedError
from tfpc.resolve.module import Module
from tfpc.resolve.relocate import relocated, relocated_problem
from tfpc.resolve.tree import Item, Node
from tfpc.resolve.tree_of import TreeBuilder

# The blocks whose lines may be definitions, and of which kind.
BLOCKS = {"pipeline": "steps", "model": "layer"}
MOST_LINES = 100_000
# Of braces and definitions in each other; far below what recursion can bear.
MOST_DEPTH = 100


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
        for item in items:
            if not isinstance(item, Node):
                expanded.append(item)
                continue
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


def aliased(items: tuple[Item, ...], use: Node) -> tuple[Item, ...]:
    """The `as` name of a use is that of its last line, whose result it names."""
    if use.alias is None or not items or not isinstance(items[-1], Node):
        return items
    last = replace(items[-1], alias=use.alias, alias_span=use.alias_span)
    return (*items[:-1], last)


def misused(
    use: Node, definition: Definition, kind: str, chain: tuple[Definition, ...]
) -> Diagnostic | None:
    """What is wrong with a use, apart from its arguments."""
    name = definition.name.text
    place = Label(definition.name.span, "defined here")
    if definition.kind != kind:
        wanted, has = ("model", "layers") if kind == "layer" else ("pipeline", "steps")
        return error(
            "TFP132",
            f"`{name}` is {KINDS[definition.kind]}, and a {wanted} has {has}",
            use.head,
            labels=(place,),
            fix=f"define it with `{kind} {name} {{ }}`",
        )
    if definition in chain:
        cycle = [each.name.text for each in chain[chain.index(definition) :]]
        return error(
            "TFP132",
            f"`{name}` uses itself"
            + (f", by way of `{'`, `'.join(cycle[1:])}`" if cycle[1:] else ""),
            use.head,
            labels=(place,),
            why="a definition is replaced by its lines, so this would never end.",
            fix="use `repeat(n) { }` for what comes several times",
        )
    if use.body is not None or use.name is not None or use.source is not None:
        return error(
            "TFP104",
            f"`{name}` takes nothing but arguments",
            use.head,
            labels=(place,),
            fix=f"write `{name}(...)` on a line of its own",
        )
    return None


def too_many(use: Node) -> Diagnostic:
    """Definitions that use others over and over."""
    return error(
        "TFP132",
        f"the definitions stand for more than {MOST_LINES:,} lines",
        use.head,
        "is one use too many",
        fix="use `repeat(n) { }` for what comes several times",
    )


def too_deep(use: Node) -> Diagnostic:
    """Definitions in definitions in definitions."""
    return error(
        "TFP132",
        f"definitions and braces stand more than {MOST_DEPTH} deep in each other",
        use.head,
        "is one too many",
        fix="put some of the lines where they are used",
    )
