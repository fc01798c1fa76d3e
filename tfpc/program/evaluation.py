"""Exact evaluation: every example counts once, whatever the batch."""

from __future__ import annotations

import time
from collections.abc import Callable

import keras
import tensorflow as tf

from tfpc.program.pace import Pace
from tfpc.program.source import Source
from tfpc.program.training import Training


def padded(batch: int) -> Callable[..., tuple[tf.Tensor, ...]]:
    """Fills an incomplete last batch with zeros and adds the weights that say so.

    The weights, float32[batch], are 1 for an example and 0 for a filler.
    """

    def fill(*components: tf.Tensor) -> tuple[tf.Tensor, ...]:
        count = tf.shape(components[0])[0]
        filled = []
        for component in components:
            missing = tf.scatter_nd(
                [[0, 1]], [batch - count], [component.shape.rank, 2]
            )
            shape = [batch, *component.shape[1:]]
            filled.append(tf.ensure_shape(tf.pad(component, missing), shape))
        weight = tf.cast(tf.range(batch) < count, tf.float32)
        return (*filled, weight)

    return fill


def evaluation(
    training: Training,
    split: str,
    source: Source,
    batch: int,
    take_steps: Callable[[tf.Tensor], tf.Tensor],
    metrics: dict[str, keras.metrics.Metric],
) -> Callable[[], dict[str, float]]:
    """A function that evaluates the split once and returns its metrics by name.

    It takes exactly ceil(examples / batch) batches of a dataset that repeats, so that
    one iterator serves all evaluations. A signal ends it, with no metrics.
    """
    batches = -(-source.count // batch)
    pace = Pace()

    def evaluate() -> dict[str, float]:
        for metric in metrics.values():
            metric.reset_state()
        done = 0
        while done < batches:
            steps = min(pace.steps, batches - done)
            started = time.perf_counter()
            take_steps(tf.constant(steps))
            pace.took(steps, time.perf_counter() - started)
            done += steps
            if training.run.interrupt.signal is not None:
                return {}
        results = {
            f"{split}.{name}": float(metric.result())
            for name, metric in metrics.items()
        }
        training.run.reporter.event(
            "evaluated",
            split=split,
            epoch=training.step // training.steps_per_epoch,
            step=training.step,
            examples=source.count,
            metrics=results,
        )
        return results

    return evaluate
