"""What is measured on every split, besides the loss."""

from __future__ import annotations

from typing import ClassVar, Literal

from tfpc.types.fragment import Fragment, call
from tfpc.types.tensor import Tensor
from tfpc.vocabulary.loss import is_binary, unfit_for_classes
from tfpc.vocabulary.scores import Scores
from tfpc.vocabulary.word import Mismatch, Word


class Metric(Word):
    """A metric. better: whether more (`max`) or less (`min`) of it is better."""

    family: ClassVar[str] = "metric"
    better: ClassVar[Literal["max", "min"]] = "max"

    @property
    def name(self) -> str:
        """What it is called in results: `validation.accuracy`."""
        return self.word

    def fit(self, label: Tensor, scores: Scores) -> Mismatch | None:
        """Why the metric can't be taken of these; shapes have the batch first."""
        raise NotImplementedError

    def code(self, label: Tensor, scores: Scores) -> Fragment:
        """A Keras metric."""
        raise NotImplementedError

    def given(
        self,
        label: Tensor,
        scores: Scores,
        label_code: Fragment,
        scores_code: Fragment,
    ) -> tuple[Fragment, Fragment]:
        """What the metric is updated with: label and scores as Keras takes them."""
        return label_code, scores_code


class Accuracy(Metric):
    """The share of examples whose class has the highest score.

    With one score for two classes: the share on the right side of one half.
    """

    word: ClassVar[str] = "accuracy"
    example: ClassVar[str] = "accuracy"

    def fit(self, label: Tensor, scores: Scores) -> Mismatch | None:
        """Class numbers or shares, against one row of scores."""
        return unfit_for_classes(label, scores, self.word)

    def code(self, label: Tensor, scores: Scores) -> Fragment:
        """Keras's class for the kind of label; logits are cut at zero."""
        if is_binary(scores):
            threshold = 0.5 if scores.are_probabilities else 0.0
            return call(
                "keras.metrics.BinaryAccuracy", name=self.word, threshold=threshold
            )
        kind = "SparseCategorical" if label.is_integer else "Categorical"
        return call(f"keras.metrics.{kind}Accuracy", name=self.word)
