"""Metrics of measured numbers: how far the model's outputs are from the label."""

from __future__ import annotations

from typing import ClassVar, Literal

from tfpc.types.fragment import Fragment, call
from tfpc.types.tensor import Tensor
from tfpc.vocabulary.metric import Metric
from tfpc.vocabulary.regression import compared, unfit_for_numbers
from tfpc.vocabulary.scores import Scores
from tfpc.vocabulary.word import Mismatch


class RegressionMetric(Metric):
    """A distance between outputs and label, over all numbers of all examples."""

    better: ClassVar[Literal["max", "min"]] = "min"
    keras_name: ClassVar[str]

    def fit(self, label: Tensor, scores: Scores) -> Mismatch | None:
        """Measured numbers, against one output for each."""
        return unfit_for_numbers(label, scores, self.word, "`accuracy`")

    def code(self, label: Tensor, scores: Scores) -> Fragment:
        """Keras's class."""
        return call(f"keras.metrics.{self.keras_name}", name=self.word)

    def given(
        self,
        label: Tensor,
        scores: Scores,
        label_code: Fragment,
        scores_code: Fragment,
    ) -> tuple[Fragment, Fragment]:
        """Both in one shape."""
        return compared(label, label_code, scores_code)


class MeanAbsoluteError(RegressionMetric):
    """The mean of the differences from the label, whatever their sign."""

    word: ClassVar[str] = "mae"
    example: ClassVar[str] = "metrics = [mae]"
    keras_name: ClassVar[str] = "MeanAbsoluteError"


class RootMeanSquaredError(RegressionMetric):
    """The root of the mean squared difference, in the unit of the label."""

    word: ClassVar[str] = "root_mean_squared_error"
    example: ClassVar[str] = "metrics = [root_mean_squared_error]"
    keras_name: ClassVar[str] = "RootMeanSquaredError"
