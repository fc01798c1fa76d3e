"""Metrics of classes beside those counted by hand, with weights and in two updates."""

from __future__ import annotations

import numpy as np
import pytest
from pydantic import ValidationError

from tests.evaluate_fragment import evaluate
from tfpc.types.fragment import name
from tfpc.types.tensor import Content, Tensor
from tfpc.vocabulary.registry import words
from tfpc.vocabulary.scores import Scores

pytestmark = pytest.mark.tensorflow

BATCH = 400
METRICS = words("metric")
AUC, TOP_K = METRICS["auc"], METRICS["top_k"]
PRECISION, RECALL = METRICS["precision"], METRICS["recall"]
NUMBER = Tensor("int64", (None,), Content.LABEL)
WEIGHTS = np.r_[np.ones(BATCH - 90), np.zeros(90)].astype(np.float32)
weighted = pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["all", "fillers"])


def rows(size: int) -> Tensor:
    """A label of shares."""
    return Tensor("float32", (None, size), Content.LABEL, 0, 1, size)


def scores_of(size: int, activation: str | None) -> Scores:
    """What a model with that many outputs ends in."""
    return Scores(Tensor("float32", (None, size)), activation)


@pytest.fixture(scope="module")
def scope():
    """What a fragment of a metric finds in the program."""
    import keras
    import tensorflow as tf

    return {"keras": keras, "tf": tf}


def softmax(logits):
    """Shares, in float64."""
    exponents = np.exp(logits.astype(np.float64))
    return exponents / exponents.sum(-1, keepdims=True)


def sigmoid(logits):
    """In float64."""
    return 1 / (1 + np.exp(-logits.astype(np.float64)))


def drawn(classes: int, size: int):
    """Class numbers, and logits that tell something about them."""
    random = np.random.default_rng(classes)
    numbers = random.integers(0, classes, BATCH)
    logits = random.normal(0, 1.5, (BATCH, size))
    if size == 1:
        logits[:, 0] += 2 * numbers - 1
    else:
        logits[np.arange(BATCH), numbers] += 1.5
    return numbers, logits.astype(np.float32)


def labels_of(label: Tensor, numbers):
    """The class numbers as the label has them."""
    if label.is_integer:
        return numbers
    size = label.shape[-1]
    if size == 1:
        return numbers.reshape(-1, 1).astype(np.float32)
    return np.eye(size, dtype=np.float32)[numbers]


def measured(metric, label, scores, labels, values, weights, scope):
    """The metric after two updates in a graph, by the word's code."""
    tf = scope["tf"]
    in_keras = evaluate(metric.code(label, scores), scope)
    assert in_keras.name == metric.word
    given = metric.given(label, scores, name("label"), name("scores"))
    weights = np.ones(BATCH, np.float32) if weights is None else weights

    @tf.function
    def update(labels, values, weight):
        inside = {**scope, "label": labels, "scores": values}
        in_keras.update_state(*(evaluate(code, inside) for code in given), weight)

    for part in (slice(150), slice(150, None)):
        update(*map(tf.constant, (labels[part], values[part], weights[part])))
    assert in_keras.result().shape == ()
    return float(in_keras.result())


def area(truth, likely, weights):
    """The share of pairs in which the positive one is before, which `roc` is."""
    kept = weights > 0
    high, low = likely[kept & truth], likely[kept & ~truth]
    ties = (high[:, None] == low[None]).mean() / 2
    return (high[:, None] > low[None]).mean() + ties


@weighted
@pytest.mark.parametrize("activation", [None, "sigmoid", "softmax"])
@pytest.mark.parametrize(
    ("label", "classes", "size"),
    [
        (NUMBER, 2, 1),
        (rows(1), 2, 1),
        (NUMBER, 2, 2),
        (rows(2), 2, 2),
        (NUMBER, 5, 5),
        (rows(5), 5, 5),
    ],
)
def test_auc(scope, label, classes, size, activation, weights):
    numbers, logits = drawn(classes, size)
    chances = sigmoid(logits) if size == 1 else softmax(logits)
    values = chances.astype(np.float32) if activation else logits
    given = label, scores_of(size, activation), labels_of(label, numbers), values
    found = measured(AUC(num_thresholds=2000), *given, weights, scope)
    counted = np.ones(BATCH) if weights is None else weights
    positives = [1] if size == 1 else range(classes)
    expected = np.mean(
        [
            area(numbers == each, chances[:, 0 if size == 1 else each], counted)
            for each in positives
        ]
    )
    assert found == pytest.approx(expected, abs=2e-3)
    assert 0.6 < expected < 0.99


def test_auc_takes_the_class_of_the_largest_share(scope):
    """Keras by itself would take every share above zero for a yes."""
    numbers, logits = drawn(5, 5)
    soft = labels_of(rows(5), numbers) * 0.9 + 0.02
    both = [
        measured(AUC(), rows(5), scores_of(5, None), labels, logits, None, scope)
        for labels in (soft.astype(np.float32), labels_of(rows(5), numbers))
    ]
    assert both[0] == both[1]


def test_auc_of_precision_over_recall(scope):
    numbers, logits = drawn(2, 1)
    given = NUMBER, scores_of(1, None), numbers, logits, None, scope
    found = measured(AUC(curve="pr", num_thresholds=5000), *given)
    order = np.argsort(-logits[:, 0])
    hits = np.cumsum(numbers[order])
    precision = hits / np.arange(1, BATCH + 1)
    assert found == pytest.approx(precision[numbers[order] == 1].mean(), abs=5e-3)
    assert found != pytest.approx(measured(AUC(), *given), abs=5e-3)


def test_the_call_of_auc_says_what_is_not_keras_default():
    binary = AUC().code(NUMBER, scores_of(1, None))
    assert dict(binary.keywords).keys() == {"name"}
    many = AUC(curve="pr", num_thresholds=50).code(NUMBER, scores_of(5, None))
    assert {key: value.value for key, value in many.keywords} == {
        "name": "auc",
        "curve": "PR",
        "num_thresholds": 50,
        "multi_label": True,
        "num_labels": 5,
    }


@weighted
@pytest.mark.parametrize("thresholds", [0.5, 0.8])
@pytest.mark.parametrize("activation", [None, "sigmoid"])
@pytest.mark.parametrize(
    ("label", "size"), [(NUMBER, 1), (rows(1), 1), (NUMBER, 2), (rows(2), 2)]
)
@pytest.mark.parametrize("cls", [PRECISION, RECALL])
def test_precision_and_recall(scope, cls, label, size, activation, thresholds, weights):
    numbers, logits = drawn(2, size)
    chances = sigmoid(logits) if size == 1 else softmax(logits)
    values = chances.astype(np.float32) if activation else logits
    given = label, scores_of(size, activation), labels_of(label, numbers), values
    found = measured(cls(thresholds=thresholds), *given, weights, scope)
    kept = np.ones(BATCH, bool) if weights is None else weights > 0
    truth, taken = (numbers == 1)[kept], (chances[:, -1] > thresholds)[kept]
    among = taken if cls is PRECISION else truth
    assert found == pytest.approx((truth & taken).sum() / among.sum(), abs=1e-6)


@weighted
@pytest.mark.parametrize("activation", [None, "softmax"])
@pytest.mark.parametrize("k", [1, 3, 4])
@pytest.mark.parametrize("label", [NUMBER, rows(5)])
def test_top_k(scope, label, k, activation, weights):
    numbers, logits = drawn(5, 5)
    values = softmax(logits).astype(np.float32) if activation else logits
    given = label, scores_of(5, activation), labels_of(label, numbers), values
    found = measured(TOP_K(k=k), *given, weights, scope)
    best = np.argsort(-logits, -1)[:, :k]
    counted = np.ones(BATCH) if weights is None else weights
    right = (best == numbers[:, None]).any(-1)
    assert found == pytest.approx((right * counted).sum() / counted.sum(), abs=1e-6)
    assert found < 1


ALL = [AUC(), PRECISION(), RECALL(), TOP_K(k=1)]
by_word = pytest.mark.parametrize("metric", ALL, ids=lambda metric: metric.word)


@by_word
@pytest.mark.parametrize(
    ("label", "scores", "fix"),
    [
        (NUMBER, Scores(Tensor("float32", (None, 4, 4, 5)), None), "`flatten`"),
        (Tensor("string", (None,), Content.LABEL), scores_of(5, None), "int64"),
        (Tensor("float32", (None,), Content.LABEL), scores_of(1, None), "`mae`"),
        (rows(4), scores_of(5, None), "`dense`"),
    ],
)
def test_what_is_no_classification_does_not_fit(metric, label, scores, fix):
    mismatch = metric.fit(label, scores)
    assert f"`{metric.word}`" in mismatch.headline
    assert fix in mismatch.fix


@pytest.mark.parametrize(
    ("metric", "size", "fits"),
    [
        (AUC(), 1, True),
        (AUC(), 7, True),
        (PRECISION(), 1, True),
        (RECALL(), 2, True),
        (PRECISION(), 3, False),
        (RECALL(), 10, False),
        (TOP_K(), 6, True),
        (TOP_K(), 5, False),
        (TOP_K(k=2), 3, True),
        (TOP_K(k=1), 2, True),
        (TOP_K(k=1), 1, False),
    ],
)
def test_how_many_scores_fit(metric, size, fits):
    assert (metric.fit(NUMBER, scores_of(size, None)) is None) == fits


@pytest.mark.parametrize("size", [5, 4, 3])
def test_the_best_of_all_classes_is_a_mistake(size):
    mismatch = TOP_K(k=5).fit(NUMBER, scores_of(size, None))
    assert mismatch.argument == "k"
    assert mismatch.fix == f"write a `k` below {size}: `top_k(k = {size - 1})`"


def test_what_is_said_of_two_classes_and_of_many():
    assert "`accuracy`" in TOP_K(k=1).fit(NUMBER, scores_of(1, None)).fix
    assert "`accuracy`" in TOP_K(k=5).fit(NUMBER, scores_of(2, None)).fix
    assert "`auc`" in PRECISION().fit(NUMBER, scores_of(9, None)).fix


@pytest.mark.parametrize(
    ("cls", "arguments"),
    [
        (AUC, {"curve": "ROC"}),
        (AUC, {"num_thresholds": 1}),
        (PRECISION, {"thresholds": 0}),
        (RECALL, {"thresholds": 1.0}),
        (TOP_K, {"k": 0}),
    ],
)
def test_wrong_arguments_are_blamed(cls, arguments):
    with pytest.raises(ValidationError) as failure:
        cls(**arguments)
    assert {error["loc"][0] for error in failure.value.errors()} == set(arguments)


def test_accuracy_is_updated_with_label_and_scores_as_they_are():
    given = METRICS["accuracy"]().given(
        NUMBER, scores_of(5, None), name("y"), name("s")
    )
    assert given == (name("y"), name("s"))


def test_hard_sigmoid_gives_probabilities():
    """As logits they would go through a second sigmoid."""
    code = words("loss")["crossentropy"]().code(
        NUMBER, scores_of(1, "hard_sigmoid"), name("y"), name("s")
    )
    assert dict(code.keywords)["from_logits"].value is False
