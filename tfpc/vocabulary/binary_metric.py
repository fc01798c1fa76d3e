"""Metrics of one class against another, at one threshold."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from tfpc.types.fragment import Fragment, call
from tfpc.types.tensor import Tensor
from tfpc.vocabulary.loss import is_binary, unfit_for_classes
from tfpc.vocabulary.metric import Metric
from tfpc.vocabulary.outcome import positive, probabilities
from tfpc.vocabulary.scores import Scores
from tfpc.vocabulary.word import Mismatch


class BinaryMetric(Metric):
    """A metric of class 1 against class 0, with one score or two."""

    keras_name: ClassVar[str]
    thresholds: Annotated[float, Field(gt=0, lt=1)] = Field(
        0.5, description="the probability above which an example is taken for class 1"
    )

    def fit(self, label: Tensor, scores: Scores) -> Mismatch | None:
        """Two classes."""
        unfit = unfit_for_classes(label, scores, self.word)
        if unfit is not None or scores.size in (1, 2):
            return unfit
        return Mismatch(
            f"`{self.word}` is of one class against another, "
            f"the model gives {scores.size} scores",
            f"the model ends in {scores.tensor}",
            "an example is either of class 1 or not.",
            "use `accuracy`, or `auc`, which takes each class against all others",
        )

    def code(self, label: Tensor, scores: Scores) -> Fragment:
        """https://keras.io/api/metrics/classification_metrics/"""
        arguments: dict[str, object] = {"name": self.word}
        if self.thresholds != 0.5:
            arguments["thresholds"] = self.thresholds
        return call(f"keras.metrics.{self.keras_name}", **arguments)

    def given(
        self,
        label: Tensor,
        scores: Scores,
        label_code: Fragment,
        scores_code: Fragment,
    ) -> tuple[Fragment, Fragment]:
        """Outcome and probability of class 1, both [batch, 1]."""
        likely = probabilities(scores, scores_code)
        if not is_binary(scores):
            likely = call("tf.gather", likely, [1], axis=-1)
        return positive(label, scores, label_code), likely


class Precision(BinaryMetric):
    """Of the examples taken for class 1, the share that is of class 1."""

    word: ClassVar[str] = "precision"
    example: ClassVar[str] = "precision"
    keras_name: ClassVar[str] = "Precision"


class Recall(BinaryMetric):
    """Of the examples of class 1, the share that is taken for class 1."""

    word: ClassVar[str] = "recall"
    example: ClassVar[str] = "recall"
    keras_name: ClassVar[str] = "Recall"
