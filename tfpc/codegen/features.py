"""Program text of `features`: encoders, what they learn from, rows for the model."""

from __future__ import annotations

from tfpc.codegen.pipeline import TUPLE, PipelineText
from tfpc.plan.ir import FeaturePlan
from tfpc.types.fragment import (
    Fragment,
    Literal,
    Mapping,
    call,
    list_of,
    name,
    tuple_of,
)


class FeaturesText(PipelineText):
    """Writes what stands between the batches of a pipeline and a model of columns."""

    @property
    def features(self) -> tuple[FeaturePlan, ...]:
        """The columns."""
        assert self.plan.model is not None
        return self.plan.model.features

    def write(self) -> None:
        """Encoders, what they learn from, and the map."""
        self.writer.blank()
        self.writer.blank()
        self.writer.assign("FEATURES", self.encoders())
        self.write_learnt()
        self.write_encoded()

    def encoders(self) -> Fragment:
        """Each column's."""
        return Mapping(
            tuple((each.column, each.encoder.code()) for each in self.features)
        )

    def write_learnt(self) -> None:
        """`learnt_features`: from the training split alone."""
        source = self.plan.chains["train"].source
        with self.writer.function(
            "learnt_features",
            ["root: pathlib.Path = SPEC_FOLDER"],
            "Learnt",
            "What the encoders must know, learnt from the training split alone.",
        ):
            self.writer.line('source = open_sources(root)["train"]')
            names = list_of(*map(Literal, source.names))
            learn = call("learn_features", name("FEATURES"), names, name("batches"))
            if self.random_access:
                keys = call("source.keys().batch", name("LEARNING_BATCH"))
                self.writer.assign("keys", keys)
                read = call("keys.map", name("source.read"))
                self.writer.assign("batches", read)
                self.writer.returns(learn)
                return
            self.writer.assign("read", call("without_index", name("parse")))
            self.writer.assign("examples", call("source.keys().map", name("read")))
            batches = call("examples.batch", name("LEARNING_BATCH"))
            self.writer.assign("batches", batches)
            reading = (name("source"), name("source.keys"), name("read"))
            with self.writer.with_(call("unreadable_named", *reading)):
                self.writer.returns(learn)

    def write_encoded(self) -> None:
        """`encoded`: the map of both modes."""
        element = self.plan.chains["train"].result
        named = dict(zip(element.names, self.names(element), strict=True))
        given = [f"{each.text}: tf.Tensor" for each in named.values()]
        with self.writer.function(
            "encoded",
            ["rows: Rows", *given],
            TUPLE,
            "A row of numbers for each example of a batch, and the label.",
        ):
            row = call("rows", *(named[each.column] for each in self.features))
            assert self.plan.train is not None
            self.writer.returns(tuple_of(row, named[self.plan.train.label]))
