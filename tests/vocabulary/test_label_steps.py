"""Types, ranges and values of steps on labels are what TensorFlow gives."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.evaluate_fragment import evaluate
from tfpc.types.element import Element
from tfpc.types.fragment import name
from tfpc.types.tensor import Content, Tensor
from tfpc.vocabulary.registry import words
from tfpc.vocabulary.word import Mismatch

pytestmark = pytest.mark.tensorflow

STEPS = words("step")
LABEL = Tensor("int64", (), Content.LABEL)
KNOWN = replace(LABEL, low=0, high=9, classes=10)
IMAGE = Tensor("uint8", (8, 8, 3), Content.IMAGE, 0, 255)
BATCH = 4


def run(step, tensor, labels):
    """The step in a graph: the static type that TensorFlow finds, and the values."""
    import tensorflow as tf

    from tfpc.program.records import checked_label

    scope = {"tf": tf, "checked_label": checked_label}

    @tf.function(input_signature=[tf.TensorSpec(labels.shape, tensor.dtype)])
    def graph(label):
        code = step.code(name("label"), tensor, 0)
        return evaluate(code, {**scope, "label": label})

    return graph.get_concrete_function().structured_outputs, graph(labels).numpy()


def compared(step, tensor, labels):
    """Types and ranges of one label and of a batch; the values of the batch."""
    after = step.transfer_tensor(tensor)
    assert isinstance(after, Tensor)
    assert after.content is Content.LABEL
    for given, wanted in ((labels[0], after), (labels, after.batched(len(labels)))):
        static, out = run(step, tensor, given)
        assert tuple(static.shape) == wanted.shape == out.shape
        assert static.dtype.name == wanted.dtype == out.dtype.name
        assert wanted.low is None or out.min() >= wanted.low
        assert wanted.high is None or out.max() <= wanted.high
    np.testing.assert_array_equal(run(step, tensor, labels[0])[1], out[0])
    return out


@pytest.mark.parametrize("tensor", [LABEL, KNOWN])
@pytest.mark.parametrize("classes", [10, 12])
def test_one_hot(tensor, classes):
    labels = np.array([0, 9, 3, 3])
    out = compared(STEPS["one_hot"](classes=classes), tensor, labels)
    np.testing.assert_array_equal(out, np.eye(classes, dtype=np.float32)[labels])


def test_one_hot_takes_the_classes_that_are_known():
    out = compared(STEPS["one_hot"](), KNOWN, np.array([0, 9, 3, 3]))
    assert out.shape == (BATCH, 10)
    assert isinstance(STEPS["one_hot"]().transfer_tensor(LABEL), Mismatch)


@pytest.mark.parametrize("wrong", [-1, 10])
def test_a_label_without_a_place_stops_the_run(wrong):
    import tensorflow as tf

    step = STEPS["one_hot"](classes=10)
    with pytest.raises(tf.errors.InvalidArgumentError, match="is not in 0"):
        run(step, LABEL, np.array([0, wrong]))
    # TensorFlow by itself says nothing.
    assert not tf.one_hot(wrong, 10).numpy().any()


@pytest.mark.parametrize("n", [-1, 0, 5])
def test_offset(n):
    labels = np.array([1, 9, 3, 3])
    step = STEPS["offset"](component="label", n=n)
    np.testing.assert_array_equal(compared(step, LABEL, labels), labels + n)


def test_offset_moves_the_range():
    step = STEPS["offset"](component="label", n=5)
    after = step.transfer_tensor(KNOWN)
    assert (after.low, after.high, after.classes) == (5, 14, 15)
    compared(step, KNOWN, np.array([0, 9, 3, 3]))
    below = STEPS["offset"](component="label", n=-1).transfer_tensor(KNOWN)
    assert isinstance(below, Mismatch)


def test_labels_that_count_from_one():
    """`offset`, then `one_hot`: the place of class 1 is the first one."""
    first = STEPS["offset"](component="label", n=-1)
    moved = first.transfer_tensor(LABEL)
    labels = compared(first, LABEL, np.array([1, 10, 4, 4]))
    out = compared(STEPS["one_hot"](classes=10), moved, labels)
    np.testing.assert_array_equal(out.argmax(-1), [0, 9, 3, 3])


def test_which_component():
    one = Element((("image", IMAGE), ("label", KNOWN)))
    other = Element((("image", IMAGE), ("kind", LABEL), ("label", KNOWN)))
    assert STEPS["one_hot"]().target(one) == "label"
    assert isinstance(STEPS["one_hot"]().target(other), Mismatch)
    assert STEPS["one_hot"](component="kind").target(other) == "kind"
    after = STEPS["one_hot"](component="kind", classes=3).transfer(other)
    assert str(after["kind"]) == "float32[3]"
    assert after["label"] == KNOWN
    missing = STEPS["one_hot"](component="lable").target(one)
    assert isinstance(missing, Mismatch)
    assert "`label`" in missing.fix
    assert isinstance(STEPS["one_hot"]().target(Element((("image", IMAGE),))), Mismatch)


NOT_A_CLASS = [
    Tensor("float32", (), Content.LABEL),
    Tensor("float32", (10,), Content.LABEL),
    Tensor("string", (), Content.LABEL),
    Tensor("int64", (3,), Content.LABEL),
    IMAGE,
]


@pytest.mark.parametrize("tensor", NOT_A_CLASS, ids=str)
@pytest.mark.parametrize(
    "step", [STEPS["one_hot"](classes=10), STEPS["offset"](component="label", n=1)]
)
def test_what_is_no_class_number(step, tensor):
    mismatch = step.transfer_tensor(tensor)
    assert isinstance(mismatch, Mismatch)
    assert f"`{step.word}`" in mismatch.headline
    assert str(tensor) in mismatch.label
    assert mismatch.why.endswith(".")
    assert mismatch.fix
