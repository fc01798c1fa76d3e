"""The order of a stream that can't be read at random, as a function of (seed, epoch)."""

from __future__ import annotations

import tensorflow as tf

from tfpc.program.order import delayed_places, permuted
from tfpc.program.position import Position
from tfpc.program.records import Records


def shuffled_nearby(
    stream: tf.data.Dataset, seed: int, epoch: tf.Tensor, buffer: int
) -> tf.data.Dataset:
    """(index, record) in the order of `permuted_nearby`, with two buffers in memory.

    Not `Dataset.shuffle`: its order depends on what ran before, this one on
    (seed, epoch) only, so a resumed run meets the same one.
    """

    def release(
        held: tuple[tf.Tensor, ...], window: tuple[tf.Tensor, ...]
    ) -> tuple[tuple[tf.Tensor, ...], tuple[tf.Tensor, ...]]:
        number, (index, record) = window
        first = number * buffer
        places = first + tf.range(tf.size(index, tf.int64), dtype=tf.int64)
        keys = delayed_places(places, seed, epoch, buffer)
        keys = tf.concat([held[0], keys], 0)
        index = tf.concat([held[1], index], 0)
        record = tf.concat([held[2], record], 0)
        by_key = tf.argsort(keys, stable=True)
        due = tf.bitwise.left_shift(first + buffer, tf.constant(32, tf.int64))
        ready = tf.reduce_sum(tf.cast(keys < due, tf.int32))
        now, later = by_key[:ready], by_key[ready:]
        keys, rest = (
            tf.gather(keys, later),
            (tf.gather(index, later), tf.gather(record, later)),
        )
        return (keys, *rest), (tf.gather(index, now), tf.gather(record, now))

    nothing = (tf.zeros([0], tf.int64), tf.zeros([0], tf.string))
    flush = tf.data.Dataset.from_tensors(nothing)
    windows = stream.batch(buffer).concatenate(flush).enumerate()
    held = (tf.zeros([0], tf.int64), *nothing)
    return windows.scan(held, release).prefetch(1).unbatch()


def records_by_epoch(
    records: Records,
    seed: int,
    batch: int,
    epochs: int,
    start: Position,
    buffer: int | None,
) -> tf.data.Dataset:
    """(epoch, index, record) of every training example from `start` to the end.

    With a `buffer` the files come in a new order in each epoch, and their records are
    shuffled nearby. An epoch gives whole batches only, as in `keys_by_epoch`.
    """
    whole = records.count // batch * batch

    def of_epoch(epoch: tf.Tensor) -> tf.data.Dataset:
        if buffer is None:
            stream = records.examples()
        else:
            files = permuted(len(records.files), seed + 1)(epoch)
            stream = shuffled_nearby(records.examples(files), seed, epoch, buffer)
        done = tf.where(epoch == start.epoch, start.step * batch, 0)
        stream = stream.take(whole).skip(tf.cast(done, tf.int64))
        return stream.map(lambda index, record: (epoch, index, record))

    return tf.data.Dataset.range(start.epoch, epochs).flat_map(of_epoch)
