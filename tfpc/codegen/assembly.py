"""Puts a program together: imports, settings, the parts that it needs, its own text."""

from __future__ import annotations

import ast
import sys
from dataclasses import dataclass

from tfpc.codegen.parts import closure, modules, names_in

# What generated text may use besides the parts, and the statement that brings it in.
IMPORTS = {
    "functools": "import functools",
    "keras": "import keras",
    "os": "import os",
    "pathlib": "import pathlib",
    "tf": "import tensorflow as tf",
}
WIDTH = 88


@dataclass(frozen=True, slots=True)
class Section:
    """A piece of generated text under a title."""

    title: str
    text: str


def assemble(
    docstring: str,
    environment: tuple[str, ...],
    settings: Section,
    sections: list[Section],
) -> str:
    """The whole program.

    environment: statements that must come before TensorFlow is imported.
    """
    generated = "\n".join(
        ["\n".join(environment), settings.text, *(section.text for section in sections)]
    )
    names = names_in(ast.parse(generated))
    needed = closure(names)
    before, after = import_lines(names, needed)
    blocks = [
        f'"""{docstring}"""\n\nfrom __future__ import annotations\n',
        "\n".join(before) + "\n",
        "\n".join(environment) + "\n",
        "\n".join(after) + "\n",
    ]
    text = "\n".join(block for block in blocks if block.strip()) + "\n"
    text += titled(settings)
    for module in modules():
        parts = [part.text for part in module.parts if part.name in needed]
        if parts:
            text += "\n\n" + titled(
                Section(module.opening, spaced(parts)), dashes=False
            )
    for section in sections:
        text += "\n\n" + titled(section)
    return text


def titled(section: Section, *, dashes: bool = True) -> str:
    """A section under its title."""
    text = section.text.strip("\n")
    head = f"# {section.title}"
    if dashes:
        head += " " + "-" * (WIDTH - len(head) - 1)
    gap = "\n\n\n" if text.startswith(("def ", "class ", "@")) else "\n\n"
    return f"{head}{gap}{text}\n"


def spaced(parts: list[str]) -> str:
    """Definitions one below the other: two empty lines around functions and classes."""
    text = ""
    constant = True
    for part in parts:
        code = next(line for line in part.split("\n") if not line.startswith("#"))
        is_constant = not code.startswith(("def ", "class ", "@"))
        if text:
            text += "\n" if is_constant and constant else "\n\n\n"
        text += part
        constant = is_constant
    return text


def import_lines(
    names: frozenset[str], needed: frozenset[str]
) -> tuple[list[str], list[str]]:
    """The import statements of the standard library, and all others."""
    found = {IMPORTS[name] for name in names if name in IMPORTS}
    for module in modules():
        for part in module.parts:
            if part.name in needed:
                found |= {
                    module.imports[name] for name in part.uses if name in module.imports
                }
    return merged(found, standard=True), merged(found, standard=False)


def merged(statements: set[str], *, standard: bool) -> list[str]:
    """Sorted, those that take names from one module in one statement."""
    plain: list[str] = []
    taken: dict[str, list[str]] = {}
    for statement in sorted(statements):
        words = statement.split()
        if (words[1].partition(".")[0] in sys.stdlib_module_names) is not standard:
            continue
        if words[0] == "import":
            plain.append(statement)
        else:
            taken.setdefault(words[1], []).append(" ".join(words[3:]))
    return plain + [
        f"from {module} import {', '.join(sorted(names))}"
        for module, names in sorted(taken.items())
    ]
