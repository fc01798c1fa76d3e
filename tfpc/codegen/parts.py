"""The fixed parts of programs: read as text, copied definition by definition.

A part is a function, class or constant at the top of a module in `tfpc/program`. What
it uses comes with it, and nothing else.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

PROGRAM = "tfpc.program"
IGNORED = re.compile(r"  # (type: ignore\[[^\]]*\]|noqa: [A-Z0-9, ]+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Part:
    """One definition: its text, with the comments above it, and the names it uses."""

    name: str
    module: str
    text: str
    uses: frozenset[str]


@dataclass(frozen=True, slots=True)
class Module:
    """One module: its opening sentence, its parts in order, what it imports.

    imports: the statement for each name it brings in; parents: modules of the program
    that it takes parts from.
    """

    name: str
    opening: str
    parts: tuple[Part, ...]
    imports: dict[str, str]
    parents: frozenset[str]


@cache
def modules() -> tuple[Module, ...]:
    """All modules, each after those that it takes parts from, else by name."""
    found = {
        path.name[:-3]: read_module(path.name[:-3], path.read_text(encoding="utf-8"))
        for path in files(PROGRAM).iterdir()
        if path.name.endswith(".py") and path.name != "__init__.py"
    }
    ordered: dict[str, Module] = {}

    def visit(name: str) -> None:
        if name not in ordered:
            for parent in sorted(found[name].parents):
                visit(parent)
            ordered[name] = found[name]

    for name in sorted(found):
        visit(name)
    return tuple(ordered.values())


@cache
def parts_by_name() -> dict[str, Part]:
    """Every part. Raises ValueError if two modules define the same name."""
    parts: dict[str, Part] = {}
    for module in modules():
        for part in module.parts:
            if part.name in parts:
                raise ValueError(f"{part.name} is defined twice in {PROGRAM}")
            parts[part.name] = part
    return parts


def read_module(name: str, text: str) -> Module:
    """Takes a module's text apart."""
    tree = ast.parse(text)
    lines = text.split("\n")
    imports: dict[str, str] = {}
    parents: set[str] = set()
    parts: list[Part] = []
    end = 0
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
                PROGRAM
            ):
                parents.add((node.module or "").rpartition(".")[2])
            elif not (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
                imports |= dict(imported(node))
        elif not isinstance(node, ast.Expr):
            parts.append(read_part(name, node, lines, end))
        end = node.end_lineno or end
    opening = (ast.get_docstring(tree) or "").split("\n\n")[0].replace("\n", " ")
    return Module(name, opening, tuple(parts), imports, frozenset(parents))


def imported(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    """(name that it brings in, statement) for each name of an import."""
    for alias in node.names:
        renamed = f" as {alias.asname}" if alias.asname else ""
        if isinstance(node, ast.Import):
            bound = alias.asname or alias.name.partition(".")[0]
            yield bound, f"import {alias.name}{renamed}"
        else:
            bound = alias.asname or alias.name
            yield bound, f"from {node.module} import {alias.name}{renamed}"


def read_part(module: str, node: ast.stmt, lines: list[str], after: int) -> Part:
    """A definition with its decorators and the comments directly above it.

    after: the line on which what stands before it ends.
    """
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        name = node.name
        first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
    elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        name, first = node.targets[0].id, node.lineno
    else:
        raise ValueError(f"{PROGRAM}.{module}, line {node.lineno}: not a definition")
    while first - 1 > after and lines[first - 2].startswith("#"):
        first -= 1
    text = "\n".join(lines[first - 1 : node.end_lineno])
    return Part(name, module, IGNORED.sub("", text), names_in(node) - {name})


def names_in(tree: ast.AST) -> frozenset[str]:
    """Every name that a piece of program mentions."""
    return frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))


def closure(names: frozenset[str]) -> frozenset[str]:
    """The parts that are needed for these names, and those that they need."""
    parts = parts_by_name()
    needed: set[str] = set()
    waiting = [name for name in names if name in parts]
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed.add(name)
            waiting += [used for used in parts[name].uses if used in parts]
    return frozenset(needed)


def part_names() -> frozenset[str]:
    """The names of all parts and of what they import."""
    imports = {name for module in modules() for name in module.imports}
    return frozenset(parts_by_name()) | imports
