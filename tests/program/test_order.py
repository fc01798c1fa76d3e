"""The order of an epoch: a function of (seed, epoch), resumable anywhere."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytestmark = pytest.mark.tensorflow


def keys(order, batch, epochs, start, *, batched=False):
    from tfpc.program.order import keys_by_epoch

    dataset = keys_by_epoch(order, batch, epochs, start, batched=batched)
    return [
        (int(epoch), int(i))
        for epoch, index in dataset
        for i in np.ravel(index.numpy())
    ]


@settings(max_examples=20, deadline=None)
@given(
    count=st.integers(1, 200),
    batch=st.integers(1, 20),
    seed=st.integers(0, 2**32 - 1),
    batched=st.booleans(),
    data=st.data(),
)
def test_a_resumed_run_meets_what_an_undisturbed_one_meets(
    count, batch, seed, batched, data
):
    from tfpc.program.order import permuted
    from tfpc.program.position import Position

    steps = count // batch
    whole = keys(permuted(count, seed), batch, 3, Position(), batched=batched)
    assert len(whole) == 3 * steps * batch
    epoch = data.draw(st.integers(0, 2))
    step = data.draw(st.integers(0, steps))
    rest = keys(permuted(count, seed), batch, 3, Position(epoch, step), batched=batched)
    assert rest == whole[(epoch * steps + step) * batch :]


def test_every_epoch_is_another_permutation():
    import tensorflow as tf

    from tfpc.program.order import permuted

    order = permuted(1000, 7)
    epochs = [order(tf.constant(epoch)).numpy() for epoch in range(4)]
    for each in epochs:
        assert sorted(each) == list(range(1000))
    for one in range(4):
        for other in range(one):
            # Spearman's correlation of independent permutations: about 1 / sqrt(1000).
            correlation = np.corrcoef(
                np.argsort(epochs[one]), np.argsort(epochs[other])
            )
            assert abs(correlation[0, 1]) < 0.15


@pytest.mark.parametrize("buffer", [2, 10, 64, 5000])
def test_a_buffer_moves_no_example_further_than_its_size(buffer):
    import tensorflow as tf

    from tfpc.program.order import permuted_nearby

    order = permuted_nearby(1000, 7, buffer)(tf.constant(3)).numpy()
    assert sorted(order) == list(range(1000))
    moved = np.abs(order - np.arange(1000))
    assert 0 < moved.max() <= buffer


def test_permuted_batches_keep_their_members():
    import tensorflow as tf

    from tfpc.program.order import batches_permuted, in_order

    order = batches_permuted(in_order(103), 10, 1)(tf.constant(0)).numpy()
    batches = order.reshape(-1, 10)
    assert len(batches) == 10
    assert (batches - batches[:, :1] == np.arange(10)).all()
    assert sorted(batches[:, 0]) == list(range(0, 100, 10))
    assert list(batches[:, 0]) != list(range(0, 100, 10))
