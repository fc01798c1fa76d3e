"""One file of a spec: its `let`s and definitions, and the files that it imports."""

from __future__ import annotations

import pathlib
from collections.abc import Callable

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.diagnostics.span import Span
from tfpc.diagnostics.suggestion import nearest
from tfpc.resolve.definitions import Definition, is_definition, read_definition
from tfpc.resolve.evaluate import Evaluator
from tfpc.resolve.failure import UnresolvedError
from tfpc.resolve.lets import Lets
from tfpc.resolve.names import check_names
from tfpc.syntax import nodes
from tfpc.syntax.parser import parse


class Module:
    """One file. data: the names of the data blocks whose facts it may ask for."""

    def __init__(
        self,
        document: nodes.Document,
        fact: Callable[[nodes.Path], int | None],
        data: tuple[str, ...] = (),
    ) -> None:
        self.document = document
        self.lets = Lets(document.statements)
        self.evaluator = Evaluator(data, fact, self.lets)
        self.definitions: dict[str, Definition] = {}
        self.wrong: set[str] = set()  # names of definitions that have a problem
        self.imports: dict[str, Module | None] = {}  # None: could not be read
        self.problems = check_names(document.statements)
        for statement in document.statements:
            if isinstance(statement, nodes.Block) and is_definition(statement):
                definition, problems = read_definition(statement)
                self.problems += problems
                if definition is not None:
                    self.definitions.setdefault(definition.name.text, definition)
                elif statement.name is not None:
                    self.wrong.add(statement.name.text)

    @property
    def defines(self) -> bool:
        """Whether a word may stand for a definition, or for one that is wrong."""
        return bool(self.definitions or self.wrong or self.imports)

    def found(
        self, word: str, span: Span, problems: list[Diagnostic]
    ) -> tuple[Module, Definition] | None:
        """The definition of a word and the file that it stands in; None if it is none.

        Raises UnresolvedError after a report: an import without that name, or
        something that is wrong where it is defined.
        """
        first, _, rest = word.partition(".")
        module: Module | None = self
        if rest:
            if first not in self.imports:
                return None
            module = self.imports[first]
        name = rest or first
        if module is None or name in module.wrong:
            raise UnresolvedError
        if name in module.definitions:
            return module, module.definitions[name]
        if not rest:
            return None
        problems.append(not_imported(first, name, span, module))
        raise UnresolvedError


class Modules:
    """All files of a spec, each read once."""

    def __init__(self) -> None:
        self.read: dict[pathlib.Path, Module | None] = {}
        self.all: list[Module] = []
        self.open: list[tuple[pathlib.Path, str]] = []  # being read, the innermost last
        self.problems: list[Diagnostic] = []

    def add(self, module: Module, path: pathlib.Path) -> Module:
        """Takes a file and reads what it imports."""
        self.all.append(module)
        self.open.append((path, module.document.source.name))
        for statement in module.document.statements:
            if isinstance(statement, nodes.Import):
                imported = self.imported(statement)
                module.imports.setdefault(statement.name.text, imported)
                if imported is not None:
                    module.evaluator.imports.setdefault(
                        statement.name.text, imported.evaluator
                    )
        self.open.pop()
        return module

    def imported(self, statement: nodes.Import) -> Module | None:
        """The file that an import names; None after a report."""
        from tfpc.resolve.imports import cycle, named_file

        path = named_file(statement)
        if isinstance(path, Diagnostic):
            self.problems.append(path)
            return None
        known = path.resolve()
        opened = [each for each, _ in self.open]
        if known in opened:
            chain = [name for _, name in self.open[opened.index(known) :]]
            self.problems.append(cycle(statement, chain))
            return None
        if known not in self.read:
            self.read[known] = self.read_module(statement, path)
        return self.read[known]

    def read_module(self, statement: nodes.Import, path: pathlib.Path) -> Module | None:
        """Reads a file that has not been read."""
        from tfpc.resolve.imports import read_file

        source, problems = read_file(statement, path)
        self.problems += problems
        if source is None:
            return None
        document, problems = parse(source)
        self.problems += problems
        if document is None:
            return None
        self.problems += [misplaced(each) for each in blocks_of(document)]
        module = Module(document, lambda path: None)
        return self.add(module, path.resolve())


def blocks_of(document: nodes.Document) -> list[nodes.Block | nodes.Setting]:
    """What can't stand in an imported file."""
    return [
        each
        for each in document.statements
        if isinstance(each, nodes.Block | nodes.Setting) and not is_definition(each)
    ]


def misplaced(statement: nodes.Block | nodes.Setting) -> Diagnostic:
    """A block or setting in an imported file."""
    if isinstance(statement, nodes.Block):
        word, span = statement.word.text, statement.head
    else:
        word, span = statement.path.text, statement.path.span
    return error(
        "TFP130",
        f"`{word}` can't stand in an imported file",
        span,
        why="an import gives `let`, `steps` and `layer`; what is trained, and on what, "
        "stands in the spec itself.",
        fix="move it into the spec",
    )


def not_imported(alias: str, name: str, span: Span, module: Module) -> Diagnostic:
    """A name that an imported file does not define."""
    known = (*module.definitions, *module.lets.names)
    close = nearest(name, known)
    if close:
        fix = f"did you mean `{alias}.{close[0]}`?"
    elif known:
        fix = "choose one of " + ", ".join(f"`{alias}.{each}`" for each in known[:6])
    else:
        fix = f"define it there: `layer {name}() {{ }}`"
    return error(
        "TFP101",
        f"`{alias}` defines no `{name}`",
        span,
        f"is not in {module.document.source.name}",
        fix=fix,
    )
