"""`auc`: how well scores put one class before the others."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from tfpc.types.fragment import Fragment, call
from tfpc.types.tensor import Tensor
from tfpc.vocabulary.loss import is_binary, unfit_for_classes
from tfpc.vocabulary.metric import Metric
from tfpc.vocabulary.outcome import class_number, positive, probabilities
from tfpc.vocabulary.scores import Scores
from tfpc.vocabulary.word import Mismatch


class Auc(Metric):
    """The area under a curve over all thresholds: 1.0 is best, 0.5 is chance for `roc`.

    One score: of its class against the other. More scores: of each class against all
    others, and the mean over the classes, each with the same weight. A class that no
    example has counts as 0. Logits are made probabilities first.
    """

    word: ClassVar[str] = "auc"
    example: ClassVar[str] = "auc"
    curve: Literal["roc", "pr"] = Field(
        "roc", description="`pr` is precision over recall, for classes that are rare"
    )
    num_thresholds: Annotated[int, Field(ge=2, le=100_000)] = Field(
        200, description="at how many thresholds the curve is known"
    )

    def fit(self, label: Tensor, scores: Scores) -> Mismatch | None:
        """Class numbers or shares, against one row of scores."""
        return unfit_for_classes(label, scores, self.word)

    def code(self, label: Tensor, scores: Scores) -> Fragment:
        """https://keras.io/api/metrics/classification_metrics/#auc-class"""
        arguments: dict[str, object] = {"name": self.word}
        if self.curve != "roc":
            arguments["curve"] = self.curve.upper()
        if self.num_thresholds != 200:
            arguments["num_thresholds"] = self.num_thresholds
        if not is_binary(scores):
            arguments |= {"multi_label": True, "num_labels": scores.size}
        return call("keras.metrics.AUC", **arguments)

    def given(
        self,
        label: Tensor,
        scores: Scores,
        label_code: Fragment,
        scores_code: Fragment,
    ) -> tuple[Fragment, Fragment]:
        """Outcomes as 0 and 1 for each score, and probabilities."""
        if is_binary(scores):
            outcomes = positive(label, scores, label_code)
        else:
            outcomes = call("tf.one_hot", class_number(label, label_code), scores.size)
        return outcomes, probabilities(scores, scores_code)
