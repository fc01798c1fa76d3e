"""All rules, in the order in which they speak: the most fundamental first."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from tfpc.diagnostics.diagnostic import Diagnostic, Severity
from tfpc.plan.ir import Plan
from tfpc.rules.augment_after_cache import AugmentAfterCache
from tfpc.rules.augmentation_in_validation import AugmentationInValidation
from tfpc.rules.batch_before_shuffle import BatchBeforeShuffle
from tfpc.rules.bias_before_batch_normalization import BiasBeforeBatchNormalization
from tfpc.rules.cache_after_random import CacheAfterRandom
from tfpc.rules.cache_candidate import CacheCandidate
from tfpc.rules.cache_larger_than_ram import CacheLargerThanRam
from tfpc.rules.dataset_not_batched import DatasetNotBatched
from tfpc.rules.embedding_id_out_of_range import EmbeddingIdOutOfRange
from tfpc.rules.empty_after_drop_remainder import EmptyAfterDropRemainder
from tfpc.rules.empty_replica_with_batchnorm import EmptyReplicaWithBatchnorm
from tfpc.rules.expensive_after_cache import ExpensiveAfterCache
from tfpc.rules.global_batch_not_divisible import GlobalBatchNotDivisible
from tfpc.rules.labels_out_of_range import LabelsOutOfRange
from tfpc.rules.learning_rate_too_high import LearningRateTooHigh
from tfpc.rules.metric_does_not_fit_output import MetricDoesNotFitOutput
from tfpc.rules.more_scores_than_classes import MoreScoresThanClasses
from tfpc.rules.no_effective_shuffle import NoEffectiveShuffle
from tfpc.rules.only_one_class import OnlyOneClass
from tfpc.rules.per_step_host_work import PerStepHostWork
from tfpc.rules.raw_logits_without_from_logits import RawLogitsWithoutFromLogits
from tfpc.rules.rule import Rule
from tfpc.rules.shuffle_before_cache import ShuffleBeforeCache
from tfpc.rules.shuffle_buffer_bytes import ShuffleBufferBytes
from tfpc.rules.shuffle_buffer_too_small import ShuffleBufferTooSmall
from tfpc.rules.sigmoid_vs_label_rank import SigmoidVsLabelRank
from tfpc.rules.softmax_and_from_logits import SoftmaxAndFromLogits
from tfpc.rules.softmax_one_unit import SoftmaxOneUnit
from tfpc.rules.softmax_twice import SoftmaxTwice
from tfpc.rules.train_and_eval_differ import TrainAndEvalDiffer
from tfpc.rules.unknown_monitor import UnknownMonitor
from tfpc.rules.val_monitor_without_validation import ValMonitorWithoutValidation
from tfpc.rules.variable_unseen_by_keras import VariableUnseenByKeras
from tfpc.rules.weights_outside_scope import WeightsOutsideScope

RULES: tuple[Rule, ...] = (
    TrainAndEvalDiffer(),
    DatasetNotBatched(),
    EmptyAfterDropRemainder(),
    CacheLargerThanRam(),
    ShuffleBufferBytes(),
    CacheAfterRandom(),
    ShuffleBeforeCache(),
    AugmentationInValidation(),
    SoftmaxTwice(),
    SoftmaxOneUnit(),
    SoftmaxAndFromLogits(),
    RawLogitsWithoutFromLogits(),
    LabelsOutOfRange(),
    OnlyOneClass(),
    MoreScoresThanClasses(),
    SigmoidVsLabelRank(),
    EmbeddingIdOutOfRange(),
    MetricDoesNotFitOutput(),
    UnknownMonitor(),
    ValMonitorWithoutValidation(),
    EmptyReplicaWithBatchnorm(),
    WeightsOutsideScope(),
    VariableUnseenByKeras(),
    GlobalBatchNotDivisible(),
    BatchBeforeShuffle(),
    NoEffectiveShuffle(),
    ShuffleBufferTooSmall(),
    ExpensiveAfterCache(),
    LearningRateTooHigh(),
    PerStepHostWork(),
    AugmentAfterCache(),
    CacheCandidate(),
    BiasBeforeBatchNormalization(),
)


def check_all(
    plan: Plan, asked: Collection[str], severities: Mapping[str, Severity | None]
) -> list[Diagnostic]:
    """What rules have to say, errors first. asked: the slugs of those that speak;
    severities: by slug, where changed.
    """
    found = {
        # A step in `together` becomes several, of which the same would be said.
        identity(problem): weighed(problem, severities.get(rule.slug))
        for rule in RULES
        if rule.slug in asked
        for problem in rule.check(plan)
    }
    return sorted(found.values(), key=lambda problem: -problem.severity)


def identity(problem: Diagnostic) -> tuple[object, ...]:
    """What is the same of two problems that say the same of one place."""
    uses = () if problem.span is None else problem.span.uses
    return problem.code, problem.headline, problem.span, uses


def weighed(problem: Diagnostic, severity: Severity | None) -> Diagnostic:
    """The problem with the severity that it was given, if it was given one."""
    return problem if severity is None else replace(problem, severity=severity)


def find(name: str) -> Rule | None:
    """A rule by its code or slug, or by the slug with `_`."""
    wanted = name.replace("_", "-").lower()
    for rule in RULES:
        if wanted in (rule.slug, rule.code.lower()):
            return rule
    return None


def slug_of(name: str) -> str | None:
    """The slug of a rule that is named by code or slug."""
    rule = find(name)
    return None if rule is None else rule.slug
