"""Program text for the pipelines: maps, keys and datasets of each mode."""

from __future__ import annotations

from tfpc.codegen.sources import split_of
from tfpc.codegen.stages import Stages, cut
from tfpc.codegen.variables import variables
from tfpc.codegen.writer import Writer
from tfpc.plan.ir import Chain, Mode, Plan, StepNode
from tfpc.types.element import Element
from tfpc.types.fragment import (
    Call,
    Fragment,
    Item,
    Literal,
    Mapping,
    Name,
    call,
    list_of,
    name,
    tuple_of,
)
from tfpc.types.tensor import Content, Tensor
from tfpc.vocabulary.source import Source
from tfpc.vocabulary.stream import Batch, Prefetch, Shuffle

RECORD_BUFFER = 8192


class PipelineText:
    """Writes the functions of both modes. taken: names that variables must not have."""

    def __init__(self, writer: Writer, plan: Plan, taken: frozenset[str]) -> None:
        self.writer = writer
        self.plan = plan
        self.taken = taken
        source = plan.data.splits["train"].source
        assert isinstance(source, Source)
        self.random_access = source.random_access
        self.stages: dict[Mode, Stages] = {
            mode: cut(chain) for mode, chain in plan.chains.items()
        }

    def write(self) -> None:
        """All functions, in the order in which data goes through them."""
        if not self.random_access:
            self.write_parse()
        self.write_prepares()
        for mode in self.plan.chains:
            self.write_maps(mode)
        self.write_train_keys()
        self.write_train_dataset()
        if len(self.plan.data.splits) > 1:
            self.write_evaluation_dataset()

    # ------------------------------------------------------------ single maps

    def names(self, element: Element) -> list[Name]:
        """The variables of an element, in order."""
        return list(variables(element, self.taken).values())

    def write_parse(self) -> None:
        """`parse`: from a record to its components."""
        element = self.plan.chains["train"].source
        with self.writer.function(
            "parse", ["record: tf.Tensor"], TUPLE, "The components of a record."
        ):
            features = tuple(
                (self.plan.data.keys[component], feature(tensor))
                for component, tensor in element.components
            )
            example = call(
                "tf.io.parse_single_example", name("record"), Mapping(features)
            )
            self.writer.assign("example", example)
            items: list[Fragment] = []
            for component, tensor in element.components:
                key = Literal(self.plan.data.keys[component])
                items.append(Item(name("example"), key))
                if tensor.content is Content.LABEL and tensor.classes is not None:
                    items[-1] = call("checked_label", items[-1], tensor.classes)
            self.writer.returns(tuple_of(*items))

    def write_prepares(self) -> None:
        """`prepare`: the steps above the cache, once for each example."""
        written: list[str] = []
        for mode, stages in self.stages.items():
            function = self.prepare_name(mode)
            if stages.cache is not None and function not in written:
                self.write_prepare(function, mode, stages)
                written.append(function)

    def prepare_name(self, mode: Mode) -> str:
        """One function for both modes, if they do the same above the cache."""
        train, evaluation = self.stages["train"], self.stages["eval"]
        same = [node.step for node in train.once] == [
            node.step for node in evaluation.once
        ]
        both = train.cache is not None and evaluation.cache is not None
        return "prepare" if not both or same else f"prepare_{mode}"

    def write_prepare(self, function: str, mode: Mode, stages: Stages) -> None:
        """One such function: from what the source gives to what is kept."""
        chain = self.plan.chains[mode]
        assert stages.cache is not None
        given = ["source: Pictures", "index: tf.Tensor"]
        if not self.random_access:
            given = ["index: tf.Tensor", "record: tf.Tensor"]
        with self.writer.function(
            function, given, TUPLE, "Reads what is kept of an example; once for each."
        ):
            self.write_source(chain.source)
            self.write_steps(stages.once)
            kept = stages.cache.after
            for component, tensor in kept.components:
                if is_ragged(tensor):
                    variable = variables(kept, self.taken)[component]
                    text = call("tf.io.serialize_tensor", variable)
                    self.writer.assign(variable.text, text)
            self.writer.returns(tuple_of(name("index"), *self.names(kept)))

    def write_source(self, element: Element) -> None:
        """Gets the components from a file or out of a record."""
        read = call("parse", name("record"))
        if self.random_access:
            read = call("source.read", name("index"))
        self.writer.assign(targets(self.names(element)), read)

    def write_steps(self, nodes: tuple[StepNode, ...]) -> None:
        """One assignment a step."""
        for node in nodes:
            assert node.target is not None
            variable = variables(node.before, self.taken)[node.target]
            code = node.step.code(variable, node.before[node.target], node.stream)
            self.writer.assign(variable.text, code)

    # ------------------------------------------------------- maps of one mode

    def keys(self, mode: Mode) -> list[Name]:
        """What says which example it is: the epoch, too, in training."""
        return [name("epoch"), name("index")] if mode == "train" else [name("index")]

    def maps_of(self, mode: Mode) -> list[tuple[str, tuple[StepNode, ...]]]:
        """The maps of a mode with the names of their functions; the first one reads."""
        stages = self.stages[mode]
        each = stages.each if stages.each or stages.gathers_batches else ((),)
        if stages.gathers_batches:
            batched = stages.batched or ((),)
            return numbered(f"{mode}_batch", batched)
        return numbered(f"{mode}_example", each) + numbered(
            f"{mode}_batch", stages.batched
        )

    def write_maps(self, mode: Mode) -> None:
        """The functions of a mode's maps."""
        if mode == "eval" and len(self.plan.data.splits) == 1:
            return
        functions = self.maps_of(mode)
        for number, (function, nodes) in enumerate(functions):
            self.write_map(
                mode,
                function,
                nodes,
                reads=number == 0,
                last=number == len(functions) - 1,
            )

    def write_map(
        self,
        mode: Mode,
        function: str,
        nodes: tuple[StepNode, ...],
        *,
        reads: bool,
        last: bool,
    ) -> None:
        """One function: keys and components in, the same out (components at the end)."""
        chain, stages = self.plan.chains[mode], self.stages[mode]
        start = chain.source if stages.cache is None else stages.cache.after
        before = nodes[0].before if nodes and not reads else start
        given: list[Name] = []
        if (reads and self.random_access) or stages.cache is not None:
            given = [] if reads else self.names(before)
        elif reads:
            given = [name("record")]
        else:
            given = self.names(before)
        parameters = [f"{each.text}: tf.Tensor" for each in (*self.keys(mode), *given)]
        if reads and stages.cache is not None:
            parameters.insert(0, "kept: tuple[tf.Tensor, ...]")
        elif reads and self.random_access:
            parameters.insert(0, "source: Pictures")
        what = (
            "a batch"
            if stages.gathers_batches or "_batch" in function
            else "an example"
        )
        doing = "Reads and transforms" if reads else "Transforms"
        mode_text = "training" if mode == "train" else "evaluation"
        with self.writer.function(
            function, parameters, TUPLE, f"{doing} {what} for {mode_text}."
        ):
            if reads:
                self.write_reading(mode, before)
            self.write_steps(nodes)
            after = nodes[-1].after if nodes else before
            components = self.names(after)
            result = components if last else [*self.keys(mode), *components]
            self.writer.returns(tuple_of(*result))

    def write_reading(self, mode: Mode, element: Element) -> None:
        """Gets the components: from memory, from a file or out of a record."""
        if self.stages[mode].cache is not None:
            read = call("gathered", name("kept"), name("index"))
            self.writer.assign(targets(self.names(element)), read)
            for component, tensor in element.components:
                if is_ragged(tensor):
                    self.write_restored(
                        variables(element, self.taken)[component], tensor
                    )
        else:
            self.write_source(element)

    def write_restored(self, variable: Name, tensor: Tensor) -> None:
        """Takes a component of changing shape out of the text that it is kept as."""
        assert tensor.shape is not None
        parsed = call("tf.io.parse_tensor", variable, Name(f"tf.{tensor.dtype}"))
        shape = list_of(*tensor.shape)
        self.writer.assign(variable.text, call("tf.ensure_shape", parsed, shape))

    # ------------------------------------------------------------------- keys

    def write_train_keys(self) -> None:
        """`train_keys`: which example comes when."""
        stages = self.stages["train"]
        kept = stages.cache is not None
        with self.writer.function(
            "train_keys",
            [
                "source: Source" if self.random_access or kept else "source: Records",
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
                    batched=stages.gathers_batches,
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
        for node in stages.shuffles:
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

    # --------------------------------------------------------------- datasets

    def write_train_dataset(self) -> None:
        """`train_dataset`: all batches of the training."""
        stages, chain = self.stages["train"], self.plan.chains["train"]
        with self.writer.function(
            "train_dataset",
            [
                "root: pathlib.Path = SPEC_FOLDER",
                "start: Position = Position()",
                "reporter: Reporter | None = None",
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
            ],
            "tf.data.Dataset",
            "Batches of a split with their weights; begins anew after the last one.",
        ):
            source = Item(call("open_sources", name("root")), name("split"))
            self.writer.assign("source", source)
            self.write_kept("eval", name("split"))
            if self.random_access or stages.cache is not None:
                keys = call("tf.data.Dataset.range", Name("source.count"))
            else:
                keys = call("source.examples")
            self.writer.assign("dataset", keys)
            self.write_dataset("eval", chain, stages)

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

    def write_batch(self, mode: Mode, batch: Name) -> None:
        """Groups examples; training takes whole batches only."""
        if mode == "train":
            code = call("dataset.batch", batch, drop_remainder=True)
        else:
            code = call("dataset.batch", batch)
        self.writer.assign("dataset", code)

    def reader(self, mode: Mode, function: str, number: int) -> Fragment:
        """The function of a map; the first one is given what it reads from."""
        if number > 0:
            return name(function)
        if self.stages[mode].cache is not None:
            return call("functools.partial", name(function), name("kept"))
        if self.random_access:
            return call("functools.partial", name(function), name("source"))
        return name(function)

    def mapped(self, chain: Chain, function: Fragment) -> Call:
        """A map, on all cores where a pass said so."""
        if chain.parallel:
            return call("map_in_parallel", name("dataset"), function)
        return call("dataset.map", function)


TUPLE = "tuple[tf.Tensor, ...]"


def numbered(
    function: str, groups: tuple[tuple[StepNode, ...], ...]
) -> list[tuple[str, tuple[StepNode, ...]]]:
    """A name for each group: `train_batch`, `train_batch_2`, ..."""
    return [
        (function if number == 1 else f"{function}_{number}", nodes)
        for number, nodes in enumerate(groups, 1)
    ]


def targets(names: list[Name]) -> str:
    """The left side of an assignment to several variables."""
    texts = [each.text for each in names]
    return f"({texts[0]},)" if len(texts) == 1 else ", ".join(texts)


def is_ragged(tensor: Tensor) -> bool:
    """Whether examples differ in shape, so that they are kept as text."""
    return tensor.dtype != "string" and not tensor.is_static


def feature(tensor: Tensor) -> Call:
    """What `tf.io.parse_single_example` is told of a field."""
    return call(
        "tf.io.FixedLenFeature", list(tensor.shape or ()), Name(f"tf.{tensor.dtype}")
    )


def batch_size(chain: Chain) -> int:
    """The size of a chain's batches."""
    node = chain.first(Batch)
    assert node is not None
    assert isinstance(node.step, Batch)
    return node.step.size
