"""Which example comes when: the order of an epoch as a function of (seed, epoch)."""

from __future__ import annotations

from collections.abc import Callable

import tensorflow as tf

from tfpc.program.position import Position
from tfpc.program.randomness import draw

SHUFFLE_STREAM = 0
BATCHES_STREAM = 0xBA7C


def in_order(count: int) -> Callable[[tf.Tensor], tf.Tensor]:
    """The order of the source, the same in every epoch: epoch -> int64[count]."""
    return lambda epoch: tf.range(count, dtype=tf.int64)


def permuted(count: int, seed: int) -> Callable[[tf.Tensor], tf.Tensor]:
    """A permutation of everything, a new one in each epoch: epoch -> int64[count]."""

    def order(epoch: tf.Tensor) -> tf.Tensor:
        indices = tf.range(count, dtype=tf.int64)
        bits = draw(seed, SHUFFLE_STREAM, epoch, indices)
        return tf.argsort(tf.cast(bits, tf.int64), stable=True)

    return order


def permuted_nearby(
    count: int, seed: int, buffer: int
) -> Callable[[tf.Tensor], tf.Tensor]:
    """An order in which no example comes more than `buffer` places early or late.

    What a shuffle buffer of that size does, as a function: epoch -> int64[count].
    """

    def order(epoch: tf.Tensor) -> tf.Tensor:
        indices = tf.range(count, dtype=tf.int64)
        return tf.argsort(delayed_places(indices, seed, epoch, buffer), stable=True)

    return order


def delayed_places(
    places: tf.Tensor, seed: int, epoch: tf.Tensor, buffer: int
) -> tf.Tensor:
    """Each place plus a delay drawn from 0 .. buffer, in units of 2**-32 places.

    places: int64[n]; returns int64[n], the key that a local shuffle sorts by.
    """
    bits = tf.cast(draw(seed, SHUFFLE_STREAM, epoch, places), tf.int64)
    whole = tf.bitwise.left_shift(places, tf.constant(32, tf.int64))
    return whole + bits * tf.constant(buffer, tf.int64)


def batches_permuted(
    order: Callable[[tf.Tensor], tf.Tensor], batch: int, seed: int
) -> Callable[[tf.Tensor], tf.Tensor]:
    """The batches of an order in a new order: epoch -> int64[whole batches * batch]."""

    def examples(epoch: tf.Tensor) -> tf.Tensor:
        indices = order(epoch)
        indices = indices[: tf.size(indices) // batch * batch]
        batches = tf.reshape(indices, [-1, batch])
        bits = draw(seed, BATCHES_STREAM, epoch, tf.range(tf.shape(batches)[0]))
        by_draw = tf.argsort(tf.cast(bits, tf.int64), stable=True)
        return tf.reshape(tf.gather(batches, by_draw), [-1])

    return examples


def keys_by_epoch(
    order: Callable[[tf.Tensor], tf.Tensor],
    batch: int,
    epochs: int,
    start: Position,
    *,
    batched: bool,
) -> tf.data.Dataset:
    """The keys (epoch, index) of every training example from `start` to the end.

    One dataset for all epochs, so that nothing restarts between them. An epoch gives
    whole batches only; its incomplete last one is left out (the order changes from
    epoch to epoch, so it is not always the same examples).
    batched: int64[] and int64[batch] an element, else int64[] and int64[].
    """

    def of_epoch(epoch: tf.Tensor) -> tf.data.Dataset:
        indices = tf.cast(order(epoch), tf.int64)
        indices = tf.reshape(indices[: tf.size(indices) // batch * batch], [-1, batch])
        indices = indices[tf.where(epoch == start.epoch, start.step, 0) :]
        if not batched:
            indices = tf.reshape(indices, [-1])
        return tf.data.Dataset.from_tensor_slices(indices).map(lambda i: (epoch, i))

    return tf.data.Dataset.range(start.epoch, epochs).flat_map(of_epoch)
