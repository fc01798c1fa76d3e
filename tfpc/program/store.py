"""Examples kept in memory, decoded once, and read from there at random."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

import numpy as np
import tensorflow as tf

from tfpc.program.reporter import Reporter
from tfpc.program.source import Source
from tfpc.program.unreadable import unreadable_named


def aligned_array(shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """An uninitialised array that begins on a 64-byte boundary.

    TensorFlow takes such an array over as it is, without a second copy in memory.
    """
    size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    memory = np.empty(size + 64, np.uint8)
    first = -memory.ctypes.data % 64
    return memory[first : first + size].view(dtype).reshape(shape)


def kept_in_memory(
    reporter: Reporter,
    name: str,
    source: Source,
    read: Callable[..., tuple[tf.Tensor, ...]],
) -> tuple[tf.Tensor, ...]:
    """Reads every example once and returns one tensor a component, by index.

    read: from what `source.keys` gives to (index, component, ...), each component of a
    fixed shape. Returns tensors [count, ...]. Raises InputError if one can't be read.
    """
    started = time.perf_counter()
    # Files make a reader wait, so that more readers than cores are busy: with four for
    # each, 50,000 small pictures took two thirds of the time of one for each.
    readers = 4 * usable_cores()
    examples = source.keys().map(read, num_parallel_calls=readers, deterministic=False)
    # The end of an iterator that tunes itself waits for its thread, over a second.
    options = tf.data.Options()
    options.autotune.enabled = False
    examples = examples.with_options(options)
    arrays = [empty_array(source.count, spec) for spec in examples.element_spec[1:]]
    done = 0
    with unreadable_named(source, source.keys, read):
        for index, *components in examples.batch(256).prefetch(2).as_numpy_iterator():
            for array, component in zip(arrays, components, strict=True):
                array[index] = component
            done += len(index)
            reporter.loading(name, done, source.count)
    seconds = time.perf_counter() - started
    reporter.loaded(name, source.count, bytes_of(arrays), seconds)
    return tuple(map(as_tensor, arrays))


def usable_cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def empty_array(count: int, spec: tf.TensorSpec) -> np.ndarray:
    """Room for `count` examples of a component."""
    shape = (count, *spec.shape)
    if spec.dtype == tf.string:
        return np.empty(shape, object)
    return aligned_array(shape, np.dtype(spec.dtype.as_numpy_dtype))


def gathered(kept: tuple[tf.Tensor, ...], index: tf.Tensor) -> tuple[tf.Tensor, ...]:
    """The components of one example, or of a batch of them, by index."""
    return tuple(tf.gather(component, index) for component in kept)


def as_tensor(array: np.ndarray) -> tf.Tensor:
    """The array as a tensor; numbers without a copy."""
    if array.dtype == object:
        return tf.constant(array.tolist(), tf.string)
    return tf.experimental.dlpack.from_dlpack(array.__dlpack__())


def bytes_of(arrays: list[np.ndarray]) -> int:
    """The memory that the arrays take, in bytes."""
    return sum(
        sum(map(len, array.ravel())) if array.dtype == object else array.nbytes
        for array in arrays
    )
