"""Program text of the datasets: which example comes when, and the maps over it."""

from __future__ import annotations

from tfpc.codegen.pipeline import PipelineText
from tfpc.codegen.sources import split_of
from tfpc.codegen.stages import Stages
from tfpc.plan.ir import Chain, Mode
from tfpc.types.fragment import Call, Fragment, Item, Literal, Name, call, name
from tfpc.vocabulary.stream import RECORD_BUFFER, Prefetch, Shuffle


class DatasetsText(PipelineText):
    """Writes the functions that make the datasets of both modes."""

    def write(self) -> None:
        """Keys and batches for training, batches for evaluation."""
        self.write_train_keys(batched=self.stages["train"].gathers_batches)
        self.write_train_dataset()
        if len(self.plan.data.splits) > 1:
            self.write_evaluation_dataset()

    def write_train_keys(self, *, batched: bool) -> None:
        """`train_keys`: which example comes when. batched: a whole batch at a time."""
        stages = self.stages["train"]
        kept = stages.cache is not None
        with self.writer.function(
            "train_keys",
            [
                "source: Source"
                if self.random_access or kept
                else f"source: {self.opened}",
                "start: Position",
            ],
            "tf.data.Dataset",
            "Which example comes when, over all epochs from `start` on.",
        ):
            if self.random_access or kept:
                self.writer.assign("order", self.order(stages))
                keys = call(
                    "keys_by_epoch",
                    name("order"),
                    name("BATCH"),
                    name("EPOCHS"),
                    name("start"),
                    batched=batched,
                )
            else:
                keys = self.record_keys(stages)
            self.writer.returns(keys)

    def order(self, stages: Stages) -> Fragment:
        """The order of an epoch, for what can be read in any order."""
        count = Name("source.count")
        order: Fragment = call("in_order", count)
        for node in stages.shuffles:
            assert isinstance(node.step, Shuffle)
            if node.batched:
                order = call("batches_permuted", order, name("BATCH"), name("SEED"))
            elif node.step.buffer is None:
                order = call("permuted", count, name("SEED"))
            else:
                order = call("permuted_nearby", count, name("SEED"), node.step.buffer)
        return order

    def record_keys(self, stages: Stages) -> Call:
        """Records in the order of an epoch, for what is read one after the other."""
        buffer: int | None = None
        # What mixes batches adds nothing to what mixes examples: here both are one.
        single = [node for node in stages.shuffles if not node.batched]
        for node in single or stages.shuffles:
            assert isinstance(node.step, Shuffle)
            buffer = node.step.buffer or RECORD_BUFFER
        return call(
            "records_by_epoch",
            name("source"),
            name("SEED"),
            name("BATCH"),
            name("EPOCHS"),
            name("start"),
            buffer,
        )

    def write_train_dataset(self) -> None:
        """`train_dataset`: all batches of the training."""
        stages, chain = self.stages["train"], self.plan.chains["train"]
        with self.writer.function(
            "train_dataset",
            [
                "root: pathlib.Path = SPEC_FOLDER",
                "start: Position = Position()",
                "reporter: Reporter | None = None",
                *self.learnt_parameter,
            ],
            "tf.data.Dataset",
            "Batches for training, over all epochs from `start` on.",
        ):
            self.writer.assign("source", split_of("train"))
            self.write_kept("train", Literal("train"))
            keys = call("train_keys", name("source"), name("start"))
            self.writer.assign("dataset", keys)
            self.write_dataset("train", chain, stages)

    def write_evaluation_dataset(self) -> None:
        """`evaluation_dataset`: the batches of a split, again and again."""
        stages, chain = self.stages["eval"], self.plan.chains["eval"]
        with self.writer.function(
            "evaluation_dataset",
            [
                "split: str",
                "root: pathlib.Path = SPEC_FOLDER",
                "reporter: Reporter | None = None",
                *self.learnt_parameter,
            ],
            "tf.data.Dataset",
            "Batches of a split with their weights; begins anew after the last one.",
        ):
            source = Item(call("open_sources", name("root")), name("split"))
            self.writer.assign("source", source)
            self.write_kept("eval", name("split"))
            self.writer.assign("dataset", self.evaluation_keys())
            self.write_dataset("eval", chain, stages)

    def evaluation_keys(self) -> Call:
        """Which example comes when in an evaluation."""
        if self.random_access or self.stages["eval"].cache is not None:
            return call("tf.data.Dataset.range", Name("source.count"))
        return call("source.examples")

    def write_kept(self, mode: Mode, split: Fragment) -> None:
        """Reads a split into memory, if the mode keeps it there."""
        if self.stages[mode].cache is None:
            return
        reporter = Name("reporter or Reporter()")
        prepare: Fragment = name(self.prepare_name(mode))
        if self.random_access:
            prepare = call("functools.partial", prepare, name("source"))
        kept = call("kept_in_memory", reporter, split, name("source"), prepare)
        self.writer.assign("kept", kept)

    def write_dataset(self, mode: Mode, chain: Chain, stages: Stages) -> None:
        """The maps, the batch and the prefetch of a mode."""
        functions = self.maps_of(mode)
        batch = name("BATCH" if mode == "train" else "EVALUATION_BATCH")
        grouped = False
        if stages.gathers_batches:
            if mode == "eval":
                self.writer.assign("dataset", call("dataset.batch", batch))
            grouped = True
        for number, (function, _) in enumerate(functions):
            if "_batch" in function and not grouped:
                self.write_batch(mode, batch)
                grouped = True
            self.writer.assign(
                "dataset", self.mapped(chain, self.reader(mode, function, number))
            )
        if not grouped:
            self.write_batch(mode, batch)
        if self.has_features:
            self.write_rows(chain)
        if mode == "eval":
            # Not before the batches: one would reach over the end of the split.
            self.writer.assign("dataset", self.mapped(chain, call("padded", batch)))
            self.writer.assign("dataset", call("dataset.repeat"))
        if stages.prefetch is None:
            self.writer.returns(name("dataset"))
            return
        assert isinstance(stages.prefetch.step, Prefetch)
        count = stages.prefetch.step.count
        ahead = name("tf.data.AUTOTUNE") if count is None else Literal(count)
        self.writer.returns(call("dataset.prefetch", ahead))

    @property
    def learnt_parameter(self) -> list[str]:
        """What the encoders of `features` have learnt, if there are any."""
        return ["learnt: Learnt | None = None"] if self.has_features else []

    def write_rows(self, chain: Chain) -> None:
        """Rows instead of columns, for a model with `features`."""
        learnt = Name("learnt or learnt_features(root)")
        self.writer.assign("rows", call("Rows", name("FEATURES"), learnt))
        encoded = call("functools.partial", name("encoded"), name("rows"))
        self.writer.assign("dataset", self.mapped(chain, encoded))

    def write_batch(self, mode: Mode, batch: Name) -> None:
        """Groups examples; training takes whole batches only."""
        if mode == "train":
            code = call("dataset.batch", batch, drop_remainder=True)
        else:
            code = call("dataset.batch", batch)
        self.writer.assign("dataset", code)
