"""What a spec says once its words and arguments are known to be right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from tfpc.diagnostics.diagnostic import Severity
from tfpc.diagnostics.span import Source, Span
from tfpc.types.value import Value
from tfpc.vocabulary.layer import Layer
from tfpc.vocabulary.loss import Loss
from tfpc.vocabulary.metric import Metric
from tfpc.vocabulary.monitor import Monitor
from tfpc.vocabulary.optimizer import Optimizer
from tfpc.vocabulary.schema import SchemaField
from tfpc.vocabulary.settings import Memory, Precision, Strategy
from tfpc.vocabulary.source import Source as DataSource
from tfpc.vocabulary.split import Split
from tfpc.vocabulary.step import Step
from tfpc.vocabulary.stream import When
from tfpc.vocabulary.together import Together
from tfpc.vocabulary.word import Word

W_co = TypeVar("W_co", bound=Word, covariant=True)


@dataclass(frozen=True, slots=True)
class Assertion:
    """The type that a component is said to have; a size of None may be any."""

    component: str
    name_span: Span
    dtype: str
    shape: tuple[int | None, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Placed(Generic[W_co]):
    """A word in its place.

    span: from the word to its arguments; argument_spans and values: by argument's
    name; body: the words in its braces; asserted: what stands behind `->`.
    """

    word: W_co
    span: Span
    argument_spans: Mapping[str, Span]
    values: Mapping[str, Value]
    alias: str | None = None
    body: tuple[Placed[Any], ...] = ()
    asserted: tuple[Assertion, ...] = ()


@dataclass(frozen=True, slots=True)
class DataSpec:
    """A data block. sources: by split, train first; label: the name of its field."""

    name: str
    span: Span
    sources: Mapping[str, Placed[DataSource | Split]]
    label: str
    limit: int | None
    schema: Mapping[str, Placed[SchemaField]] | None


@dataclass(frozen=True, slots=True)
class PipelineSpec:
    """A pipeline block; source_span is where it names its data."""

    name: str
    span: Span
    data: str
    source_span: Span
    steps: tuple[Placed[Step | When | Together], ...]


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """A model block."""

    name: str
    span: Span
    pipeline: str
    layers: tuple[Placed[Layer], ...]


@dataclass(frozen=True, slots=True)
class ClassWeights:
    """(class's name, weight, place) each; without names they are in order."""

    span: Span
    weights: tuple[tuple[str | None, float, Span], ...]


@dataclass(frozen=True, slots=True)
class TrainSpec:
    """A train block."""

    model: str
    span: Span
    epochs: int
    optimizer: Placed[Optimizer]
    loss: Placed[Loss]
    metrics: tuple[Placed[Metric], ...]
    class_weights: ClassWeights | None = None


@dataclass(frozen=True, slots=True)
class RuleLevel:
    """A line of a lint block. span: of the rule's name; severity: None is off."""

    rule: str
    span: Span
    severity: Severity | None


@dataclass(frozen=True, slots=True)
class Spec:
    """A whole spec. pipeline, model and train are None where it has none, and memory
    where it does not say it; severities are the lines of its lint block.
    """

    source: Source
    data: DataSpec
    pipeline: PipelineSpec | None
    model: ModelSpec | None
    train: TrainSpec | None
    monitors: tuple[Placed[Monitor], ...]
    strategy: Placed[Strategy] | None
    precision: Precision
    seed: int
    determinism: bool
    memory: Memory | None
    severities: tuple[RuleLevel, ...] = ()
