"""What training makes small."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from tfpc.types.fragment import Fragment, Name, call
from tfpc.types.tensor import Tensor
from tfpc.vocabulary.scores import Scores
from tfpc.vocabulary.word import Mismatch, Word


class Loss(Word):
    """A loss of each example; training takes the mean over the global batch."""

    family: ClassVar[str] = "loss"

    def fit(self, label: Tensor, scores: Scores) -> Mismatch | None:
        """Why the loss can't be taken of these; shapes have the batch first."""
        raise NotImplementedError

    def code(
        self, label: Tensor, scores: Scores, label_code: Name, scores_code: Name
    ) -> Fragment:
        """float32[batch]: the loss of each example."""
        raise NotImplementedError


def is_binary(label: Tensor, scores: Scores) -> bool:
    """Whether one score stands for two classes."""
    return scores.size == 1 and label.is_integer


def unfit_for_classes(label: Tensor, scores: Scores, word: str) -> Mismatch | None:
    """Why label and scores are no classification."""
    if scores.tensor.shape is None or len(scores.tensor.shape) != 2:
        return Mismatch(
            f"`{word}` needs one row of scores for each example",
            f"the model ends in {scores.tensor}",
            fix="end the model in `global_average_pooling2d` or `flatten`, then `dense`",
        )
    if label.dtype == "string":
        return Mismatch(
            f"`{word}` needs numbered classes, the label is {label}",
            fix="use a label that is int64, with classes from zero",
        )
    size = scores.size
    if label.is_integer and label.shape is not None and len(label.shape) == 1:
        return None
    if label.is_float and label.shape is not None and label.shape[1:] == (size,):
        return None
    return Mismatch(
        f"`{word}` can't compare the label with the scores",
        f"the label is {label}, the model ends in {scores.tensor}",
        "a label is one class number, int64, or one share for each class.",
        "use a label that is int64",
    )


class Crossentropy(Loss):
    """Cross-entropy of class scores: binary, sparse or dense, as the label is.

    One score and a class number: binary. More scores and a class number: sparse. A
    share for each class: dense. Scores that have gone through no softmax or sigmoid
    are taken as logits; `from_logits` says it, and is then checked.
    """

    word: ClassVar[str] = "crossentropy"
    example: ClassVar[str] = "crossentropy"
    from_logits: bool | None = Field(
        None, description="an assertion: whether the scores are logits"
    )

    def fit(self, label: Tensor, scores: Scores) -> Mismatch | None:
        """Class numbers or shares, against one row of scores."""
        return unfit_for_classes(label, scores, self.word)

    def code(
        self, label: Tensor, scores: Scores, label_code: Name, scores_code: Name
    ) -> Fragment:
        """Keras's function for the kind of label."""
        logits = not scores.are_probabilities
        if is_binary(label, scores):
            column = call("tf.reshape", label_code, [-1, 1])
            return call(
                "keras.losses.binary_crossentropy",
                column,
                scores_code,
                from_logits=logits,
            )
        kind = "sparse_categorical" if label.is_integer else "categorical"
        return call(
            f"keras.losses.{kind}_crossentropy",
            label_code,
            scores_code,
            from_logits=logits,
        )
