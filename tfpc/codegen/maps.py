"""Program text of the maps: what happens to an example, and to a batch."""

from __future__ import annotations

from tfpc.codegen.pipeline import TUPLE, PipelineText
from tfpc.codegen.stages import Stages
from tfpc.codegen.variables import variables
from tfpc.plan.ir import Mode, StepNode
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
from tfpc.vocabulary.python_word import PythonStep
from tfpc.vocabulary.step import SEED


class MapsText(PipelineText):
    """Writes the functions that the maps of both modes call."""

    def write(self) -> None:
        """In the order in which data goes through them."""
        if not self.random_access:
            self.write_parse()
        self.write_prepares()
        for mode in self.plan.chains:
            self.write_maps(mode)

    def write_parse(self) -> None:
        """`parse`: from a record to its components."""
        element = self.plan.chains["train"].source
        with self.writer.function(
            "parse", ["record: tf.Tensor"], TUPLE, "The components of a record."
        ):
            features = tuple(
                (self.plan.data.keys[component], self.feature(component, tensor))
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

    def feature(self, component: str, tensor: Tensor) -> Call:
        """What `tf.io.parse_single_example` is told of a field."""
        fields = self.plan.data.splits["train"].fields or {}
        default = getattr(fields.get(component), "default", None)
        shape = list(tensor.shape or ())
        given: tuple[object, ...] = (shape, Name(f"tf.{tensor.dtype}"))
        if default is not None:
            given += (repeated(shape, default),)
        return call("tf.io.FixedLenFeature", *given)

    def write_prepares(self) -> None:
        """`prepare`: the steps above the cache, once for each example."""
        written: list[str] = []
        for mode, stages in self.stages.items():
            function = self.prepare_name(mode)
            if stages.cache is not None and function not in written:
                self.write_prepare(function, mode, stages)
                written.append(function)

    def write_prepare(self, function: str, mode: Mode, stages: Stages) -> None:
        """One such function: from what the source gives to what is kept."""
        chain = self.plan.chains[mode]
        assert stages.cache is not None
        with self.writer.function(
            function,
            self.reading,
            TUPLE,
            "Reads what is kept of an example; once for each.",
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

    @property
    def reading(self) -> list[str]:
        """The parameters of a function that reads an example, for `write_source`."""
        if self.random_access:
            return [f"source: {self.opened}", "index: tf.Tensor"]
        return ["index: tf.Tensor", "record: tf.Tensor"]

    def write_source(self, element: Element) -> None:
        """Gets the components from a file or out of a record."""
        read = call("parse", name("record"))
        if self.random_access:
            read = call("source.read", name("index"))
        self.writer.assign(targets(self.names(element)), read)

    def write_steps(self, nodes: tuple[StepNode, ...]) -> None:
        """One assignment a step."""
        for node in nodes:
            if isinstance(node.step, PythonStep):
                self.write_python(node, node.step)
                continue
            assert node.target is not None
            named = variables(node.before, self.taken)
            code = code_of(node, named)
            self.writer.assign(named[node.target].text, code)

    def write_python(self, node: StepNode, step: PythonStep) -> None:
        """A function of the user's, given the components that it asks for."""
        given = variables(node.before, self.taken)
        result = variables(node.after, self.taken)
        takes: list[tuple[str, Fragment]] = [(each, given[each]) for each in node.takes]
        if node.seeded:
            epoch = name("epoch") if step.place in self.in_training else Literal(0)
            seed = call("seed_of", SEED, node.stream, epoch, name("index"))
            takes.append(("seed", seed))
        specs = tuple((each, type_of(node.after[each])) for each in node.gives)
        code = step.called("step", Mapping(tuple(takes)), Mapping(specs))
        self.writer.assign(targets([result[each] for each in node.gives]), code)

    @property
    def in_training(self) -> set[str]:
        """The places of the steps that run in training alone, and so know the epoch."""
        used = {
            node.step.place
            for node in self.plan.chains["eval"].nodes
            if isinstance(node.step, PythonStep)
        }
        return {
            node.step.place
            for node in self.plan.chains["train"].nodes
            if isinstance(node.step, PythonStep) and node.step.place not in used
        }

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
            parameters.insert(0, f"source: {self.opened}")
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


def type_of(tensor: Tensor) -> Call:
    """`tf.TensorSpec` of a component of one example."""
    return call("tf.TensorSpec", tensor.shape, Name(f"tf.{tensor.dtype}"))


def code_of(node: StepNode, named: dict[str, Name]) -> Fragment:
    """What a step makes of its component. named: the variables of all components."""
    assert node.target is not None
    others = tuple(named[other] for other in node.step.reads)
    before = node.before[node.target]
    return node.step.code_with(named[node.target], others, before, node.stream)


def targets(names: list[Name]) -> str:
    """The left side of an assignment to several variables."""
    texts = [each.text for each in names]
    return f"({texts[0]},)" if len(texts) == 1 else ", ".join(texts)


def is_ragged(tensor: Tensor) -> bool:
    """Whether examples differ in shape, so that they are kept as text."""
    return tensor.dtype != "string" and not tensor.is_static


def repeated(shape: list[int | None], value: object) -> object:
    """A list of that shape with the same value everywhere, itself for one value."""
    for size in reversed(shape):
        value = [value] * (size or 0)
    return value
