"""Devices and threads: decided on the machine, before TensorFlow touches them."""

from __future__ import annotations

import tensorflow as tf

from tfpc.program.reporter import Reporter


def one_device(reporter: Reporter) -> tf.distribute.Strategy:
    """A strategy for the first GPU, or for the CPU where there is none."""
    gpus = tf.config.list_physical_devices("GPU")
    if not gpus:
        reporter.decided("device", "CPU", "TensorFlow sees no GPU")
        return tf.distribute.OneDeviceStrategy("/cpu:0")
    why = "the only GPU" if len(gpus) == 1 else f"the first of {len(gpus)} GPUs"
    reporter.decided("device", "GPU:0", why)
    return tf.distribute.OneDeviceStrategy("/gpu:0")
