"""`features`: the columns of the pipeline as one row, the model's only input."""

from __future__ import annotations

from dataclasses import dataclass

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Label
from tfpc.diagnostics.span import Span
from tfpc.diagnostics.suggestion import did_you_mean
from tfpc.plan.ir import Chain, FeaturePlan
from tfpc.plan.mismatches import report
from tfpc.spec.model import Placed
from tfpc.types.tensor import Content, Dimension, Tensor
from tfpc.vocabulary.encoder import Encoder


@dataclass(frozen=True, slots=True)
class Encoded:
    """input: what carries the columns to the model; output: what encoders make of it."""

    features: tuple[FeaturePlan, ...]
    input: Tensor
    output: Tensor


def lower_features(
    body: tuple[Placed[Encoder], ...], chain: Chain, pipeline_span: Span
) -> Encoded | list[Diagnostic]:
    """The columns with their encoders, or what is wrong with them."""
    problems: list[Diagnostic] = []
    features: list[FeaturePlan] = []
    for placed in body:
        column = placed.alias or ""
        problem = wrong_column(column, placed, chain, pipeline_span)
        if problem is not None:
            problems.append(problem)
            continue
        tensor = chain.result[column]
        mismatch = placed.word.unfit(column, tensor)
        if mismatch is not None:
            cause = (Label(pipeline_span, f"ends in {chain.result}"),)
            spans = placed.argument_spans
            problems.append(report("TFP212", mismatch, placed.span, spans, cause))
            continue
        features.append(FeaturePlan(column, placed.word, placed.span, tensor))
    if problems:
        return problems
    carried = sum(each.encoder.carried(each.tensor) for each in features)
    widths = [each.encoder.width(each.tensor) for each in features]
    known = [width for width in widths if width is not None]
    width: Dimension = sum(known) if len(known) == len(widths) else None
    content = Content.FEATURES
    return Encoded(
        tuple(features),
        Tensor("float32", (None, carried)),
        Tensor("float32", (None, width), content),
    )


def wrong_column(
    column: str, placed: Placed[Encoder], chain: Chain, pipeline_span: Span
) -> Diagnostic | None:
    """A column that is not there, is the label, or is not what the data has."""
    span = placed.argument_spans["column"]
    ends = (Label(pipeline_span, f"ends in {chain.result}"),)
    labels = chain.result.of_content(Content.LABEL)
    if column not in chain.result.names:
        others = [each for each in chain.result.names if each not in labels]
        return error(
            "TFP212",
            f"there is no column `{column}`",
            span,
            labels=ends,
            fix=did_you_mean(column, others) or "name one of the pipeline's components",
        )
    if column in labels:
        return error(
            "TFP212",
            f"`{column}` is the label",
            span,
            labels=ends,
            why="a model that is given what it is to find learns nothing else.",
            fix=f"remove `{column}` from `features`",
        )
    changed = [node for node in chain.nodes if node.target == column]
    if changed:
        return error(
            "TFP212",
            f"`features` takes `{column}` as the data has it",
            span,
            labels=(Label(changed[0].span, f"changes `{column}`"),),
            why="what an encoder must know is learnt from the data itself.",
            fix=f"remove `{changed[0].step.word}`",
        )
    return None
