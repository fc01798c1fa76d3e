"""Seeded samples over a whole source, for splits and limits."""

from __future__ import annotations

import numpy as np
import tensorflow as tf

from tfpc.program.randomness import draw

SAMPLE_STREAM = 0x5A


def sample(count: int, size: int, seed: int) -> np.ndarray:
    """`size` examples out of `count`, drawn over the whole: bool[count].

    With one seed a larger sample contains the smaller one.
    """
    bits = draw(seed, SAMPLE_STREAM, tf.constant(0), tf.range(count)).numpy()
    member = np.zeros(count, bool)
    member[np.argsort(bits, kind="stable")[:size]] = True
    return member


def share(count: int, fraction: float) -> int:
    """How many examples a fraction of `count` is, rounded, at least one."""
    return max(1, round(count * fraction))
