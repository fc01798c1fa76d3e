"""Losses and metrics of measured numbers: those of Keras, and never each with each."""

from __future__ import annotations

import numpy as np
import pytest
from pydantic import ValidationError

from tests.evaluate_fragment import evaluate
from tfpc.types.fragment import name
from tfpc.types.tensor import Content, Tensor
from tfpc.vocabulary.registry import words
from tfpc.vocabulary.scores import Scores
from tfpc.vocabulary.word import Mismatch

pytestmark = pytest.mark.tensorflow

BATCH = 64
LOSSES, METRICS = words("loss"), words("metric")
MSE, MAE, HUBER = LOSSES["mse"], LOSSES["mae"], LOSSES["huber"]
REGRESSION = [MSE(), MAE(), HUBER(delta=0.5)]
MEASURED = [METRICS["mae"](), METRICS["root_mean_squared_error"]()]
NUMBER = Tensor("float32", (None,), Content.LABEL)
COUNT = Tensor("int64", (None,), Content.LABEL)
CLASS = Tensor("int64", (None,), Content.LABEL, 0, 4, 5)


def numbers(size: int) -> Tensor:
    """A label of several numbers."""
    return Tensor("float32", (None, size), Content.LABEL)


def outputs(size: int) -> Scores:
    """What a model with that many outputs ends in."""
    return Scores(Tensor("float32", (None, size)), None)


# The label's type and how many outputs the model has.
SHAPES = [(NUMBER, 1), (COUNT, 1), (numbers(1), 1), (numbers(4), 4)]


@pytest.fixture(scope="module")
def scope():
    """What a fragment of a loss or metric finds in the program."""
    import keras
    import tensorflow as tf

    return {"keras": keras, "tf": tf}


def drawn(label: Tensor, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Labels of the type, and outputs float32[batch, size]."""
    random = np.random.default_rng(size)
    shape = (BATCH, *(label.shape or ())[1:])
    labels = random.normal(1, 2, shape).astype(np.float32)
    if label.is_integer:
        labels = random.integers(-3, 9, shape)
    return labels, random.normal(0, 2, (BATCH, size)).astype(np.float32)


def differences(labels, values):
    """float64[batch, size]: each output with its own label."""
    return values.astype(np.float64) - labels.reshape(BATCH, -1)


def stated(loss, labels, values):
    """The loss of each example by the words of its page."""
    off = np.abs(differences(labels, values))
    if loss.word == "mse":
        return (off**2).mean(-1)
    if loss.word == "mae":
        return off.mean(-1)
    line = loss.delta * off - loss.delta**2 / 2
    return np.where(off <= loss.delta, off**2 / 2, line).mean(-1)


@pytest.mark.parametrize("graph", [False, True])
@pytest.mark.parametrize(("label", "size"), SHAPES)
@pytest.mark.parametrize("loss", [*REGRESSION, HUBER()], ids=str)
def test_a_loss_for_each_example(scope, loss, label, size, graph):
    tf = scope["tf"]
    code = loss.code(label, outputs(size), name("label"), name("scores"))

    def compute(labels, values):
        return evaluate(code, {**scope, "label": labels, "scores": values})

    labels, values = drawn(label, size)
    if graph:
        compute = tf.function(compute)
    found = compute(tf.constant(labels), tf.constant(values))
    assert found.shape == (BATCH,)
    assert found.dtype == tf.float32
    np.testing.assert_allclose(found, stated(loss, labels, values), rtol=1e-4)


def test_subtracted_as_they_are_each_would_meet_each(scope):
    """Why the label is made a column first."""
    labels, values = drawn(NUMBER, 1)
    by_itself = scope["tf"].reduce_mean((labels - values) ** 2, -1).numpy()
    assert (labels - values).shape == (BATCH, BATCH)
    assert np.abs(by_itself - stated(MSE(), labels, values)).max() > 1


def test_what_a_huber_leaves_out_is_its_default(scope):
    given = NUMBER, outputs(1), name("label"), name("scores")
    assert not HUBER().code(*given).keywords
    ((keyword, value),) = HUBER(delta=2.0).code(*given).keywords
    assert (keyword, value.value) == ("delta", 2.0)


WEIGHTS = np.r_[np.ones(BATCH - 10), np.zeros(10)].astype(np.float32)


@pytest.mark.parametrize("weights", [None, np.ones(BATCH, np.float32), WEIGHTS])
@pytest.mark.parametrize(("label", "size"), SHAPES)
@pytest.mark.parametrize("metric", MEASURED, ids=lambda metric: metric.word)
def test_a_metric_of_two_updates(scope, metric, label, size, weights):
    tf = scope["tf"]
    in_keras = evaluate(metric.code(label, outputs(size)), scope)
    assert in_keras.name == metric.word
    assert metric.better == "min"
    labels, values = drawn(label, size)
    given = metric.given(label, outputs(size), name("label"), name("scores"))
    for part in (slice(20), slice(20, None)):
        inside = {
            **scope,
            "label": tf.constant(labels[part]),
            "scores": tf.constant(values[part]),
        }
        weight = () if weights is None else (weights[part],)
        in_keras.update_state(*(evaluate(code, inside) for code in given), *weight)
    kept = np.ones(BATCH) if weights is None else weights
    off = np.abs(differences(labels, values)[kept > 0])
    expected = off.mean() if metric.word == "mae" else np.sqrt((off**2).mean())
    assert float(in_keras.result()) == pytest.approx(expected, rel=1e-5)


WORDS = pytest.mark.parametrize(
    "word", [*REGRESSION, *MEASURED], ids=lambda word: f"{word.family}-{word.word}"
)


@WORDS
@pytest.mark.parametrize(("label", "size"), SHAPES)
def test_what_fits(word, label, size):
    assert word.fit(label, outputs(size)) is None


@WORDS
def test_shares_of_classes_are_numbers(word):
    """The squared distance of probabilities from a row of ones and zeros is a score."""
    rows = Tensor("float32", (None, 5), Content.LABEL, 0, 1, 5)
    assert word.fit(rows, Scores(Tensor("float32", (None, 5)), "softmax")) is None


UNFIT = [
    (NUMBER, Scores(Tensor("float32", (None, 4, 4, 1)), None), "one row", "`flatten`"),
    (NUMBER, Scores(Tensor("float32", (None, 4, 1)), None), "one row", "`flatten`"),
    (NUMBER, Scores(Tensor("float32", (None,)), None), "one row", "`dense`"),
    (NUMBER, Scores(Tensor("float32", (None, None)), None), "one row", "`dense`"),
    (NUMBER, Scores(Tensor("float32", None), None), "one row", "`dense`"),
    (NUMBER, outputs(10), "as many outputs", "`dense(1)`"),
    (COUNT, outputs(10), "as many outputs", "`dense(1)`"),
    (numbers(4), outputs(1), "as many outputs", "`dense(4)`"),
    (numbers(1), outputs(4), "as many outputs", "`dense(1)`"),
    (numbers(3), outputs(4), "as many outputs", "`dense(3)`"),
    (Tensor("float32", (None, 4, 4), Content.LABEL), outputs(4), "label", "one size"),
    (Tensor("float32", None, Content.LABEL), outputs(4), "label", "one size"),
    (Tensor("string", (None,), Content.LABEL), outputs(1), "label", "float32"),
    (Tensor("bool", (None,), Content.LABEL), outputs(1), "label", "float32"),
]


@WORDS
@pytest.mark.parametrize(("label", "scores", "headline", "fix"), UNFIT)
def test_what_does_not_fit(word, label, scores, headline, fix):
    mismatch = word.fit(label, scores)
    assert isinstance(mismatch, Mismatch)
    assert f"`{word.word}`" in mismatch.headline
    assert headline in mismatch.headline
    assert fix in mismatch.fix
    assert mismatch.label
    assert mismatch.why.endswith(".")


@WORDS
@pytest.mark.parametrize("size", [1, 5])
def test_a_class_has_no_distance(word, size):
    mismatch = word.fit(CLASS, outputs(size))
    assert "the label is a class" in mismatch.headline
    assert "5 classes" in mismatch.label
    instead = "`loss = crossentropy`" if word.family == "loss" else "`accuracy`"
    assert instead in mismatch.fix
    assert "`classes`" in mismatch.fix


@pytest.mark.parametrize(
    ("word", "instead"),
    [
        (LOSSES["crossentropy"](), "`loss = mse`"),
        (METRICS["accuracy"](), "`mae`"),
        (METRICS["auc"](), "`mae`"),
    ],
)
def test_words_of_classes_name_those_of_numbers(word, instead):
    mismatch = word.fit(NUMBER, outputs(1))
    assert "measured" in mismatch.headline
    assert instead in mismatch.fix


@pytest.mark.parametrize("delta", [0, -1.0, float("inf")])
def test_a_wrong_delta_is_blamed(delta):
    with pytest.raises(ValidationError) as failure:
        HUBER(delta=delta)
    assert {error["loc"] for error in failure.value.errors()} == {("delta",)}
