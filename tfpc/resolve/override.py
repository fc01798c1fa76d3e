"""One `--set path=value`, read by the grammar of specs."""

from __future__ import annotations

from dataclasses import dataclass

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.diagnostics.span import Source, Span
from tfpc.syntax import nodes
from tfpc.syntax.parser import parse

COMMAND_LINE = "command line"
FLAG = "--set "


@dataclass(frozen=True, slots=True, eq=False)
class Override:
    """Where a value is to be set, and the expression that gives it.

    profile: the profile that says so; without one it is a `--set`.
    """

    path: nodes.Path
    expression: nodes.Expression
    profile: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the path."""
        return tuple(name.text for name in self.path.names)

    @property
    def how(self) -> str:
        """Who sets it, for messages."""
        return f"set by profile `{self.profile}`" if self.profile else "set by --set"

    def written(self, setting: str) -> str:
        """A setting as it is written where this one is: `--set train.epochs=3`."""
        path, _, value = setting.partition("=")
        return f"{path} = {value}" if self.profile else f"--set {setting}"

    def span_from(self, number: int) -> Span:
        """The path from its name of that number on."""
        first = self.path.names[number].span
        return Span(first.source, first.start, self.path.span.end)


def parse_override(text: str) -> tuple[Override | None, list[Diagnostic]]:
    """Parses `path=value`; spans point into the text of the command line."""
    source = Source(COMMAND_LINE, FLAG + text)
    document, problems = parse(source, start=len(FLAG))
    if document is None or problems:
        return None, problems
    statements = document.statements
    if len(statements) == 1 and isinstance(statements[0], nodes.Setting):
        return Override(statements[0].path, statements[0].value), []
    whole = Span(source, 0, len(source.text.rstrip()))
    return None, [
        error(
            "TFP110",
            "`--set` takes one setting",
            whole,
            fix="write `--set path=value`, for example `--set train.epochs=3`",
        )
    ]
