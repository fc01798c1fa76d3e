"""Losses and metrics are those of Keras, and refuse what they can't compare."""

from __future__ import annotations

import numpy as np
import pytest

from tests.evaluate_fragment import evaluate
from tfpc.types.fragment import name
from tfpc.types.tensor import Content, Tensor
from tfpc.vocabulary.registry import words
from tfpc.vocabulary.scores import Scores
from tfpc.vocabulary.word import Mismatch

pytestmark = pytest.mark.tensorflow

BATCH = 64
CROSSENTROPY = words("loss")["crossentropy"]
ACCURACY = words("metric")["accuracy"]
NUMBER = Tensor("int64", (None,), Content.LABEL, classes=5)
SHARES = Tensor("float32", (None, 5), Content.LABEL)
ONE_SHARE = Tensor("float32", (None, 1), Content.LABEL)


def scores_of(size: int, activation: str | None) -> Scores:
    """What a model with that many outputs ends in."""
    return Scores(Tensor("float32", (None, size)), activation)


@pytest.fixture(scope="module")
def scope():
    """What a fragment of a loss or metric finds in the program."""
    import keras
    import tensorflow as tf

    return {"keras": keras, "tf": tf}


@pytest.fixture(scope="module")
def logits():
    """float32[batch, 5] whose shares stay above 1e-7, where Keras clips them."""
    return np.random.default_rng(1).normal(0, 2, (BATCH, 5)).astype(np.float32)


@pytest.fixture(scope="module")
def shares():
    """float32[batch, 5] that add up to one."""
    return np.random.default_rng(2).dirichlet(np.ones(5), BATCH).astype(np.float32)


@pytest.fixture(scope="module")
def numbers():
    """int64[batch] in 0..4."""
    return np.random.default_rng(3).integers(0, 5, BATCH)


def softmax(logits):
    """In float64."""
    exponents = np.exp(logits.astype(np.float64))
    return exponents / exponents.sum(-1, keepdims=True)


def sigmoid(logits):
    """In float64."""
    return 1 / (1 + np.exp(-logits.astype(np.float64)))


def losses(loss, label, scores, labels, values, scope, graph=False):
    """The loss of each example, by the word's code."""
    code = loss.code(label, scores, name("label"), name("scores"))
    tf = scope["tf"]

    def compute(labels, values):
        return evaluate(code, {**scope, "label": labels, "scores": values})

    compute = tf.function(compute) if graph else compute
    out = compute(tf.constant(labels), tf.constant(values))
    assert out.shape == (BATCH,)
    assert out.dtype == tf.float32
    return out.numpy()


@pytest.mark.parametrize("graph", [False, True])
@pytest.mark.parametrize("activation", [None, "softmax", "relu", "tanh"])
def test_sparse(scope, logits, numbers, activation, graph):
    values = softmax(logits).astype(np.float32) if activation == "softmax" else logits
    given = NUMBER, scores_of(5, activation), numbers, values, scope, graph
    expected = -np.log(softmax(logits)[np.arange(BATCH), numbers])
    np.testing.assert_allclose(losses(CROSSENTROPY(), *given), expected, rtol=2e-4)


@pytest.mark.parametrize("graph", [False, True])
@pytest.mark.parametrize("activation", [None, "softmax"])
def test_dense(scope, logits, shares, activation, graph):
    values = softmax(logits).astype(np.float32) if activation else logits
    given = SHARES, scores_of(5, activation), shares, values, scope, graph
    expected = -(shares * np.log(softmax(logits))).sum(-1)
    np.testing.assert_allclose(losses(CROSSENTROPY(), *given), expected, rtol=2e-4)


@pytest.mark.parametrize("graph", [False, True])
@pytest.mark.parametrize("activation", [None, "sigmoid"])
@pytest.mark.parametrize("label", [NUMBER, ONE_SHARE])
def test_binary(scope, logits, numbers, shares, activation, label, graph):
    column = logits[:, :1]
    values = sigmoid(column).astype(np.float32) if activation else column
    labels = numbers % 2 if label is NUMBER else shares[:, :1]
    given = label, scores_of(1, activation), labels, values, scope, graph
    truth, share = labels.reshape(-1), sigmoid(column)[:, 0]
    expected = -(truth * np.log(share) + (1 - truth) * np.log(1 - share))
    np.testing.assert_allclose(
        losses(CROSSENTROPY(), *given), expected, rtol=1e-3, atol=1e-5
    )


@pytest.mark.parametrize(
    ("label", "size", "function"),
    [
        (NUMBER, 5, "sparse_categorical_crossentropy"),
        (SHARES, 5, "categorical_crossentropy"),
        (NUMBER, 1, "binary_crossentropy"),
    ],
)
@pytest.mark.parametrize("activation", [None, "softmax", "sigmoid", "relu"])
@pytest.mark.parametrize("said", [None, True, False])
def test_the_call_says_logits_or_probabilities(label, size, function, activation, said):
    """What the spec says counts; without a word, the model's last layer does."""
    scores = scores_of(size, activation)
    code = CROSSENTROPY(from_logits=said).code(label, scores, name("y"), name("s"))
    assert code.function == name(f"keras.losses.{function}")
    ((keyword, value),) = code.keywords
    assert keyword == "from_logits"
    probabilities = activation in ("softmax", "sigmoid")
    assert value.value is (not probabilities if said is None else said)


def measured(label, scores, labels, values, weights, scope):
    """The accuracy of two updates, by the word's code."""
    metric = evaluate(ACCURACY().code(label, scores), scope)
    assert metric.name == "accuracy"
    half = BATCH // 2
    for part in (slice(half), slice(half, None)):
        metric.update_state(labels[part], values[part], weights[part])
    return float(metric.result())


WEIGHTS = np.r_[np.ones(BATCH - 10), np.zeros(10)].astype(np.float32)


@pytest.mark.parametrize("weights", [np.ones(BATCH, np.float32), WEIGHTS])
@pytest.mark.parametrize("activation", [None, "softmax"])
@pytest.mark.parametrize("label", [NUMBER, SHARES])
def test_accuracy(scope, logits, numbers, shares, label, activation, weights):
    values = softmax(logits).astype(np.float32) if activation else logits
    labels = numbers if label is NUMBER else shares
    truth = numbers if label is NUMBER else shares.argmax(-1)
    right = logits.argmax(-1) == truth
    found = measured(label, scores_of(5, activation), labels, values, weights, scope)
    assert found == pytest.approx((right * weights).sum() / weights.sum(), abs=1e-6)


@pytest.mark.parametrize("weights", [np.ones(BATCH, np.float32), WEIGHTS])
@pytest.mark.parametrize("activation", [None, "sigmoid"])
def test_binary_accuracy(scope, logits, numbers, activation, weights):
    column = logits[:, :1]
    values = sigmoid(column).astype(np.float32) if activation else column
    labels = numbers % 2
    right = (column[:, 0] > 0) == (labels == 1)
    found = measured(NUMBER, scores_of(1, activation), labels, values, weights, scope)
    assert found == pytest.approx((right * weights).sum() / weights.sum(), abs=1e-6)
    # Cut at one half instead of zero, logits would be counted otherwise.
    assert ((column > 0) != (column > 0.5)).any()


FIT = [
    (NUMBER, scores_of(5, None)),
    (NUMBER, scores_of(3, "softmax")),
    (NUMBER, scores_of(1, "sigmoid")),
    (Tensor("uint8", (None,), Content.LABEL), scores_of(5, None)),
    (SHARES, scores_of(5, None)),
    (ONE_SHARE, scores_of(1, None)),
]
UNFIT = [
    (NUMBER, Scores(Tensor("float32", (None, 4, 4, 5)), None), "global_average_pool"),
    (NUMBER, Scores(Tensor("float32", (None, 4, 5)), None), "`flatten`"),
    (NUMBER, Scores(Tensor("float32", (None,)), None), "`dense`"),
    (NUMBER, Scores(Tensor("float32", None), None), "`dense`"),
    (NUMBER, Scores(Tensor("float32", (None, None)), None), "`dense`"),
    (Tensor("string", (None,), Content.LABEL), scores_of(5, None), "int64"),
    (Tensor("float32", (None,), Content.LABEL), scores_of(5, None), "int64"),
    (Tensor("float32", (None,), Content.LABEL), scores_of(1, None), "int64"),
    (Tensor("float32", (None, 4), Content.LABEL), scores_of(5, None), "`dense`"),
    (Tensor("int64", (None, 5), Content.LABEL), scores_of(5, None), "int64"),
    (Tensor("int64", None, Content.LABEL), scores_of(5, None), "int64"),
    (Tensor("bool", (None,), Content.LABEL), scores_of(5, None), "int64"),
]


@pytest.mark.parametrize("word", [CROSSENTROPY(), ACCURACY()], ids=lambda w: w.word)
@pytest.mark.parametrize(("label", "scores"), FIT)
def test_what_fits(word, label, scores):
    assert word.fit(label, scores) is None


@pytest.mark.parametrize("word", [CROSSENTROPY(), ACCURACY()], ids=lambda w: w.word)
@pytest.mark.parametrize(("label", "scores", "fix"), UNFIT)
def test_what_does_not_fit(word, label, scores, fix):
    mismatch = word.fit(label, scores)
    assert isinstance(mismatch, Mismatch)
    assert f"`{word.word}`" in mismatch.headline
    assert fix in mismatch.fix
    assert mismatch.label
    assert mismatch.why.endswith(".")
