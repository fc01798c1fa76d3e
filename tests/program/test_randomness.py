"""Draws are the same everywhere, and look independent."""

from __future__ import annotations

import numpy as np
import pytest

pytestmark = pytest.mark.tensorflow


def test_eager_graph_xla_and_tf_data_draw_the_same():
    import tensorflow as tf

    from tfpc.program.randomness import draw

    index = tf.range(1000, dtype=tf.int64)
    eager = draw(3, 1, tf.constant(5), index).numpy()
    graph = tf.function(lambda i: draw(3, 1, tf.constant(5), i))(index).numpy()
    xla = tf.function(lambda i: draw(3, 1, tf.constant(5), i), jit_compile=True)
    single = tf.data.Dataset.range(1000).map(lambda i: draw(3, 1, tf.constant(5), i))
    assert (eager == graph).all()
    assert (eager == xla(index).numpy()).all()
    assert (eager == np.array(list(single.as_numpy_iterator()))).all()


def test_draws_of_other_epochs_streams_and_neighbours_are_uncorrelated():
    import tensorflow as tf

    from tfpc.program.randomness import draw

    index = tf.range(100_000)
    base = draw(1, 2, tf.constant(0), index).numpy() / 2**32
    assert abs(base.mean() - 0.5) < 0.005
    assert abs(base.std() * 12**0.5 - 1) < 0.01
    others = [
        draw(1, 2, tf.constant(1), index),
        draw(1, 3, tf.constant(0), index),
        draw(2, 2, tf.constant(0), index),
        draw(1, 2, tf.constant(0), index + 1),
    ]
    for other in others:
        assert abs(np.corrcoef(base, other.numpy() / 2**32)[0, 1]) < 0.015


def test_below_is_even_and_in_range():
    import tensorflow as tf

    from tfpc.program.randomness import below, draw

    bits = draw(1, 2, tf.constant(0), tf.range(90_000))
    counts = np.bincount(below(bits, 9).numpy(), minlength=9)
    assert len(counts) == 9
    assert abs(counts - 10_000).max() < 500
