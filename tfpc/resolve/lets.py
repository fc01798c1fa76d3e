"""The `let`s of a spec: each is evaluated once, and may use those above it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Label
from tfpc.diagnostics.span import Span
from tfpc.diagnostics.suggestion import nearest
from tfpc.resolve.failure import UnresolvedError
from tfpc.syntax import nodes
from tfpc.types.value import Value

# Words that a value can begin with and that are looked up before any `let`.
RESERVED = ("env",)


class Lets:
    """The `let`s of one document.

    They are evaluated in order. A fact that one of them asks for needs a data block,
    which may use `let`s further down; so they are evaluated when they are needed.
    """

    def __init__(self, statements: Sequence[nodes.Statement]) -> None:
        self.ordered: list[nodes.Let] = []
        self.positions: dict[str, int] = {}
        self.values: dict[str, Value | None] = {}  # None: failed, and reported
        self.open: list[str] = []  # being evaluated, the innermost last
        self.problems: list[Diagnostic] = []
        for statement in statements:
            if isinstance(statement, nodes.Let):
                self.add(statement)
        self.names = tuple(self.positions)

    def add(self, let: nodes.Let) -> None:
        """One more, unless its name is taken."""
        name = let.name.text
        if name in RESERVED:
            self.problems.append(reserved(let.name))
        elif name in self.positions:
            first = self.ordered[self.positions[name]]
            self.problems.append(set_twice(let.name, first.name.span))
        else:
            self.positions[name] = len(self.ordered)
            self.ordered.append(let)

    def evaluate_all(self, evaluate: Callable[[nodes.Expression], Value]) -> None:
        """Evaluates those that are not, in order."""
        self.evaluate_up_to(len(self.ordered) - 1, evaluate)

    def evaluate_up_to(
        self, last: int, evaluate: Callable[[nodes.Expression], Value]
    ) -> None:
        """Evaluates those up to a position, none of which then calls for another."""
        for let in self.ordered[: last + 1]:
            name = let.name.text
            if name in self.values or name in self.open:
                continue
            self.open.append(name)
            try:
                self.values[name] = evaluate(let.value)
            except UnresolvedError:
                self.values[name] = None
            finally:
                self.open.pop()

    def value(
        self,
        path: nodes.Path,
        evaluate: Callable[[nodes.Expression], Value],
        *,
        inside: str | None,
    ) -> Value | Diagnostic:
        """What a name stands for. inside: the `let` that uses it, None elsewhere.

        Raises UnresolvedError where a problem of that `let` has been reported.
        """
        name = path.text
        position = self.positions[name]
        if inside is not None and position >= self.positions[inside]:
            return used_above(path, inside, self.ordered[position])
        if name in self.open:
            return circular(path, self.ordered[position])
        if name not in self.values:
            self.evaluate_up_to(position, evaluate)
        value = self.values[name]
        if value is None:
            raise UnresolvedError
        return value


def set_twice(name: nodes.Name, first: Span) -> Diagnostic:
    """A second meaning of one name."""
    return error(
        "TFP125",
        f"`{name.text}` is set twice",
        name.span,
        labels=(Label(first, "first set here"),),
        why="a name means one thing in the whole spec.",
        fix="give one of the two another name",
    )


def reserved(name: nodes.Name) -> Diagnostic:
    """A name that could never be used."""
    return error(
        "TFP125",
        f"`{name.text}` is a word of the language",
        name.span,
        "can't be the name of a `let`",
        why="where a value is due, it reads a variable of the environment.",
        fix="give the `let` another name",
    )


def used_above(path: nodes.Path, inside: str, let: nodes.Let) -> Diagnostic:
    """A `let` that uses itself, or one further down."""
    if path.text == inside:
        return circular(path, let)
    return error(
        "TFP127",
        f"`{path.text}` is set further down",
        path.span,
        labels=(Label(let.name.span, "set here"),),
        why="a `let` may use those above it.",
        fix=f"move `let {path.text} = ...` above `let {inside} = ...`",
    )


def not_imported(path: nodes.Path, known: Sequence[str]) -> Diagnostic:
    """A name of an imported file that is none. known: the `let`s of that file."""
    alias, name = path.names[0].text, path.text.partition(".")[2]
    close = nearest(name, known)
    fix = f"did you mean `{alias}.{close[0]}`?" if close else ""
    if not fix and known:
        fix = "choose one of " + ", ".join(f"`{alias}.{each}`" for each in known[:6])
    return error(
        "TFP101",
        f"`{alias}` has no `let {name}`",
        path.span,
        why="a value of an imported file is one of its `let`s.",
        fix=fix or f"write `let {name} = ...` in that file",
    )


def circular(path: nodes.Path, let: nodes.Let) -> Diagnostic:
    """A value that needs itself."""
    return error(
        "TFP127",
        f"`{path.text}` needs its own value",
        path.span,
        labels=(Label(let.name.span, f"`{path.text}` is set here"),),
        fix="write a value that does not depend on it",
    )
