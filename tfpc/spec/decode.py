"""The tree of a spec to what it says: one block after the other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tfpc.diagnostics.diagnostic import Diagnostic, Label
from tfpc.diagnostics.span import Span
from tfpc.diagnostics.suggestion import did_you_mean, nearest
from tfpc.resolve.settings import BLOCK_SETTINGS, SETTINGS
from tfpc.resolve.tree import Entry, Item, Node, Resolved
from tfpc.spec.assertion import decode_assertion, decode_output
from tfpc.spec.blocks import BlockDecoder
from tfpc.spec.decode_data import DataDecoder
from tfpc.spec.decode_lint import decode_lint
from tfpc.spec.decode_train import TrainDecoder
from tfpc.spec.features import decode_features
from tfpc.spec.later import LATER_SETTINGS, not_yet
from tfpc.spec.merge import misplaced_path
from tfpc.spec.misplaced import setting_belongs, word_belongs
from tfpc.spec.model import DataSpec, ModelSpec, PipelineSpec, Placed, Spec, TrainSpec
from tfpc.spec.once import told_twice
from tfpc.spec.settings import decode_settings
from tfpc.spec.together import nested, unfit_steps
from tfpc.vocabulary.layer import Layer
from tfpc.vocabulary.monitor import Monitor
from tfpc.vocabulary.step import Step
from tfpc.vocabulary.stream import When
from tfpc.vocabulary.together import Together

BLOCKS = ("data", "pipeline", "model", "train", "observe", "lint")


def decode(resolved: Resolved) -> tuple[Spec | None, list[Diagnostic]]:
    """The spec, if every word and argument is right."""
    decoder = SpecDecoder(resolved)
    spec = decoder.decode()
    problems = told_once(decoder.problems)
    return (None if problems else spec), problems


def decode_data(node: Node) -> tuple[DataSpec | None, list[Diagnostic]]:
    """One data block alone, for those that ask for its facts."""
    problems: list[Diagnostic] = []
    return DataDecoder(node, problems).decode(), problems


def told_once(problems: list[Diagnostic]) -> list[Diagnostic]:
    """The same problem of one `let` stands wherever that is used; it is told once."""
    found = {(each.code, each.headline, each.span): each for each in reversed(problems)}
    kept = {id(each) for each in found.values()}
    return [each for each in problems if id(each) in kept]


class SpecDecoder(BlockDecoder):
    """Decodes one spec."""

    def __init__(self, resolved: Resolved) -> None:
        super().__init__()
        self.words.layers = self.decode_layers
        self.resolved = resolved

    def decode(self) -> Spec | None:
        """All blocks and settings; None if a part is missing."""
        self.report_unknown()
        data = self.decode_data()
        pipeline = self.decode_pipeline()
        model = self.decode_model()
        train = self.decode_train()
        monitors = self.decode_monitors()
        settings = decode_settings(self.resolved, self)
        lint = self.first("lint")
        levels = () if lint is None else decode_lint(lint, self)
        if data is None or settings is None:
            return None
        blocks = (data, pipeline, model, train, monitors)
        return Spec(self.resolved.source, *blocks, *settings, levels)

    def first(self, word: str) -> Node | None:
        """The block of that word; that there is only one is checked elsewhere."""
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
        """A setting outside all braces that is none."""
        name = entry.path
        if name in SETTINGS:
            return
        if name in LATER_SETTINGS[""]:
            self.problems.append(not_yet(name, entry.path_span))
            return
        inner = [each for known in BLOCK_SETTINGS.values() for each in known]
        fix = setting_belongs(name)
        if not fix:
            close = nearest(name, SETTINGS) or nearest(name, inner)
            fix = setting_belongs(close[0]) if close and close[0] in inner else ""
        self.report(
            "TFP110",
            f"there is no setting `{name}`",
            entry.path_span,
            f"settings of a spec are {', '.join(f'`{each}`' for each in SETTINGS)}",
            fix=fix or did_you_mean(name, (*SETTINGS, *BLOCKS)) or "remove it",
        )

    def report_unknown_block(self, node: Node) -> None:
        """A block that is none."""
        belongs = word_belongs(node.word)
        if belongs is not None:
            self.report(
                "TFP104",
                f"`{node.word}` can't stand outside all braces",
                node.word_span,
                belongs[0],
                fix=belongs[1],
            )
            return
        self.report(
            "TFP104",
            f"there is no block named `{node.word}`",
            node.word_span,
            f"blocks are {', '.join(f'`{word}`' for word in BLOCKS)}",
            fix=did_you_mean(node.word, BLOCKS) or "write it in one of these blocks",
        )

    # ----------------------------------------------------------------- blocks

    def decode_data(self) -> DataSpec | None:
        """The data block."""
        node = self.first("data")
        if node is not None:
            return DataDecoder(node, self.problems).decode()
        source = self.resolved.source
        end = Span(source, len(source.text), len(source.text))
        self.report(
            "TFP105",
            "this spec has no data",
            end,
            why="everything begins with where the examples are.",
            fix='write `data NAME { train = image_folder("...") }`',
        )
        return None

    def decode_pipeline(self) -> PipelineSpec | None:
        """The pipeline block."""
        node = self.first("pipeline")
        if node is None:
            return None
        self.check_head(node, "pipeline NAME from DATA { }")
        data = self.resolved.nodes("data")
        if data:  # that there is none has been said
            self.check_reference(node, data, "data")
        self.no_entries(node, "a pipeline has steps, no settings")
        return PipelineSpec(
            node.name or "",
            node.head,
            node.source or "",
            node.source_span or node.head,
            self.decode_steps(node.body or ()),
        )

    def decode_steps(
        self, items: tuple[Item, ...], outer: Node | None = None
    ) -> tuple[Placed[Step | When | Together], ...]:
        """The steps in braces, and those in theirs; outer: what the braces are of."""
        steps = []
        for item in items:
            if not isinstance(item, Node):
                continue
            misplaced = nested(item, outer)
            if misplaced is not None:
                self.problems.append(misplaced)
            placed = self.decode_node(item, ("step",))
            body = self.decode_steps(item.body or (), item)
            if placed is not None:
                asserted = decode_assertion(item, self.problems)
                placed = replace(placed, asserted=asserted)
                placed = self.with_body(placed, item, body)
                self.problems += unfit_steps(placed)
                steps.append(placed)
        return tuple(steps)  # type: ignore[arg-type]

    def decode_model(self) -> ModelSpec | None:
        """The model block."""
        node = self.first("model")
        if node is None:
            return None
        self.check_head(node, "model NAME from PIPELINE { }")
        self.check_reference(node, self.resolved.nodes("pipeline"), "pipeline")
        self.no_entries(node, "a model has layers, no settings")
        layers = self.decode_layers(node.body or ())
        return ModelSpec(node.name or "", node.head, node.source or "", layers)

    def decode_layers(
        self, items: tuple[Item, ...], outer: Node | None = None
    ) -> tuple[Placed[Layer], ...]:
        """The layers in braces, and those in theirs; outer: what the braces are of."""
        layers: list[Placed[Any]] = []
        for item in items:
            if not isinstance(item, Node):
                continue
            if item.word == "features":
                first = not layers and items[0] is item
                features = decode_features(item, self, outer, first=first)
                layers += [] if features is None else [features]
                continue
            problem = misplaced_path(item, outer)
            if problem is not None:
                self.problems.append(problem)
            placed = self.decode_node(item, ("layer",))
            body = self.decode_layers(item.body or (), item)
            if placed is not None:
                if item.target is not None:
                    gives = decode_output(item, self.problems)
                    placed = replace(placed, asserted=gives)
                layers.append(self.with_body(placed, item, body))
        return tuple(layers)

    def decode_train(self) -> TrainSpec | None:
        """The train block."""
        node = self.first("train")
        if node is None:
            return None
        models = self.resolved.nodes("model")
        names = [model.name for model in models if model.name]
        if not models:
            self.report_missing(node, "model")
        elif node.name and names and node.name not in names:
            self.report_reference(node.name, node.name_span, models[0], "model")
        return TrainDecoder(node, self.problems).decode()

    def decode_monitors(self) -> tuple[Placed[Monitor], ...]:
        """The observe block."""
        node = self.first("observe")
        if node is None:
            return ()
        self.check_head(node, "observe { }")
        self.no_entries(node, "`observe` has monitors, no settings")
        monitors = []
        for item in node.body or ():
            if isinstance(item, Node):
                placed = self.decode_node(item, ("monitor",))
                if placed is not None:
                    monitors.append(self.with_body(placed, item, ()))
        self.problems += told_twice(monitors)  # type: ignore[arg-type]
        return tuple(monitors)  # type: ignore[arg-type]
