"""The intermediate representation: a spec with types, facts and places.

Lowering makes it in the user's order; each pass rewrites it; the generator prints it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Literal, TypeAlias

from tfpc.diagnostics.span import Span
from tfpc.python_source.module import Module
from tfpc.python_source.signature import Signature
from tfpc.types.element import Element
from tfpc.types.facts import Facts, SourceFacts
from tfpc.types.tensor import Tensor
from tfpc.vocabulary.encoder import Encoder
from tfpc.vocabulary.layer import Layer
from tfpc.vocabulary.loss import Loss
from tfpc.vocabulary.metric import Metric
from tfpc.vocabulary.monitor import Monitor
from tfpc.vocabulary.optimizer import Optimizer
from tfpc.vocabulary.python_word import PythonWord
from tfpc.vocabulary.schema import SchemaField
from tfpc.vocabulary.scores import Scores
from tfpc.vocabulary.settings import Memory, Strategy
from tfpc.vocabulary.source import Source
from tfpc.vocabulary.split import Split
from tfpc.vocabulary.step import Step

Mode: TypeAlias = Literal["train", "eval"]


class Place(Enum):
    """Where a step runs."""

    HOST = "host"
    DEVICE = "device"


@dataclass(frozen=True, slots=True)
class PythonPlan:
    """A use of a function of the user's, with the file that it stands in.

    files: that file and those beside the spec that it imports.
    """

    word: PythonWord
    span: Span
    module: Module
    signature: Signature
    files: tuple[Module, ...] = ()


@dataclass(frozen=True, slots=True)
class StepNode:
    """A step in a chain.

    target: the component that it changes, None for steps on the stream; before,
    after: types of a single example; facts: of the stream, after it; stream: the
    number of its first random number; group: nodes of one group run in one map;
    batched: it runs on whole batches, not on each example; shared: it is one of several
    nodes that a step in `together` becomes, which draw the same. takes, gives: the
    components of a `python` step, which has no target; seeded: it is given a seed as
    well.
    """

    step: Step
    span: Span
    target: str | None
    before: Element
    after: Element
    facts: Facts
    stream: int = 0
    place: Place = Place.HOST
    group: int = 0
    batched: bool = False
    shared: bool = False
    takes: tuple[str, ...] = ()
    gives: tuple[str, ...] = ()
    seeded: bool = False


@dataclass(frozen=True, slots=True)
class Chain:
    """All steps of one mode, in the order in which they run.

    parallel: maps run on all cores; in_memory: the source holds its examples there.
    """

    mode: Mode
    source: Element
    nodes: tuple[StepNode, ...]
    parallel: bool = False
    in_memory: bool = False

    @property
    def result(self) -> Element:
        """The type of a single example at the end."""
        return self.nodes[-1].after if self.nodes else self.source

    @property
    def facts(self) -> Facts:
        """What is known of the stream at the end."""
        return self.nodes[-1].facts if self.nodes else Facts()

    def first(self, kind: type[Step]) -> StepNode | None:
        """The first node with a step of that class."""
        return next((node for node in self.nodes if isinstance(node.step, kind)), None)


@dataclass(frozen=True, slots=True)
class SplitPlan:
    """Where the examples of a split come from: a source, or a part of train.

    fields: what is read of each component, where the source has fields.
    """

    name: str
    source: Source | Split
    span: Span
    facts: SourceFacts
    element: Element
    fields: Mapping[str, SchemaField] | None = None


@dataclass(frozen=True, slots=True)
class DataPlan:
    """All splits. keys: the name in the record of each component, for records."""

    name: str
    span: Span
    splits: dict[str, SplitPlan]
    limit: int | None
    keys: dict[str, str]


@dataclass(frozen=True, slots=True)
class FeaturePlan:
    """A column of the pipeline that a model's `features` takes, and its encoder."""

    column: str
    encoder: Encoder
    span: Span
    tensor: Tensor


@dataclass(frozen=True, slots=True)
class LayerNode:
    """A layer in its place.

    inputs: the values that it takes; value 0 is the model's input and value n is what
    the n-th node gives (from one). layer is None where several are joined; join says
    how: `add`, `concat`, ... parameters is None where the data decides how many.
    """

    layer: Layer | None
    name: str
    span: Span
    inputs: tuple[int, ...]
    before: Tensor
    after: Tensor
    parameters: int | None
    stream: int = 0
    join: str = ""


@dataclass(frozen=True, slots=True)
class ModelPlan:
    """A model: layers from one component to the scores. Shapes have the batch first.

    features: the columns that are its input, if it is no component of the pipeline.
    """

    name: str
    span: Span
    component: str
    input: Tensor
    nodes: tuple[LayerNode, ...]
    scores: Scores
    features: tuple[FeaturePlan, ...] = ()

    @property
    def parameters(self) -> int | None:
        """How many numbers all weights are, None if the data decides it."""
        found = [node.parameters for node in self.nodes]
        known = [count for count in found if count is not None]
        return sum(known) if len(known) == len(found) else None


@dataclass(frozen=True, slots=True)
class MonitorPlan:
    """A monitor in its place."""

    monitor: Monitor
    span: Span
    argument_spans: dict[str, Span]


@dataclass(frozen=True, slots=True)
class MetricPlan:
    """A metric in its place."""

    metric: Metric
    span: Span
    argument_spans: dict[str, Span]


@dataclass(frozen=True, slots=True)
class TrainPlan:
    """How the model is trained.

    rate_span: where the learning rate is said; class_weights: by class, none if all
    weigh the same.
    """

    span: Span
    epochs: int
    optimizer: Optimizer
    rate_span: Span
    loss: Loss
    loss_span: Span
    loss_argument_spans: dict[str, Span]
    label: str
    label_type: Tensor
    metrics: dict[str, MetricPlan]

    class_weights: tuple[float, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """What is measured on every split: the loss, then the metrics."""
        return ("loss", *self.metrics)


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of the whole spec.

    memory_asked: whether the spec says it; strategy_span: where that is said, if it is.
    """

    seed: int
    determinism: bool
    strategy: Strategy
    precision: str
    memory: Memory
    memory_asked: bool = False
    strategy_span: Span | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """What a pass did, why, and how exact the result is."""

    by: str
    what: str
    why: str
    exactness: Literal["exact", "rounding"] = "exact"


@dataclass(frozen=True, slots=True)
class Plan:
    """A whole spec, ready to be checked, rewritten and printed.

    pipeline, model and train are None where the spec has none (lint allows that).
    python: the user's functions that it names, each use once.
    """

    name: str
    digest: str
    data: DataPlan
    pipeline: str
    pipeline_span: Span
    chains: dict[Mode, Chain]
    model: ModelPlan | None
    train: TrainPlan | None
    monitors: tuple[MonitorPlan, ...]
    settings: Settings
    changes: tuple[Change, ...] = ()
    python: tuple[PythonPlan, ...] = ()
