"""How much of a GPU's memory the program takes: set before TensorFlow touches it.

TensorFlow takes growth and limits for all GPUs that it sees, or for none. None of this
has been run on GPUs; tests look at the calls that are made.
"""

from __future__ import annotations

import tensorflow as tf

from tfpc.program.reporter import Reporter


def memory_growth(reporter: Reporter, *, asked: bool) -> None:
    """Takes memory as it is needed, so that others find room beside this program.

    asked: whether the spec says so; then it is also said that there is no GPU.
    """
    gpus = tf.config.list_physical_devices("GPU")
    for gpu in gpus:
        tf.config.experimental.set_memory_growth(gpu, True)
    if gpus:
        why = "the spec says so" if asked else "the default"
        reporter.decided("memory", "grows as it is needed", why)
    elif asked:
        no_gpu_memory(reporter)


def memory_limit(reporter: Reporter, size: int) -> None:
    """Makes each GPU one logical device with `size` MiB."""
    gpus = tf.config.list_physical_devices("GPU")
    for gpu in gpus:
        only = tf.config.LogicalDeviceConfiguration(memory_limit=size)
        tf.config.set_logical_device_configuration(gpu, [only])
    if gpus:
        reporter.decided("memory", f"{size:,} MiB of each GPU", "the spec says so")
    else:
        no_gpu_memory(reporter)


def memory_async(reporter: Reporter) -> None:
    """Says that the environment above names CUDA's own allocator.

    With growth, so that its pool does not take all of the memory at once.
    """
    gpus = tf.config.list_physical_devices("GPU")
    for gpu in gpus:
        tf.config.experimental.set_memory_growth(gpu, True)
    if gpus:
        reporter.decided("memory", "CUDA's own allocator", "the spec says so")
    else:
        no_gpu_memory(reporter)


def no_gpu_memory(reporter: Reporter) -> None:
    """Says that what the spec asks for has nothing to act on."""
    why = "TensorFlow sees no GPU, and the setting is for GPUs only"
    reporter.decided("memory", "nothing to set", why)
