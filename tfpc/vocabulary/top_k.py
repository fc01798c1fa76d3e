"""`top_k`: whether the right class is among the best."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from tfpc.types.fragment import Fragment, call
from tfpc.types.tensor import Tensor
from tfpc.vocabulary.loss import unfit_for_classes
from tfpc.vocabulary.metric import Metric
from tfpc.vocabulary.scores import Scores
from tfpc.vocabulary.window import Count
from tfpc.vocabulary.word import Mismatch


class TopK(Metric):
    """The share of examples whose class is among the `k` with the highest scores."""

    word: ClassVar[str] = "top_k"
    example: ClassVar[str] = "top_k(k = 5)"
    positional: ClassVar[tuple[str, ...]] = ("k",)
    k: Count = Field(5, description="how many classes count as right, at most")

    def fit(self, label: Tensor, scores: Scores) -> Mismatch | None:
        """Class numbers or shares, against more than `k` scores."""
        unfit = unfit_for_classes(label, scores, self.word)
        if unfit is not None or scores.size is None or self.k < scores.size:
            return unfit
        if scores.size < 3:
            return Mismatch(
                "`top_k` needs more than two classes",
                f"the model ends in {scores.tensor}",
                "with two classes there is only one best.",
                "use `accuracy`",
            )
        return Mismatch(
            f"the best {self.k} of {scores.size} classes are all of them",
            f"the model ends in {scores.tensor}",
            "the right class is always among all, so the metric would be 1.",
            f"write a `k` below {scores.size}: `top_k(k = {min(5, scores.size - 1)})`",
            argument="k",
        )

    def code(self, label: Tensor, scores: Scores) -> Fragment:
        """Keras's class for the kind of label."""
        kind = "SparseTopK" if label.is_integer else "TopK"
        function = f"keras.metrics.{kind}CategoricalAccuracy"
        return call(function, k=self.k, name=self.word)
