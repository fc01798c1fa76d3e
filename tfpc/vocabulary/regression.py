"""Losses of measured numbers: how far the model's outputs are from the label."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from tfpc.types.fragment import Fragment, Name, call
from tfpc.types.tensor import Tensor
from tfpc.vocabulary.loss import OUTPUT_DIMENSION, Loss
from tfpc.vocabulary.scores import Scores
from tfpc.vocabulary.word import Mismatch


def unfit_for_numbers(
    label: Tensor, scores: Scores, word: str, instead: str
) -> Mismatch | None:
    """Why label and outputs, both with the batch first, can't be subtracted.

    instead: what to write where the label is a class.
    """
    return (
        unfit_outputs(scores, word)
        or unfit_kind(label, word, instead)
        or unfit_size(label, scores, word)
    )


def unfit_outputs(scores: Scores, word: str) -> Mismatch | None:
    """Why the model's output is not one row of numbers for each example."""
    shape = scores.tensor.shape
    if shape is not None and len(shape) == 2 and shape[-1] is not None:
        return None
    fix = "end the model in `dense` with one unit for each number of the label"
    if shape is not None and len(shape) > 2:
        fix = "write `flatten` before the last `dense`"
    return Mismatch(
        f"`{word}` needs one row of numbers for each example",
        f"the model ends in {scores.tensor}",
        "each output is compared with one number of the label.",
        fix,
    )


def unfit_kind(label: Tensor, word: str, instead: str) -> Mismatch | None:
    """Why the label is not measured."""
    if label.is_integer and label.classes is not None:
        return Mismatch(
            f"`{word}` compares measured numbers, the label is a class",
            f"the label is {label}, one of {label.classes} classes",
            "the number of a class is a name: class 4 is not twice class 2.",
            f"write {instead}; or leave `classes` out of the schema, if the label is "
            "measured",
        )
    if label.is_integer or label.is_float:
        return None
    return Mismatch(
        f"`{word}` needs a label of numbers",
        f"the label is {label}",
        "outputs and label are subtracted.",
        "use a label that is float32: `label = float32`",
    )


def unfit_size(label: Tensor, scores: Scores, word: str) -> Mismatch | None:
    """Why there is not one output for each number of the label."""
    sizes = None if label.shape is None else label.shape[1:]
    if sizes in ((scores.size,), ()) and (sizes or scores.size == 1):
        return None
    numbers = 1 if sizes == () else sizes[0] if sizes and len(sizes) == 1 else None
    where = f"the label is {label}, the model ends in {scores.tensor}"
    if numbers is None:
        return Mismatch(
            f"`{word}` needs one row of numbers as the label",
            where,
            "each output is compared with one number of the label.",
            "use a label with one size, `label = float32[4]`, or with none",
        )
    return Mismatch(
        f"`{word}` needs as many outputs as the label has numbers",
        where,
        "each output is compared with one number of the label.",
        f"end the model in `dense({numbers})`",
        code=OUTPUT_DIMENSION,
    )


def compared(
    label: Tensor, label_code: Fragment, scores_code: Fragment
) -> tuple[Fragment, Fragment]:
    """Label and outputs in one shape, [batch, numbers], in float32.

    TensorFlow would subtract a label [batch] from outputs [batch, 1] each from each.
    """
    if not label.is_float:
        label_code = call("tf.cast", label_code, Name("tf.float32"))
    if label.shape is not None and len(label.shape) == 1:
        label_code = call("tf.reshape", label_code, [-1, 1])
    return label_code, scores_code


class RegressionLoss(Loss):
    """A distance between outputs and label, the mean over the numbers of an example."""

    keras_name: ClassVar[str]

    def fit(self, label: Tensor, scores: Scores) -> Mismatch | None:
        """Measured numbers, against one output for each."""
        return unfit_for_numbers(label, scores, self.word, "`loss = crossentropy`")

    def code(
        self,
        label: Tensor,
        scores: Scores,
        label_code: Fragment,
        scores_code: Fragment,
    ) -> Fragment:
        """Keras's function; arguments that have Keras's own default are left out."""
        given = {
            name: getattr(self, name)
            for name, info in type(self).model_fields.items()
            if getattr(self, name) != info.default
        }
        both = compared(label, label_code, scores_code)
        return call(f"keras.losses.{self.keras_name}", *both, **given)


class Mse(RegressionLoss):
    """The mean of the squared differences from the label."""

    word: ClassVar[str] = "mse"
    example: ClassVar[str] = "loss = mse"
    keras_name: ClassVar[str] = "mean_squared_error"


class Mae(RegressionLoss):
    """The mean of the differences from the label, whatever their sign."""

    word: ClassVar[str] = "mae"
    example: ClassVar[str] = "loss = mae"
    keras_name: ClassVar[str] = "mean_absolute_error"


class Huber(RegressionLoss):
    """Half of `mse` for differences up to `delta`, a straight line above.

    So a few labels that are far off weigh less (Huber, 1964).
    """

    word: ClassVar[str] = "huber"
    example: ClassVar[str] = "loss = huber(delta = 2.0)"
    keras_name: ClassVar[str] = "huber"
    delta: Annotated[float, Field(gt=0, allow_inf_nan=False)] = Field(
        1.0, description="from which difference on it is a line"
    )
