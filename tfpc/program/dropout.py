"""Dropout whose mask is a function of (seed, layer, step, place in the global batch)."""

from __future__ import annotations

import keras
import tensorflow as tf

from tfpc.program.randomness import draw


class CounterDropout(keras.layers.Layer):
    """Sets a share `rate` of the inputs to zero in training and scales the others.

    No generator, no state: the same mask on one replica and on eight, with XLA and
    without, and after a restart. `clock` counts the steps (the optimizer's iterations),
    `batch` is the size of the global batch.
    """

    def __init__(
        self,
        rate: float,
        seed: int,
        stream: int,
        clock: tf.Variable,
        batch: int,
        name: str,
    ) -> None:
        super().__init__(name=name)
        self.rate = rate
        self.seed = seed
        self.stream = stream
        self.clock = clock
        self.batch = batch

    def call(self, inputs: tf.Tensor, training: bool = False) -> tf.Tensor:
        """inputs: float[b, ...]; returns the same shape and dtype."""
        if not training:
            return inputs
        context = tf.distribute.get_replica_context()
        # Each replica has ceil(batch / replicas) examples, the last one maybe less.
        share = -(-self.batch // context.num_replicas_in_sync)
        count = tf.size(inputs)
        each = count // tf.maximum(tf.shape(inputs)[0], 1)
        first = context.replica_id_in_sync_group * share * each
        places = tf.reshape(first + tf.range(count), tf.shape(inputs))
        bits = draw(self.seed, self.stream, self.clock, places)
        kept = bits >= tf.constant(min(int(self.rate * 2**32), 2**32 - 1), tf.uint32)
        scale = tf.cast(1.0 / (1.0 - self.rate), inputs.dtype)
        return tf.where(kept, inputs * scale, tf.zeros_like(inputs))
