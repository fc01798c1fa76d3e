"""The tree of a spec to what it says: one block after the other."""

from __future__ import annotations

from tfpc.diagnostics.diagnostic import Diagnostic, Label
from tfpc.diagnostics.span import Span
from tfpc.diagnostics.suggestion import did_you_mean
from tfpc.resolve.tree import Entry, Node, Resolved
from tfpc.spec.blocks import BlockDecoder
from tfpc.spec.decode_data import DataDecoder
from tfpc.spec.model import DataSpec, ModelSpec, PipelineSpec, Placed, Spec, TrainSpec
from tfpc.spec.settings import SETTINGS, decode_settings
from tfpc.spec.words import Use
from tfpc.types.value import Symbol
from tfpc.vocabulary.monitor import Monitor

BLOCKS = ("data", "pipeline", "model", "train", "observe")


def decode(resolved: Resolved) -> tuple[Spec | None, list[Diagnostic]]:
    """The spec, if every word and argument is right."""
    return SpecDecoder(resolved).decode()


class SpecDecoder(BlockDecoder):
    """Decodes one spec."""

    def __init__(self, resolved: Resolved) -> None:
        super().__init__()
        self.resolved = resolved

    def decode(self) -> tuple[Spec | None, list[Diagnostic]]:
        """All blocks and settings."""
        self.report_unknown()
        data_node = self.only("data")
        data = None
        if data_node is not None:
            data = DataDecoder(data_node, self.problems).decode()
        elif not self.resolved.nodes("data"):
            self.report_no_data()
        pipeline = self.decode_pipeline(data_node)
        model = self.decode_model(self.only("pipeline"))
        train = self.decode_train(self.only("model"))
        monitors = self.decode_monitors()
        settings = decode_settings(self.resolved, self)
        if self.problems or data is None or settings is None:
            return None, self.problems
        spec = Spec(
            self.resolved.source, data, pipeline, model, train, monitors, *settings
        )
        return spec, []

    def only(self, word: str) -> Node | None:
        """The block of that word, if there is one."""
        nodes = self.resolved.nodes(word)
        return nodes[0] if nodes else None

    # -------------------------------------------------------------- top level

    def report_unknown(self) -> None:
        """Blocks and settings that do not exist, or come twice."""
        first: dict[str, Span] = {}
        for item in self.resolved.items:
            if isinstance(item, Entry):
                self.report_unknown_setting(item)
                word, span = item.path, item.path_span
            else:
                word, span = item.word, item.word_span
                if word not in BLOCKS:
                    self.report_unknown_block(item)
                    continue
                if item.body is None:
                    self.report(
                        "TFP104",
                        f"`{word}` needs a body in braces",
                        item.head,
                        fix=f"write `{word} ... {{ }}` with its lines inside",
                    )
            if word in first:
                self.report(
                    "TFP104",
                    f"there are two `{word}`",
                    span,
                    labels=(Label(first[word], "the first one"),),
                    why="this version of tfpc takes one of each in a spec.",
                    fix="keep one of them",
                )
            first.setdefault(word, span)

    def report_unknown_setting(self, entry: Entry) -> None:
        """A setting at the top that is none."""
        if entry.path in SETTINGS:
            return
        fix = did_you_mean(entry.path, (*SETTINGS, *BLOCKS))
        if entry.path in ("epochs", "optimizer", "loss", "metrics"):
            fix = (
                f"write it in the `train` block: `train NAME {{ {entry.path} = ... }}`"
            )
        self.report(
            "TFP110",
            f"there is no setting `{entry.path}`",
            entry.path_span,
            f"settings of a spec are {', '.join(f'`{name}`' for name in SETTINGS)}",
            fix=fix or "remove it",
        )

    def report_unknown_block(self, node: Node) -> None:
        """A block at the top that is none."""
        self.report(
            "TFP104",
            f"there is no block named `{node.word}`",
            node.word_span,
            f"blocks are {', '.join(f'`{word}`' for word in BLOCKS)}",
            fix=did_you_mean(node.word, BLOCKS) or "write it in one of these blocks",
        )

    def report_no_data(self) -> None:
        """A spec without data."""
        source = self.resolved.source
        end = Span(source, len(source.text), len(source.text))
        self.report(
            "TFP105",
            "this spec has no data",
            end,
            why="everything begins with where the examples are.",
            fix='write `data NAME { train = image_folder("...") }`',
        )

    # ----------------------------------------------------------------- blocks

    def decode_pipeline(self, data: Node | None) -> PipelineSpec | None:
        """The pipeline block."""
        node = self.only("pipeline")
        if node is None:
            return None
        self.check_head(node, "pipeline NAME from DATA { }", needs_source=True)
        self.check_reference(node, data, "data")
        self.no_entries(node, "a pipeline has steps, no settings")
        steps = self.decode_steps(node.body or (), nested=False)
        return PipelineSpec(
            node.name or "",
            node.head,
            node.source or "",
            node.source_span or node.head,
            steps,
        )

    def decode_steps(self, items: tuple, *, nested: bool) -> tuple:  # type: ignore[type-arg]
        """The steps in braces, those of a `when` in it."""
        steps: list[Placed] = []  # type: ignore[type-arg]
        for item in items:
            if not isinstance(item, Node):
                continue
            if item.word == "when" and nested:
                self.report(
                    "TFP104",
                    "a `when` stands inside a `when`",
                    item.head,
                    fix="put its steps beside the outer one",
                )
            placed = self.decode_node(item, ("step",))
            if placed is None:
                self.decode_steps(item.body or (), nested=True)
                continue
            body = self.decode_steps(item.body or (), nested=True)
            steps.append(self.with_body(placed, item, body))
        return tuple(steps)

    def decode_model(self, pipeline: Node | None) -> ModelSpec | None:
        """The model block."""
        node = self.only("model")
        if node is None:
            return None
        self.check_head(node, "model NAME from PIPELINE { }", needs_source=True)
        self.check_reference(node, pipeline, "pipeline")
        self.no_entries(node, "a model has layers, no settings")
        layers = self.decode_layers(node.body or ())
        return ModelSpec(node.name or "", node.head, node.source or "", layers)

    def decode_layers(self, items: tuple) -> tuple:  # type: ignore[type-arg]
        """The layers in braces, those of a `residual` or `repeat` in it."""
        layers: list[Placed] = []  # type: ignore[type-arg]
        for item in items:
            if not isinstance(item, Node):
                continue
            placed = self.decode_node(item, ("layer",))
            body = self.decode_layers(item.body or ())
            if placed is not None:
                layers.append(self.with_body(placed, item, body))
        return tuple(layers)

    def decode_train(self, model: Node | None) -> TrainSpec | None:
        """The train block."""
        node = self.only("train")
        if node is None:
            return None
        self.check_head(node, "train MODEL { }", needs_source=False)
        if model is not None and node.name and node.name != model.name:
            self.report_reference(node.name, node.name_span, model, "model")
        elif model is None and not self.resolved.nodes("model"):
            self.report_missing(node, "model")
        entries = self.entries(node, ("epochs", "optimizer", "loss", "metrics"))
        epochs = self.whole_number(node, entries, "epochs")
        optimizer = self.word_of(
            node, entries, "optimizer", "adam(learning_rate = 1e-3)"
        )
        loss = self.word_of(node, entries, "loss", "crossentropy")
        metrics = self.words_of(entries.get("metrics"), "metric")
        if epochs is None or optimizer is None or loss is None or metrics is None:
            return None
        return TrainSpec(
            node.name or "",
            node.head,
            epochs,
            optimizer,
            loss,
            metrics,
        )

    def whole_number(
        self, node: Node, entries: dict[str, Entry], name: str
    ) -> int | None:
        """A setting that is a whole number of at least one."""
        entry = entries.get(name)
        if entry is None:
            self.report_no_setting(node, name, "10")
            return None
        content = entry.value.content
        if isinstance(content, bool) or not isinstance(content, int) or content < 1:
            self.report_value(entry, f"`{name}` must be a whole number of at least 1")
            return None
        return content

    def word_of(
        self, node: Node, entries: dict[str, Entry], name: str, example: str
    ) -> Placed | None:  # type: ignore[type-arg]
        """A setting that is a word of the family of that name."""
        entry = entries.get(name)
        if entry is None:
            self.report_no_setting(node, name, example)
            return None
        content = entry.value.content
        if not isinstance(content, Symbol):
            self.report_value(
                entry, f"`{name}` must be a word, written without quotes", example
            )
            return None
        return self.words.decode(Use.of_symbol(content, entry.value.span), (name,))

    def words_of(self, entry: Entry | None, family: str) -> tuple | None:  # type: ignore[type-arg]
        """A setting that is a list of words."""
        if entry is None:
            return ()
        content = entry.value.content
        if not isinstance(content, tuple):
            self.report_value(
                entry,
                f"`{entry.path}` must be a list in `[ ]`",
                f"{entry.path} = [{entry.value.text}]",
            )
            return None
        placed = []
        for value in content:
            if not isinstance(value.content, Symbol):
                self.report(
                    "TFP103",
                    f"`{entry.path}` holds words, written without quotes",
                    value.span,
                    f"is {value.text}",
                    fix=f"write `{value.text.strip(chr(34))}`",
                )
                return None
            placed.append(
                self.words.decode(Use.of_symbol(value.content, value.span), (family,))
            )
        return None if None in placed else tuple(placed)

    def decode_monitors(self) -> tuple[Placed[Monitor], ...]:
        """The observe block."""
        node = self.only("observe")
        if node is None:
            return ()
        self.no_entries(node, "`observe` has monitors, no settings")
        monitors = [
            self.decode_node(item, ("monitor",))
            for item in node.body or ()
            if isinstance(item, Node)
        ]
        return tuple(monitor for monitor in monitors if monitor is not None)  # type: ignore[misc]


def decode_data(node: Node) -> tuple[DataSpec | None, list[Diagnostic]]:
    """One data block alone, for those that ask for its facts."""
    problems: list[Diagnostic] = []
    return DataDecoder(node, problems).decode(), problems
