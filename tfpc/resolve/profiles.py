"""`profile NAME { train.epochs = 1 }`: settings that `--profile NAME` puts over others."""

from __future__ import annotations

from collections.abc import Sequence

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Label
from tfpc.diagnostics.span import Source, Span
from tfpc.diagnostics.suggestion import did_you_mean
from tfpc.resolve.override import COMMAND_LINE, Override
from tfpc.syntax import nodes

FLAG = "--profile "


class Profiles:
    """The profiles of a spec, and what is wrong with them."""

    def __init__(self, statements: Sequence[nodes.Statement]) -> None:
        self.blocks: dict[str, nodes.Block] = {}
        self.problems: list[Diagnostic] = []
        for statement in statements:
            if (
                isinstance(statement, nodes.Block)
                and statement.word.text == "profile"
                and self.is_whole(statement)
            ):
                assert statement.name is not None
                self.blocks[statement.name.text] = statement

    def is_whole(self, block: nodes.Block) -> bool:
        """Whether a block is a profile, after reporting why not."""
        if block.name is None or block.arguments or block.source or block.alias:
            fix = "write `profile NAME { train.epochs = 1 }`"
            said = "`profile` takes a name and braces"
            self.problems.append(error("TFP133", said, block.head, fix=fix))
            return False
        first = self.blocks.get(block.name.text)
        if first is not None and first.name is not None:
            said = f"there are two profiles named `{block.name.text}`"
            label = Label(first.name.span, "the first one")
            fix = "give one of them another name"
            self.problems.append(
                error("TFP133", said, block.name.span, labels=(label,), fix=fix)
            )
            return False
        if not block.body:
            fix = "write what it sets, for example `train.epochs = 1`, in its braces"
            said = f"the profile `{block.name.text}` sets nothing"
            self.problems.append(error("TFP133", said, block.head, fix=fix))
        return True

    def chosen(self, names: Sequence[str]) -> list[Override]:
        """The settings of these profiles, in their order."""
        chosen: list[Override] = []
        for name in names:
            if name in self.blocks:
                chosen += self.overrides(name)
            else:
                self.problems.append(self.unknown(name))
        return chosen

    def overrides(self, name: str) -> list[Override]:
        """The settings of one profile; what else stands in it is reported."""
        found: list[Override] = []
        for statement in self.blocks[name].body or ():
            if isinstance(statement, nodes.Setting):
                found.append(Override(statement.path, statement.value, name))
            else:
                self.problems.append(no_setting(statement, name))
        return found

    def unknown(self, name: str) -> Diagnostic:
        """A `--profile` that the spec does not have."""
        source = Source(COMMAND_LINE, FLAG + name)
        span = Span(source, len(FLAG), len(source.text))
        known = ", ".join(f"`{each}`" for each in self.blocks)
        fix = did_you_mean(name, tuple(self.blocks))
        if not fix:
            fix = f"choose one of {known}" if known else "write `profile NAME { }`"
        said = f"the spec has no profile named `{name}`"
        return error("TFP133", said, span, fix=fix)


def no_setting(statement: nodes.Statement, profile: str) -> Diagnostic:
    """A block in a profile."""
    fix = "write `path = value`, for example `train.epochs = 1`"
    if isinstance(statement, nodes.Block):
        word = statement.word.text
        inner = [e for e in statement.body or () if isinstance(e, nodes.Setting)]
        if inner:
            fix = f"write `{word}.{inner[0].span.text}`"
        span = statement.head
    else:
        word, span = "let", statement.span
        if isinstance(statement, nodes.Import):
            word = "import"
    return error(
        "TFP133",
        f"`{word}` can't stand in the profile `{profile}`",
        span,
        why="a profile sets what stands elsewhere, each by its path.",
        fix=fix,
    )
