"""What the decoders of all blocks share: heads, settings, references, reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Label
from tfpc.diagnostics.span import Span
from tfpc.diagnostics.suggestion import did_you_mean, nearest
from tfpc.resolve.tree import Entry, Node
from tfpc.spec.model import Placed
from tfpc.spec.words import Use, WordDecoder, provenance
from tfpc.vocabulary.registry import find
from tfpc.vocabulary.word import Word


class BlockDecoder:
    """Decodes what stands in a block and collects what is wrong."""

    def __init__(self, problems: list[Diagnostic] | None = None) -> None:
        self.problems: list[Diagnostic] = [] if problems is None else problems
        self.words = WordDecoder(self.problems)
        # Settings whose misspelling has been reported, and so not also as missing.
        self.misspelt: set[str] = set()

    def report(
        self,
        code: str,
        headline: str,
        span: Span,
        label: str = "",
        *,
        why: str = "",
        fix: str | None = None,
        labels: Sequence[Label] = (),
    ) -> None:
        """Adds a problem."""
        self.problems.append(
            error(code, headline, span, label, why=why, fix=fix, labels=labels)
        )

    # ------------------------------------------------------------------ heads

    def check_head(self, node: Node, shape: str, *, needs_source: bool) -> None:
        """A block has a name, a source if it needs one, and nothing in parentheses."""
        if node.name is None:
            self.report(
                "TFP104",
                f"`{node.word}` needs a name",
                node.head,
                fix=f"write `{shape}`",
            )
        if node.called:
            self.report(
                "TFP104",
                f"`{node.word}` takes no parentheses",
                node.head,
                fix=f"write `{shape}`",
            )
        if needs_source and node.source is None:
            self.report(
                "TFP104",
                f"`{node.word}` does not say what it reads",
                node.head,
                fix=f"write `{shape}`",
            )
        if not needs_source and node.source is not None:
            self.report(
                "TFP104",
                f"`{node.word}` takes no `from`",
                node.source_span or node.head,
                fix=f"write `{shape}`",
            )
        if node.alias is not None:
            self.report(
                "TFP199",
                f"`as` behind `{node.word}` is not available in this version of tfpc",
                node.head,
                fix="remove it",
            )

    def check_reference(self, node: Node, target: Node | None, word: str) -> None:
        """`from NAME` names a block that is there."""
        if node.source is None:
            return
        if target is None:
            self.report_missing(node, word)
        elif node.source != target.name:
            self.report_reference(node.source, node.source_span, target, word)

    def report_reference(
        self, name: str, span: Span | None, target: Node, word: str
    ) -> None:
        """A name that no block has."""
        place = target.name_span or target.head
        self.report(
            "TFP106",
            f"there is no {word} named `{name}`",
            span or place,
            labels=(Label(place, f"the {word} is named here"),),
            fix=f"write `{target.name}`" if target.name else f"give the {word} a name",
        )

    def report_missing(self, node: Node, word: str) -> None:
        """A block that another one needs."""
        self.report(
            "TFP105",
            f"`{node.word}` needs a `{word}` block, and there is none",
            node.head,
            fix=f"write one: `{word} NAME {{ }}`",
        )

    # --------------------------------------------------------------- settings

    def no_entries(self, node: Node, text: str) -> None:
        """Reports settings in a block that has none."""
        for item in node.body or ():
            if isinstance(item, Entry):
                self.report(
                    "TFP110",
                    f"`{item.path}` can't be set here: {text}",
                    item.path_span,
                    fix="give it as an argument: `word(name = value)`",
                )

    def entries(self, node: Node, known: Sequence[str]) -> dict[str, Entry]:
        """The settings of a block by name, after reporting what does not belong."""
        found: dict[str, Entry] = {}
        for item in node.body or ():
            if isinstance(item, Node):
                self.report(
                    "TFP104",
                    f"`{item.word}` can't stand in `{node.word}`",
                    item.head,
                    f"`{node.word}` has settings: {', '.join(f'`{k}`' for k in known)}",
                    fix=did_you_mean(item.word, known) or "write `name = value`",
                )
            elif item.path not in known:
                self.misspelt.update(nearest(item.path, known)[:1])
                self.report(
                    "TFP110",
                    f"`{node.word}` has no setting `{item.path}`",
                    item.path_span,
                    f"it has {', '.join(f'`{name}`' for name in known)}",
                    fix=did_you_mean(item.path, known) or "remove it",
                )
            elif item.path in found:
                self.report(
                    "TFP104",
                    f"`{item.path}` is set twice",
                    item.path_span,
                    labels=(Label(found[item.path].path_span, "set here already"),),
                    fix="keep one of the two",
                )
            else:
                found[item.path] = item
        return found

    def report_no_setting(self, node: Node, name: str, example: str) -> None:
        """A setting that must be there."""
        if name in self.misspelt:
            return
        self.report(
            "TFP105",
            f"`{node.word}` does not say its `{name}`",
            node.head,
            fix=f"write a line `{name} = {example}` in its braces",
        )

    def report_value(self, entry: Entry, headline: str, example: str = "") -> None:
        """A setting whose value is of the wrong kind."""
        self.report(
            "TFP103",
            headline,
            entry.value.span,
            f"is {entry.value.quoted}",
            labels=provenance(entry.value),
            fix=f"for example `{example}`"
            if example
            else f"for example `{entry.path} = 10`",
        )

    # ------------------------------------------------------------------ words

    def decode_node(self, node: Node, families: Sequence[str]) -> Placed[Word] | None:
        """A step, layer or monitor."""
        if node.name is not None or node.source is not None:
            written = node.name or f"from {node.source}"
            known = node.name is not None and bool(find(node.name))
            fix = f"write `{node.word}({written})`"
            if known:
                fix = f"write `{written}` on the next line"
            elif node.name is None:
                fix = f"write `{node.word}` alone"
            self.report(
                "TFP104",
                f"`{written}` behind `{node.word}` has no meaning here",
                node.name_span or node.source_span or node.head,
                why="arguments stand in parentheses, and each step or layer has its own line.",
                fix=fix,
            )
            return None
        return self.words.decode(Use.of_node(node), families)

    def with_body(
        self, placed: Placed[Word], node: Node, body: tuple[Placed[Word], ...]
    ) -> Placed[Word]:
        """The word with what stands in its braces, and its `as` name."""
        if node.body is not None and not placed.word.has_body:
            self.report(
                "TFP104",
                f"`{node.word}` takes no braces",
                node.head,
                fix=f"remove the braces, or put `{node.word}` above them",
            )
        if placed.word.has_body and not node.body:
            self.report(
                "TFP104",
                f"`{node.word}` has nothing in its braces",
                node.head,
                fix=f"for example `{placed.word.example}`",
            )
        for item in node.body or ():
            if isinstance(item, Entry) and placed.word.has_body:
                self.report(
                    "TFP110",
                    f"`{item.path}` can't be set here",
                    item.path_span,
                    fix="give it as an argument: `word(name = value)`",
                )
        return replace(placed, alias=node.alias, body=body)
