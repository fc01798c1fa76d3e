"""What the decoders of all blocks share: heads, settings, references, reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Fix, Label
from tfpc.diagnostics.span import Span
from tfpc.diagnostics.suggestion import did_you_mean, nearest
from tfpc.resolve.tree import Entry, Node
from tfpc.spec.assertion import misplaced
from tfpc.spec.expectation import Expectation
from tfpc.spec.later import LATER_SETTINGS, not_yet
from tfpc.spec.misplaced import setting_belongs, word_belongs
from tfpc.spec.model import Placed
from tfpc.spec.replacement import fix_for
from tfpc.spec.shown import provenance, shown
from tfpc.spec.use import Use
from tfpc.spec.words import WordDecoder
from tfpc.types.value import Value
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
        fix: Fix | str | None = None,
        labels: Sequence[Label] = (),
    ) -> None:
        """Adds a problem."""
        self.problems.append(
            error(code, headline, span, label, why=why, fix=fix, labels=labels)
        )

    # ------------------------------------------------------------------ heads

    def check_head(self, node: Node, shape: str) -> bool:
        """Reports what the head of a block lacks or has too much; whether there is a
        body. shape: how the block is written, `data NAME { }`.
        """
        wanted = f"write `{shape}`"
        has_name, has_source = " NAME" in shape or " MODEL" in shape, "from" in shape
        if has_name and node.name is None:
            self.report("TFP104", f"`{node.word}` needs a name", node.head, fix=wanted)
        if not has_name and node.name is not None:
            headline = f"`{node.word}` takes no name"
            self.report("TFP104", headline, node.name_span or node.head, fix=wanted)
        if node.called:
            headline = f"`{node.word}` takes no parentheses"
            self.report("TFP104", headline, node.head, fix=wanted)
        if has_source and node.source is None:
            headline = f"`{node.word}` does not say what it reads"
            self.report("TFP104", headline, node.head, fix=wanted)
        if not has_source and node.source is not None:
            headline = f"`{node.word}` takes no `from`"
            self.report("TFP104", headline, node.source_span or node.head, fix=wanted)
        if node.asserted_span is not None:
            self.problems.append(misplaced(node))
        if node.alias is not None:
            span = node.alias_span or node.head
            self.problems.append(replace_headline(not_yet("as", span), node.word))
        if node.body is None:
            self.report(
                "TFP104",
                f"`{node.word}` has no braces",
                node.head,
                fix=f"{wanted}, with its lines in the braces",
            )
        return node.body is not None

    def check_reference(self, node: Node, targets: Sequence[Node], word: str) -> None:
        """`from NAME` names a block that is there."""
        if node.source is None:
            return
        if not targets:
            self.report_missing(node, word)
        elif targets[0].name and node.source not in [each.name for each in targets]:
            self.report_reference(node.source, node.source_span, targets[0], word)

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
            fix=f"write `{target.name}`",
        )

    def report_missing(self, node: Node, word: str) -> None:
        """A block that another one needs."""
        self.report(
            "TFP105",
            f"`{node.word}` needs a `{word}` block, and there is none",
            node.head,
            fix=f"write one: `{word} NAME {{ }}`"
            if word == "data"
            else f"write one: `{word} NAME from ... {{ }}`",
        )

    # --------------------------------------------------------------- settings

    def no_entries(self, node: Node, text: str) -> None:
        """Reports settings in a block that has none."""
        for item in node.body or ():
            if isinstance(item, Entry):
                elsewhere = setting_belongs(item.path)
                self.report(
                    "TFP110",
                    f"`{item.path}` can't be set here: {text}",
                    item.path_span,
                    fix=elsewhere or "give it as an argument: `word(name = value)`",
                )

    def entries(self, node: Node, known: Sequence[str]) -> dict[str, Entry]:
        """The settings of a block by name, after reporting what does not belong."""
        found: dict[str, Entry] = {}
        for item in node.body or ():
            if isinstance(item, Node):
                self.report_node(node, item, known)
            elif item.path in LATER_SETTINGS.get(node.word, ()):
                self.problems.append(not_yet(item.path, item.path_span))
            elif item.path not in known:
                self.report_setting(node, item, known)
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

    def report_node(self, block: Node, node: Node, known: Sequence[str]) -> None:
        """A block, step or layer in a block that has settings."""
        if node.word in known:
            self.misspelt.add(node.word)
            self.report(
                "TFP104",
                f"`{node.word}` is a setting, and settings have a `=`",
                node.head,
                fix=f"write `{node.word} = ...`",
            )
            return
        belongs = word_belongs(node.word)
        listed = ", ".join(f"`{name}`" for name in known)
        self.report(
            "TFP104",
            f"`{node.word}` can't stand in `{block.word}`",
            node.head,
            belongs[0] if belongs else f"`{block.word}` has settings: {listed}",
            fix=belongs[1]
            if belongs
            else did_you_mean(node.word, known) or "write `name = value`",
        )

    def report_setting(self, node: Node, entry: Entry, known: Sequence[str]) -> None:
        """A setting that the block does not have."""
        close = nearest(entry.path, known)
        self.misspelt.update(close[:1])
        elsewhere = "" if close else setting_belongs(entry.path)
        self.report(
            "TFP110",
            f"`{node.word}` has no setting `{entry.path}`",
            entry.path_span,
            f"it has {', '.join(f'`{name}`' for name in known)}",
            fix=elsewhere or did_you_mean(entry.path, known) or "remove it",
        )

    def report_no_settings(self, node: Node, examples: dict[str, str]) -> None:
        """Settings that must be there and are not, with what each could be."""
        lacking = {n: e for n, e in examples.items() if n not in self.misspelt}
        if not lacking:
            return
        names = [f"`{name}`" for name in lacking]
        listed = " and ".join(
            [", ".join(names[:-1]), names[-1]] if names[1:] else names
        )
        lines = " and ".join(f"`{name} = {text}`" for name, text in lacking.items())
        plural = "lines" if len(lacking) > 1 else "a line"
        self.report(
            "TFP105",
            f"`{node.word}` does not say its {listed}",
            node.head,
            fix=f"write {plural} {lines} in its braces",
        )

    def report_value(
        self, value: Value, headline: str, expected: Expectation, example: str
    ) -> None:
        """A setting whose value is of the wrong kind."""
        self.report(
            "TFP103",
            headline,
            value.span,
            shown(value),
            labels=provenance(value),
            fix=fix_for(value, expected) or f"for example `{example}`",
        )

    # ------------------------------------------------------------------ words

    def decode_node(self, node: Node, families: Sequence[str]) -> Placed[Word] | None:
        """A step, layer or monitor, with its `as` name."""
        if node.name is not None or node.source is not None:
            self.report_behind(node)
            return None
        typed = "step" in families or node.target is not None
        if node.asserted_span is not None and not typed:
            self.problems.append(misplaced(node))
        placed = self.words.decode(Use.of_node(node), families)
        return None if placed is None else replace(placed, alias=node.alias)

    def report_behind(self, node: Node) -> None:
        """A name or `from` behind a step, layer or monitor."""
        written = node.name or f"from {node.source}"
        if node.name is None:
            fix = f"write `{node.word}` alone"
        elif find(node.name):
            fix = f"write `{written}` on the next line"
        else:
            fix = f"write `{node.word}({written})`"
        self.report(
            "TFP104",
            f"`{written}` behind `{node.word}` has no meaning here",
            node.name_span or node.source_span or node.head,
            why="arguments stand in parentheses, and each step or layer has its own line.",
            fix=fix,
        )

    def with_body(
        self, placed: Placed[Word], node: Node, body: tuple[Placed[Word], ...]
    ) -> Placed[Word]:
        """The word with what stands in its braces."""
        if node.body is not None and not placed.word.has_body:
            self.report(
                "TFP104",
                f"`{node.word}` takes no braces",
                node.head,
                fix=f"remove the braces, or put `{node.word}` above them",
            )
        if placed.word.has_body and not node.body and not placed.word.may_be_empty:
            self.report(
                "TFP104",
                f"`{node.word}` has nothing in its braces",
                node.head,
                fix=f"for example `{placed.word.example}`",
            )
        if placed.word.has_body:
            self.no_entries(node, f"`{node.word}` has no settings in its braces")
        return replace(placed, body=body)


def replace_headline(problem: Diagnostic, word: str) -> Diagnostic:
    """A name behind a block, of which there is only one of each yet."""
    headline = problem.headline.replace("`as`", f"`as` behind `{word}`")
    return replace(problem, headline=headline)
