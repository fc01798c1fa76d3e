"""A train block: how long, with which optimizer, loss and metrics."""

from __future__ import annotations

from typing import Any

from tfpc.diagnostics.diagnostic import Diagnostic, Label
from tfpc.resolve.settings import BLOCK_SETTINGS
from tfpc.resolve.tree import Entry, Node
from tfpc.spec.blocks import BlockDecoder
from tfpc.spec.class_weights import decode_class_weights
from tfpc.spec.expectation import WHOLE_NUMBER, Expectation
from tfpc.spec.model import Placed, TrainSpec
from tfpc.spec.shown import shown
from tfpc.spec.use import Use
from tfpc.types.value import Symbol, Value
from tfpc.vocabulary.registry import words

LARGEST = 2**31 - 1
# There is no default that would be right for everyone.
NEEDED = {
    "epochs": "10",
    "optimizer": "adam(learning_rate = 1e-3)",
    "loss": "crossentropy",
}


class TrainDecoder(BlockDecoder):
    """Decodes one train block."""

    def __init__(self, node: Node, problems: list[Diagnostic]) -> None:
        super().__init__(problems)
        self.node = node

    def decode(self) -> TrainSpec | None:
        """The block, or None after a report."""
        if not self.check_head(self.node, "train MODEL { }"):
            return None
        entries = self.entries(self.node, BLOCK_SETTINGS["train"])
        self.report_no_settings(
            self.node, {n: text for n, text in NEEDED.items() if n not in entries}
        )
        epochs = self.decode_epochs(entries.get("epochs"))
        optimizer = self.word_of(entries.get("optimizer"), "optimizer")
        loss = self.word_of(entries.get("loss"), "loss")
        metrics = self.decode_metrics(entries.get("metrics"))
        weights = None
        if "class_weights" in entries:
            weights = decode_class_weights(entries["class_weights"], self)
        if epochs is None or optimizer is None or loss is None or metrics is None:
            return None
        name = self.node.name or ""
        return TrainSpec(
            name, self.node.head, epochs, optimizer, loss, metrics, weights
        )

    def decode_epochs(self, entry: Entry | None) -> int | None:
        """How often all examples are seen."""
        if entry is None:
            return None
        content = entry.value.content
        is_whole = isinstance(content, int) and not isinstance(content, bool)
        if not isinstance(content, int) or not is_whole or content < 1:
            headline = "`epochs` must be a whole number of at least 1"
            self.report_value(entry.value, headline, WHOLE_NUMBER, "epochs = 10")
            return None
        if content > LARGEST:
            headline = f"`epochs` must be at most {LARGEST:,}"
            self.report_value(entry.value, headline, WHOLE_NUMBER, "epochs = 10")
            return None
        return content

    def word_of(self, entry: Entry | None, name: str) -> Placed[Any] | None:
        """A setting that is a word of the family of that name."""
        if entry is None:
            return None
        content = entry.value.content
        if not isinstance(content, Symbol):
            example = f"{name} = {NEEDED[name]}"
            self.report_no_word(entry.value, f"`{name}`", name, example)
            return None
        use = Use.of_symbol(content, entry.value.span)
        return self.words.decode(use, (name,), content.lets)

    def report_no_word(
        self, value: Value, subject: str, family: str, example: str
    ) -> None:
        """A list, text or a number where a word is due."""
        content = value.content
        if isinstance(content, tuple) and len(content) == 1:
            headline = f"{subject} must be a word, not a list"
            fix = f"write `{content[0].span.text}`"
            self.report("TFP103", headline, value.span, shown(value), fix=fix)
            return
        # Those that can stand without arguments.
        options = tuple(
            word
            for word, cls in words(family).items()
            if not any(field.is_required() for field in cls.model_fields.values())
        )
        quotes = ", written without quotes" if isinstance(content, str) else ""
        headline = f"{subject} must be a word{quotes}"
        self.report_value(value, headline, Expectation(options=options), example)

    def decode_metrics(self, entry: Entry | None) -> tuple[Placed[Any], ...] | None:
        """What is measured besides the loss."""
        if entry is None:
            return ()
        content = entry.value.content
        if not isinstance(content, tuple):
            written = entry.value.span.text.strip('"')
            headline = "`metrics` must be a list in `[ ]`"
            example = f"metrics = [{written if len(written) < 40 else 'accuracy'}]"
            self.report_value(entry.value, headline, Expectation(), example)
            return None
        found: dict[str, Placed[Any]] = {}
        failed = False
        for value in content:
            placed = self.decode_metric(value)
            failed |= placed is None
            if placed is None:
                continue
            if placed.word.name in found:
                failed = True
                self.report_twice(placed, found[placed.word.name])
            found.setdefault(placed.word.name, placed)
        return None if failed else tuple(found.values())

    def decode_metric(self, value: Value) -> Placed[Any] | None:
        """One of them."""
        content = value.content
        if not isinstance(content, Symbol):
            subject = "each of `metrics`"
            self.report_no_word(value, subject, "metric", "metrics = [accuracy]")
            return None
        use = Use.of_symbol(content, value.span)
        return self.words.decode(use, ("metric",), content.lets)

    def report_twice(self, second: Placed[Any], first: Placed[Any]) -> None:
        """A metric that is asked for twice, and could not be told apart."""
        self.report(
            "TFP104",
            f"`{second.word.name}` is in `metrics` twice",
            second.span,
            labels=(Label(first.span, "here already"),),
            fix="keep one of the two",
        )
