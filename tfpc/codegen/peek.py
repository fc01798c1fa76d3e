"""Program text for `tfpc peek`: every step of a spec as a function, and one batch through all.

It is made of a plan without passes, of the same fragments of the words and with the same
keys as the program, so that its batch is the first one of the program, value by value.
"""

from __future__ import annotations

from collections.abc import Mapping as MappingOf
from dataclasses import replace

from tfpc.codegen.assembly import Section, assemble
from tfpc.codegen.datasets import DatasetsText
from tfpc.codegen.maps import MapsText, code_of
from tfpc.codegen.parts import part_names
from tfpc.codegen.pipeline import TUPLE, batch_size
from tfpc.codegen.program import ENVIRONMENT, write_spec_folder
from tfpc.codegen.sources import split_of, write_sources
from tfpc.codegen.variables import variables
from tfpc.codegen.writer import Writer
from tfpc.plan.ir import Chain, Mode, Plan, StepNode
from tfpc.types.fragment import (
    Call,
    Fragment,
    Literal,
    Name,
    call,
    list_of,
    name,
    tuple_of,
)
from tfpc.types.tensor import Content, Tensor
from tfpc.vocabulary.stream import Batch

DOCSTRING = (
    "Shows one batch after every step of a pipeline: written by tfpc for `tfpc peek`.\n"
)
# A training that is going on has the GPUs; reading a batch needs none.
WITHOUT_GPUS = ('os.environ["CUDA_VISIBLE_DEVICES"] = "-1"',)
KINDS = {
    Content.ENCODED_IMAGE: "encoded",
    Content.IMAGE: "picture",
    Content.LABEL: "label",
    Content.OTHER: "other",
}


def generate_peek(
    plan: Plan, shown: MappingOf[Mode, str], pictures: int, spec_folder: str
) -> str:
    """The program that shows a batch of these splits by mode. plan: without passes.

    pictures: how many examples are drawn; spec_folder: where the spec is, seen from the
    program's own folder, with `/`.
    """
    plan = with_batches(plan, pictures)
    settings = Writer()
    write_spec_folder(settings, spec_folder)
    settings.assign("SEED", Literal(plan.settings.seed))
    settings.assign("EPOCHS", Literal(1))
    for mode in shown:
        settings.assign(batch_name(mode), Literal(batch_size(plan.chains[mode])))
    text = PeekText(plan, shown)
    text.write_data()
    text.write_main(pictures)
    return assemble(
        DOCSTRING,
        ENVIRONMENT + WITHOUT_GPUS,
        Section("Settings", settings.text),
        [Section("Data", text.data.text), Section("Run", text.run.text)],
    )


def with_batches(plan: Plan, size: int) -> Plan:
    """The plan with a batch at the end of a chain that has none yet."""
    chains: dict[Mode, Chain] = {}
    for mode, chain in plan.chains.items():
        chains[mode] = chain
        if chain.first(Batch) is None:
            counts = [split.facts.count for split in plan.data.splits.values()]
            known = [count for count in counts if count is not None]
            step = Batch(size=min([size, *known]))
            element, facts = chain.result, chain.facts
            end = StepNode(step, plan.pipeline_span, None, element, element, facts)
            chains[mode] = replace(chain, nodes=(*chain.nodes, end))
    return replace(plan, chains=chains)


def batch_name(mode: Mode) -> str:
    """The setting that holds the size of a mode's batches."""
    return "BATCH" if mode == "train" else "EVALUATION_BATCH"


class PeekText:
    """Writes the functions of a peek: what reads, each step, the way through them."""

    def __init__(self, plan: Plan, shown: MappingOf[Mode, str]) -> None:
        self.plan = plan
        self.shown = shown
        self.data, self.run = Writer(), Writer()
        self.taken = frozenset(part_names())
        self.maps = MapsText(self.data, plan, self.taken)
        self.datasets = DatasetsText(self.data, plan, self.taken)

    def write_data(self) -> None:
        """Sources, keys, steps and ways."""
        write_sources(self.data, self.plan.data)
        if not self.maps.random_access:
            self.maps.write_parse()
        with self.data.function(
            "read_example",
            self.maps.reading,
            TUPLE,
            "What the source gives of an example.",
        ):
            element = self.plan.chains["train"].source
            self.maps.write_source(element)
            self.data.returns(tuple_of(*self.maps.names(element)))
        for mode, split in self.shown.items():
            if mode == "train":
                self.datasets.write_train_keys(batched=False)
            for number, node in changing(self.plan.chains[mode]):
                self.write_step(mode, number, node)
            self.write_way(mode, split)

    def write_step(self, mode: Mode, number: int, node: StepNode) -> None:
        """One step as a function of the key and the component that it changes."""
        assert node.target is not None
        named = variables(node.before, self.taken)
        read = [named[component].text for component in (node.target, *node.step.reads)]
        names = ("epoch", "index", *read)
        with self.data.function(
            step_name(mode, number),
            [f"{each}: tf.Tensor" for each in names],
            "tf.Tensor",
            f"Step {number} of the pipeline, on one example.",
        ):
            self.data.returns(code_of(node, named))

    def write_way(self, mode: Mode, split: str) -> None:
        """The way of the first batch of a mode."""
        chain = self.plan.chains[mode]
        with self.data.function(
            way_name(mode),
            ["root: pathlib.Path = SPEC_FOLDER"],
            "PeekWalk",
            f"The first batch of {split}, from its source through all steps.",
        ):
            self.data.assign("source", split_of(split))
            read: Fragment = name("read_example")
            if self.maps.random_access:
                read = call("functools.partial", read, name("source"))
            given = [peek_step(0, *component) for component in chain.source.components]
            steps = [
                peek_step(
                    number,
                    node.target or "",
                    node.after[node.target or ""],
                    step_name(mode, number),
                    node.step.reads,
                )
                for number, node in changing(chain)
            ]
            if mode == "train":
                self.data.comment("As a run does, this refuses less than one batch.")
                whole = call("steps_in", name("source"), name(batch_name(mode)))
                self.data.expression(whole)
                keys = call("train_keys", name("source"), call("Position"))
            else:
                keys = call("with_first_epoch", self.datasets.evaluation_keys())
            self.data.returns(
                call(
                    "PeekWalk",
                    name("source"),
                    keys,
                    name(batch_name(mode)),
                    read,
                    list_of(*given),
                    list_of(*steps),
                )
            )

    def write_main(self, pictures: int) -> None:
        """`main`: flags, then each mode."""
        with self.run.function("main", [], "None", "Reads the flags and looks."):
            self.run.line("options = program_flags(__doc__, SPEC_FOLDER).parse_args()")
            self.run.line("folder = options.run_dir or pathlib.Path()")
            self.run.line("run = Run(options.root, folder, Reporter(), Interrupt())")
            with self.run.with_(Name("failures_told(run)")):
                for mode, split in self.shown.items():
                    way = call(way_name(mode), name("options.root"))
                    look = call("peek_batch", name("run"), mode, split, way, pictures)
                    self.run.expression(look)
        self.run.blank()
        self.run.blank()
        self.run.line('if __name__ == "__main__":')
        self.run.line("    main()")


def changing(chain: Chain) -> list[tuple[int, StepNode]]:
    """The steps that change a component, with their numbers in the chain, from one."""
    numbered = enumerate(chain.nodes, 1)
    return [(number, node) for number, node in numbered if node.target is not None]


def step_name(mode: Mode, number: int) -> str:
    """The function of a step."""
    return f"{mode}_step_{number}"


def way_name(mode: Mode) -> str:
    """The function that makes the way of a mode."""
    return f"{mode}_way"


def peek_step(
    number: int,
    component: str,
    after: Tensor,
    function: str | None = None,
    reads: tuple[str, ...] = (),
) -> Call:
    """`PeekStep(...)`."""
    given: list[object] = [number, component, KINDS.get(after.content, "other")]
    if function is not None:
        given.append(name(function))
    return call("PeekStep", *given, **({"reads": reads} if reads else {}))
