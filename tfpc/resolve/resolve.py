"""A document to a tree of values: files, lets, blocks, overrides, definitions."""

from __future__ import annotations

import pathlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.resolve.facts import own_fact
from tfpc.resolve.failure import UnresolvedError
from tfpc.resolve.module import Module, Modules
from tfpc.resolve.override import COMMAND_LINE, Override, parse_override
from tfpc.resolve.profiles import Profiles
from tfpc.resolve.tree import Item, Node, Resolved
from tfpc.resolve.tree_of import TreeBuilder
from tfpc.syntax import nodes

if TYPE_CHECKING:  # most specs are read without `--set`
    from tfpc.resolve.paths import Target

FactSource = Callable[[Node, str], "int | None"]


def resolve(
    document: nodes.Document,
    settings: Sequence[str],
    fact: FactSource,
    profiles: Sequence[str] = (),
) -> tuple[Resolved | None, list[Diagnostic]]:
    """The tree of a document, with profiles, then `--set` texts applied, in order.

    fact: gives a fact (`classes`, `size`) of a resolved data block, or None. It is
    asked only for what the spec uses, and never for a block that has a problem here.
    Imported files are read.
    """
    resolver = Resolver(document, fact)
    resolved = resolver.resolve(settings, profiles)
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
        self.main = Module(document, self.fact_of, tuple(self.blocks))
        self.modules = Modules()
        self.modules.add(self.main, pathlib.Path(document.source.name).resolve())
        self.builder = TreeBuilder(self.main.evaluator)
        self.profiles = Profiles(document.statements)
        self.overrides: list[Override] = []
        self.done: list[Override] = []
        self.nodes: dict[int, Node | None] = {}  # data blocks; None: not yet whole
        self.wrong: set[int] = set()  # data blocks with a problem
        self.reported: list[Diagnostic] = []

    @property
    def problems(self) -> list[Diagnostic]:
        """All that has been found."""
        found = [*self.modules.problems, *self.profiles.problems, *self.reported]
        for module in self.modules.all:
            found += module.problems + module.lets.problems + module.evaluator.problems
        return found

    def resolve(self, settings: Sequence[str], profiles: Sequence[str]) -> Resolved:
        """Everything."""
        self.overrides += self.profiles.chosen(profiles)
        for text in settings:
            override, problems = parse_override(text)
            self.reported += problems
            if override is not None:
                self.overrides.append(override)
        for module in self.modules.all:
            module.lets.evaluate_all(module.evaluator.evaluate_let)
        items = self.builder.items(
            self.document.statements, nested=False, data_node=self.data_node
        )
        self.check_profiles(items, profiles)
        for override in self.overrides:
            if override not in self.done:
                from tfpc.resolve.overrides import place_of

                target = place_of(items, override, self.main.lets.names)
                items = self.overridden(items, target, override)
        if any(module.defines for module in self.modules.all):
            from tfpc.resolve.expand import Expander

            items = Expander(self.reported).expand_all(items, self.main)
        sources = tuple(module.document.source for module in self.modules.all)
        return Resolved(self.document.source, items, sources)

    def check_profiles(self, items: tuple[Item, ...], chosen: Sequence[str]) -> None:
        """Reports paths of the other profiles that lead nowhere."""
        for name in self.profiles.blocks:
            if name in chosen:
                continue
            from tfpc.resolve.overrides import place_of

            for override in self.profiles.overrides(name):
                target = place_of(items, override, self.main.lets.names)
                if isinstance(target, Diagnostic):
                    self.reported.append(target)

    def overridden(
        self,
        items: tuple[Item, ...],
        target: Target | Diagnostic | None,
        override: Override,
    ) -> tuple[Item, ...]:
        """The items after one override, or as they are after a report."""
        from tfpc.resolve.overrides import with_value

        self.done.append(override)
        if isinstance(target, Diagnostic):
            self.reported.append(target)
            return items
        value = self.main.evaluator.value(override.expression)
        if value is None:
            return items
        if value.origin is None:
            value = replace(value, origin=value.span, how=override.how)
        return with_value(items, target, override, value)

    # ------------------------------------------------------------------- data

    def data_node(self, block: nodes.Block) -> Node:
        """A data block with its overrides. Raises UnresolvedError within itself."""
        key = id(block)
        if key not in self.nodes:
            self.nodes[key] = None
            before = len(self.problems)
            items: tuple[Item, ...] = (self.builder.block(block),)
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
            self.reported.append(own_fact(path))
            raise UnresolvedError
        # Any `let` may be used in the block, also where one of them asks for the fact.
        evaluator = self.main.evaluator
        inside, evaluator.inside = evaluator.inside, None
        try:
            node = self.data_node(block)
        finally:
            evaluator.inside = inside
        if key in self.wrong:
            raise UnresolvedError
        return self.fact(node, path.names[1].text)
