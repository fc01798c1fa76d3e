"""What training makes small."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from tfpc.types.fragment import Fragment, call
from tfpc.types.tensor import Tensor
from tfpc.vocabulary.scores import Scores
from tfpc.vocabulary.word import Mismatch, Word

OUTPUT_DIMENSION = "TFP217"


class Loss(Word):
    """A loss of each example; training takes the mean over the global batch."""

    family: ClassVar[str] = "loss"

    def fit(self, label: Tensor, scores: Scores) -> Mismatch | None:
        """Why the loss can't be taken of these; shapes have the batch first."""
        raise NotImplementedError

    def code(
        self,
        label: Tensor,
        scores: Scores,
        label_code: Fragment,
        scores_code: Fragment,
    ) -> Fragment:
        """float32[batch]: the loss of each example."""
        raise NotImplementedError


def is_binary(scores: Scores) -> bool:
    """Whether one score stands for two classes."""
    return scores.size == 1


def unfit_for_classes(label: Tensor, scores: Scores, word: str) -> Mismatch | None:
    """Why label and scores, both with the batch first, are no classification."""
    return unfit_scores(scores, word) or unfit_label(label, scores, word)


def unfit_scores(scores: Scores, word: str) -> Mismatch | None:
    """Why the model's output is not one row of scores for each example."""
    shape = scores.tensor.shape
    if shape is not None and len(shape) == 2 and shape[-1] is not None:
        return None
    if shape is not None and len(shape) == 4:
        fix = "write `global_average_pooling2d` or `flatten` before the last `dense`"
    elif shape is not None and len(shape) == 3:
        fix = "write `flatten` before the last `dense`"
    else:
        fix = "end the model in `dense` with one unit for each class"
    return Mismatch(
        f"`{word}` needs one row of scores for each example",
        f"the model ends in {scores.tensor}",
        "each score belongs to one class, in the last of two axes: [batch, classes].",
        fix,
    )


def unfit_label(label: Tensor, scores: Scores, word: str) -> Mismatch | None:
    """Why the label is neither a class number nor a share for each class."""
    if label.shape is not None:
        sizes = label.shape[1:]
        if label.is_integer and sizes == ():
            return None
        if label.is_float and sizes == (scores.size,):
            return None
    code = ""
    why = "a label is one class number, int64, or a float32 share for each class."
    if label.dtype == "string":
        headline = f"`{word}` needs numbered classes, the label is text"
        fix = "use a label that is int64, with classes numbered from zero"
    elif label.is_integer:
        headline = f"`{word}` needs one class number for each example"
        fix = "use a label that is int64 without sizes: `label = int64(classes = 10)`"
    elif label.is_float and label.shape is not None and len(label.shape) == 1:
        headline = f"`{word}` needs classes, the label is a measured number"
        instead = "`loss = mse`" if word == "crossentropy" else "`mae`"
        fix = f"write {instead}, or use a label that is int64"
    elif label.is_float:
        headline = f"`{word}` needs as many scores as the label has shares"
        fix = "end the model in `dense` with one unit for each share of the label"
        code = OUTPUT_DIMENSION
    else:
        headline = f"`{word}` can't compare the label with the scores"
        fix = "use a label that is int64: `label = int64(classes = 10)`"
    where = f"the label is {label}, the model ends in {scores.tensor}"
    return Mismatch(headline, where, why, fix, code=code)


class Crossentropy(Loss):
    """Cross-entropy of class scores: binary, sparse or dense, as the label is.

    One score: binary. More scores and a class number: sparse. A share for each class:
    dense. Scores that have gone through no softmax or sigmoid are taken as logits;
    `from_logits` says it, and is then checked.
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
        self,
        label: Tensor,
        scores: Scores,
        label_code: Fragment,
        scores_code: Fragment,
    ) -> Fragment:
        """Keras's function for the kind of label."""
        logits = self.from_logits
        if logits is None:
            logits = not scores.are_probabilities
        if is_binary(scores):
            # Keras takes the mean over the last axis, so scores and labels need one.
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
