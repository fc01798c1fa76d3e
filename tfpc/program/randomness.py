"""Counter-based random numbers: a draw is a function of what it is for, never of when.

Integer operations only, so that eager code, tf.data, graphs and XLA agree bit for bit.
"""

from __future__ import annotations

import tensorflow as tf


def mix(x: tf.Tensor) -> tf.Tensor:
    """Scrambles uint32 values, each to each (a bijection).

    The constants are those of the `lowbias32` search, github.com/skeeto/hash-prospector.
    """
    x = tf.bitwise.bitwise_xor(x, tf.bitwise.right_shift(x, tf.constant(16, tf.uint32)))
    x = x * tf.constant(0x7FEB352D, tf.uint32)
    x = tf.bitwise.bitwise_xor(x, tf.bitwise.right_shift(x, tf.constant(15, tf.uint32)))
    x = x * tf.constant(0x846CA68B, tf.uint32)
    return tf.bitwise.bitwise_xor(
        x, tf.bitwise.right_shift(x, tf.constant(16, tf.uint32))
    )


def draw(seed: int, stream: int, epoch: tf.Tensor, index: tf.Tensor) -> tf.Tensor:
    """32 random bits for each example.

    seed, stream: which run, and which random step of it; epoch: integer scalar;
    index: integer tensor of any shape. Returns uint32 in the shape of `index`.
    """
    bits = mix(tf.constant((seed ^ (stream * 0x9E3779B9)) & 0xFFFFFFFF, tf.uint32))
    bits = mix(tf.bitwise.bitwise_xor(bits, tf.cast(epoch, tf.uint32)))
    index = tf.cast(index, tf.uint32)
    # Twice, so that neighbours in (epoch, index) share no structure.
    return mix(mix(index * tf.constant(0x9E3779B9, tf.uint32) + bits) + bits)


def below(bits: tf.Tensor, limit: tf.Tensor | int) -> tf.Tensor:
    """Turns 32 random bits into an int32 in 0 .. limit - 1, by multiplication.

    The bias is below limit / 2**32 (Lemire, "Fast random integer generation", 2019).
    """
    product = tf.cast(bits, tf.int64) * tf.cast(limit, tf.int64)
    return tf.cast(tf.bitwise.right_shift(product, tf.constant(32, tf.int64)), tf.int32)
