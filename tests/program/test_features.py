"""Encoders learn what NumPy says, and give zeros for what training has not seen."""

from __future__ import annotations

import json

import numpy as np
import pytest

pytestmark = pytest.mark.tensorflow


def learnt(encoder, values, chunk):
    """What is learnt of values that come in chunks, as JSON keeps it."""
    state = encoder.start()
    for first in range(0, len(values), chunk):
        state = encoder.learn(state, values[first : first + chunk])
    return json.loads(json.dumps(encoder.finish(state)))


@pytest.mark.parametrize("chunk", [1, 7, 1000])
@pytest.mark.parametrize("shape", [(500,), (500, 3)])
def test_mean_and_deviation_are_those_of_the_whole(chunk, shape):
    from tfpc.program.features import NormalizedColumn

    # Far from zero, where sums of squares would lose what differs.
    values = np.random.default_rng(1).normal(1e6, 0.5, shape)
    found = learnt(NormalizedColumn(), values, chunk)
    whole = values.reshape(500, -1)
    np.testing.assert_allclose(found["mean"], whole.mean(0), rtol=1e-12)
    np.testing.assert_allclose(found["std"], whole.std(0), rtol=1e-9)
    rows = NormalizedColumn().carrier(found)(values).numpy()
    np.testing.assert_allclose(rows.mean(0), 0, atol=1e-6)
    np.testing.assert_allclose(rows.std(0), 1, rtol=1e-5)


def test_a_column_that_never_changes_becomes_zero():
    from tfpc.program.features import NormalizedColumn

    found = learnt(NormalizedColumn(), np.full(10, 3), 4)
    assert NormalizedColumn().carrier(found)(np.array([3, 3])).numpy().tolist() == [
        [0.0],
        [0.0],
    ]


@pytest.mark.parametrize(
    ("values", "asked", "numbers"),
    [
        (np.array([b"b", b"a", b"b"], object), [b"a", b"b", b"c"], [0, 1, 2]),
        (np.array([b"\xff", b""], object), [b"", b"\xff", b"x"], [0, 1, 2]),
        (np.array([30, -7, 2**40]), [-7, 30, 2**40, 31], [0, 1, 2, 3]),
    ],
)
def test_a_value_has_its_number(values, asked, numbers):
    import tensorflow as tf

    from tfpc.program.features import OneHotColumn

    found = learnt(OneHotColumn(), values, 2)
    carrier = OneHotColumn().carrier(found)
    given = tf.constant(asked) if values.dtype == object else np.array(asked)
    assert carrier(given).numpy()[:, 0].tolist() == numbers


def test_columns_side_by_side_and_zeros_for_what_was_not_seen():
    import tensorflow as tf

    from tfpc.program.features import (
        EmbeddedColumn,
        FeatureColumns,
        NormalizedColumn,
        OneHotColumn,
        Rows,
        learn_features,
    )

    features = {
        "age": NormalizedColumn(),
        "job": OneHotColumn(),
        "town": EmbeddedColumn(4),
    }
    data = {
        "town": tf.constant([1, 2, 2], tf.int64),
        "age": tf.constant([10.0, 20.0, 30.0]),
        "job": tf.constant(["x", "y", "x"]),
    }
    batches = tf.data.Dataset.from_tensor_slices(tuple(data.values())).batch(2)
    known = learn_features(features, list(data), batches)
    assert known["job"] == {"values": ["x", "y"]}
    rows = Rows(features, known)
    layer = FeatureColumns(features, known, name="features")
    batch = rows(
        tf.constant([20.0, 20.0]), tf.constant(["y", "z"]), tf.constant([2, 9])
    )
    assert batch.shape == (2, 3)
    seen, unseen = layer(batch).numpy()
    assert seen.shape == (1 + 2 + 4,)
    assert seen[:3].tolist() == [0, 0, 1]
    assert np.abs(seen[3:]).min() > 0
    assert unseen.tolist() == [0.0] * 7
    assert [variable.shape for variable in layer.trainable_variables] == [(2, 4)]


def test_what_was_learnt_is_kept_and_read_again(tmp_path):
    from tfpc.program.features import learnt_in
    from tfpc.program.reporter import Reporter

    first = learnt_in(tmp_path, Reporter(), lambda: {"job": {"values": ["x"]}})
    again = learnt_in(tmp_path, Reporter(), lambda: pytest.fail("learnt twice"))
    assert first == again
