"""A decoded spec with types and facts after every step and layer: the plan."""

from __future__ import annotations

from dataclasses import replace

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Label, has_errors
from tfpc.diagnostics.span import Span
from tfpc.plan.ir import (
    Chain,
    DataPlan,
    MetricPlan,
    Mode,
    ModelPlan,
    MonitorPlan,
    Plan,
    Settings,
    TrainPlan,
)
from tfpc.plan.lower_model import lower_model
from tfpc.plan.lower_pipeline import lower_pipeline
from tfpc.plan.lower_python import PythonReader
from tfpc.plan.lower_weights import lower_weights
from tfpc.plan.mismatches import report
from tfpc.spec.model import PipelineSpec, Spec, TrainSpec
from tfpc.types.quantity import Epochs
from tfpc.types.tensor import Content
from tfpc.vocabulary.python_word import OPAQUE, PythonWord
from tfpc.vocabulary.settings import Auto, Growth
from tfpc.vocabulary.source import Source


def lower(
    spec: Spec, data: DataPlan, name: str, digest: str, python: PythonReader
) -> tuple[Plan | None, list[Diagnostic]]:
    """The plan in the user's order. name: of the spec's file; digest: of its text.

    python: reads the user's Python files.
    """
    pipeline = spec.pipeline
    if pipeline is None:
        return None, []
    element = data.splits["train"].element
    counts: dict[Mode, int | None] = {
        "train": data.splits["train"].facts.count,
        "eval": evaluation_count(data),
    }
    chains, problems = lower_pipeline(pipeline, element, counts, python)
    if problems:
        return None, problems
    source = data.splits["train"].source
    in_memory = isinstance(source, Source) and source.in_memory
    chains = {
        mode: replace(chain, in_memory=in_memory) for mode, chain in chains.items()
    }
    model: ModelPlan | None = None
    train: TrainPlan | None = None
    if spec.model is not None:
        model, problems = lower_model(
            spec.model, chains["train"], pipeline.span, python
        )
    if spec.train is not None and model is not None:
        train, more = lower_train(spec.train, model, chains["train"], pipeline, python)
        problems += more
    if train is not None and spec.train is not None and spec.train.class_weights:
        names = data.splits["train"].facts.class_names
        weights = lower_weights(spec.train.class_weights, train.label_type, names)
        if isinstance(weights, tuple):
            train = replace(train, class_weights=weights)
        else:
            problems.append(weights)
    if has_errors(problems):
        return None, problems
    monitors = tuple(
        MonitorPlan(placed.word, placed.span, dict(placed.argument_spans))
        for placed in spec.monitors
    )
    chosen = spec.strategy
    settings = Settings(
        spec.seed,
        spec.determinism,
        Auto() if chosen is None else chosen.word,
        spec.precision.word,
        spec.memory or Growth(),
        spec.memory is not None,
        None if chosen is None else chosen.span,
    )
    plan = Plan(
        name,
        digest,
        data,
        pipeline.name,
        pipeline.span,
        chains,
        model,
        train,
        monitors,
        settings,
        python=tuple(python.uses),
    )
    return plan, problems


def evaluation_count(data: DataPlan) -> int | None:
    """Examples of the smallest split that is evaluated, None if one is not known."""
    counts = [
        split.facts.count for split in data.splits.values() if split.name != "train"
    ]
    known = [count for count in counts if count is not None]
    return min(known) if known and len(known) == len(counts) else None


def lower_train(
    train: TrainSpec,
    model: ModelPlan,
    chain: Chain,
    pipeline: PipelineSpec,
    python: PythonReader,
) -> tuple[TrainPlan | None, list[Diagnostic]]:
    """What the loss and the metrics make of label and scores."""
    names = chain.result.of_content(Content.LABEL)
    if len(names) != 1:
        problem = error(
            "TFP213",
            "there is no label to train on" if not names else "there are two labels",
            train.span,
            "needs one label",
            labels=(Label(pipeline.span, f"ends in {chain.result}"),),
            fix="say which field it is in the data block: `label = NAME`",
        )
        return None, [problem]
    label = chain.result[names[0]].batched(None)
    problems: list[Diagnostic] = []
    for placed in (train.loss, *train.metrics):
        if isinstance(placed.word, PythonWord):
            found = python.two_first(placed)  # type: ignore[arg-type]
            problems += [] if found is None else [found]
    if model.scores.activation == OPAQUE and not isinstance(
        train.loss.word, PythonWord
    ):
        problems += opaque(train, model)
    mismatch = train.loss.word.fit(label, model.scores)
    if mismatch is not None:
        spans = train.loss.argument_spans
        cause = (Label(scores_span(model), f"gives {model.scores.tensor}"),)
        problems.append(report("TFP214", mismatch, train.loss.span, spans, cause))
    metrics = {
        each.word.name: MetricPlan(each.word, each.span, dict(each.argument_spans))
        for each in train.metrics
    }
    problems += warm_up_too_long(train)
    plan = TrainPlan(
        train.span,
        train.epochs,
        train.optimizer.word,
        train.optimizer.argument_spans.get("learning_rate", train.optimizer.span),
        train.loss.word,
        train.loss.span,
        dict(train.loss.argument_spans),
        names[0],
        label,
        metrics,
    )
    return plan, problems


def opaque(train: TrainSpec, model: ModelPlan) -> list[Diagnostic]:
    """A loss that must know whether a user's function ends in logits."""
    if getattr(train.loss.word, "from_logits", False) is not None:
        return []
    return [
        error(
            "TFP254",
            "logits or probabilities? what the model ends in can't be seen",
            train.loss.span,
            "has to know",
            labels=(Label(scores_span(model), "ends in a function of yours"),),
            fix="write `crossentropy(from_logits = true)`, or `false` behind a softmax",
        )
    ]


def scores_span(model: ModelPlan) -> Span:
    """Where the model's scores are made."""
    return model.nodes[-1].span if model.nodes else model.span


def warm_up_too_long(train: TrainSpec) -> list[Diagnostic]:
    """A warm-up that leaves no epoch for the rest of the schedule."""
    rate = train.optimizer.word.learning_rate
    warmup = getattr(rate, "warmup", None)
    if not isinstance(warmup, Epochs) or warmup.number < train.epochs:
        return []
    value = train.optimizer.values["learning_rate"]
    return [
        error(
            "TFP216",
            f"the warm-up of {warmup} is as long as the training",
            value.span,
            f"the training has {Epochs(train.epochs)}",
            why="the learning rate would only rise, and never fall.",
            fix="train for longer, or write a shorter `warmup`",
        )
    ]
