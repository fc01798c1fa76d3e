"""Class labels as outcomes and scores as probabilities, for metrics that count both."""

from __future__ import annotations

from tfpc.types.fragment import Fragment, call
from tfpc.types.tensor import Tensor
from tfpc.vocabulary.loss import is_binary
from tfpc.vocabulary.scores import Scores


def probabilities(scores: Scores, scores_code: Fragment) -> Fragment:
    """The scores as probabilities, float32[batch, scores]."""
    if scores.are_probabilities:
        return scores_code
    return call("tf.sigmoid" if is_binary(scores) else "tf.nn.softmax", scores_code)


def class_number(label: Tensor, label_code: Fragment) -> Fragment:
    """int[batch]: the class, that with the largest share where there are shares."""
    if label.is_integer:
        return label_code
    return call("tf.argmax", label_code, axis=-1)


def positive(label: Tensor, scores: Scores, label_code: Fragment) -> Fragment:
    """[batch, 1]: 1 where the second of two classes is right, 0 where the first is."""
    if label.is_float and is_binary(scores):
        return call("tf.round", label_code)
    return call("tf.reshape", class_number(label, label_code), [-1, 1])
