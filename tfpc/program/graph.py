"""Many steps in one call: the inner loop stays in the graph."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import tensorflow as tf


def in_graph(
    strategy: tf.distribute.Strategy,
    step: Callable[..., None],
    batches: Iterator[tuple[tf.Tensor, ...]],
    clock: Callable[[], tf.Tensor],
) -> Callable[[tf.Tensor], tf.Tensor]:
    """A function that takes `count` (int32[]) batches and does a step with each.

    It returns the seconds (float64[]) that it waited for input, by the clock. Its
    signature is fixed, so that it is traced exactly once (`check_traces`).
    """

    @tf.function(input_signature=[tf.TensorSpec([], tf.int32)])
    def take_steps(count: tf.Tensor) -> tf.Tensor:
        waited = tf.constant(0.0, tf.float64)
        for _ in tf.range(count):
            before = clock()
            with tf.control_dependencies([before]):
                batch = next(batches)
            with tf.control_dependencies(tf.nest.flatten(batch, True)):
                waited += clock() - before
            strategy.run(step, batch)
        return waited

    return take_steps


def no_clock() -> tf.Tensor:
    """Stands for the clock, which TensorFlow refuses to read under determinism."""
    return tf.constant(math.nan, tf.float64)


def check_traces(function: Callable[[tf.Tensor], tf.Tensor]) -> None:
    """Raises RuntimeError if the function was traced more than once."""
    traces = function.experimental_get_tracing_count()  # type: ignore[attr-defined]
    if traces > 1:
        raise RuntimeError(f"the step was traced {traces} times instead of once")
