"""Writes statements one below the other, indented and spaced as `ruff format` would."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from contextlib import contextmanager

from tfpc.codegen.printer import INDENT, WIDTH, flat, statement
from tfpc.types.fragment import Call, Fragment, Name, Sequence


class Writer:
    """The lines of a piece of program. `names` are the roots of all fragments in it."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.indent = 0

    @property
    def text(self) -> str:
        """All lines."""
        return "\n".join(self.lines).rstrip() + "\n"

    def line(self, text: str) -> None:
        """A line that is written in tfpc as it stands."""
        self.lines.append((INDENT * self.indent + text).rstrip())

    def blank(self) -> None:
        """An empty line."""
        self.lines.append("")

    def comment(self, text: str) -> None:
        """A comment over as many lines as it needs."""
        width = WIDTH - 2 - len(INDENT) * self.indent
        for line in textwrap.wrap(text, width):
            self.line(f"# {line}")

    def add(self, text: str) -> None:
        """Lines that are indented already."""
        self.lines.extend(text.split("\n"))

    def assign(self, target: str, fragment: Fragment) -> None:
        """`target = fragment`; many targets a line each."""
        names = target.split(", ")
        if len(names) > 1 and len(INDENT) * self.indent + len(target) > WIDTH - 3:
            self.line("(")
            for each in names:
                self.line(f"{INDENT}{each},")
            target = ")"
        self.add(statement(fragment, self.indent, f"{target} = "))

    def expression(self, fragment: Fragment) -> None:
        """The fragment for its effect."""
        self.add(statement(fragment, self.indent))

    def returns(self, fragment: Fragment) -> None:
        """`return fragment`; several values without parentheses where they fit."""
        if isinstance(fragment, Sequence) and len(fragment.items) > 1:
            line = INDENT * self.indent + "return " + flat(fragment)[1:-1]
            if fragment.brackets == "()" and len(line) <= WIDTH:
                self.lines.append(line)
                return
        self.add(statement(fragment, self.indent, "return "))

    @contextmanager
    def function(
        self, name: str, parameters: list[str], returns: str, docstring: str
    ) -> Iterator[None]:
        """`def name(parameters) -> returns:` with its body."""
        if self.indent == 0 and self.lines and not self.lines[-1].startswith("@"):
            self.lines += ["", ""]
        signature = Call(Name(name), tuple(Name(each) for each in parameters))
        self.add(statement(signature, self.indent, "def ", f" -> {returns}:"))
        self.indent += 1
        self.line(f'"""{docstring}"""')
        yield
        self.indent -= 1

    @contextmanager
    def with_(self, fragment: Fragment, variable: str = "") -> Iterator[None]:
        """`with fragment as variable:` with its body."""
        suffix = f" as {variable}:" if variable else ":"
        self.add(statement(fragment, self.indent, "with ", suffix))
        self.indent += 1
        yield
        self.indent -= 1
