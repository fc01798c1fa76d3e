"""Windows of random area and proportions, brought to one size; for one image each.

The window is drawn as by torchvision (`RandomResizedCrop.get_params`) and in "Going
Deeper with Convolutions" (2014). All ten tries are drawn at once, each a function of
the counters. Shares are whole numbers of 2**-24 and proportions are products, so that
no sum is rounded, and no compiler can round it otherwise.
"""

from __future__ import annotations

import numpy as np
import tensorflow as tf

from tfpc.program.images import MARGIN, resize
from tfpc.program.randomness import below, draw

TRIES = 10
SHARES = 2**24


def share_between(bits: tf.Tensor, low: float, high: float) -> tf.Tensor:
    """A float64 in low .. high: multiples of 2**-24, to which the ends are rounded."""
    first = max(round(low * SHARES), 1)
    drawn = below(bits, round(high * SHARES) - first + 1) + first
    return tf.cast(drawn, tf.float64) * (1 / SHARES)


def ratio_between(bits: tf.Tensor, low: float, high: float) -> tf.Tensor:
    """A float64 in low .. high whose logarithm is uniform.

    It is low * (high / low)**u with u = k * 2**-24, k being the upper 24 bits: exactly
    that many values. A power of a sum is a product of powers, so each of the three
    bytes of k takes its factor from a table; `tf.exp` differs between compilers.
    """
    ratio = tf.constant(low, tf.float64)
    bits = tf.cast(tf.bitwise.right_shift(bits, tf.constant(8, tf.uint32)), tf.int32)
    for byte in (2, 1, 0):
        powers = (high / low) ** (np.arange(256) * 256.0**byte / SHARES)
        digit = tf.bitwise.bitwise_and(tf.bitwise.right_shift(bits, 8 * byte), 255)
        ratio = ratio * tf.gather(tf.constant(powers, tf.float64), digit)
    return ratio


def drawn_window(
    size: tf.Tensor,
    area: tuple[float, float],
    ratio: tuple[float, float],
    key: tuple[tf.Tensor, tf.Tensor],
    seed: int,
    stream: int,
) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor, tf.Tensor]:
    """(top, left, height, width) of a window in an image of `size`, int32 scalars.

    size: int32[2]; area: shares of the image's; ratio: width by height. Takes the
    streams `stream` (areas), + 1 (ratios), + 2 and + 3 (place); of the first two each
    example has a draw for each try.
    """
    epoch, index = key
    tries = tf.cast(index, tf.int64) * TRIES + tf.range(TRIES, dtype=tf.int64)
    room = tf.cast(size, tf.float64)
    pixels = room[0] * room[1] * share_between(draw(seed, stream, epoch, tries), *area)
    ratios = ratio_between(draw(seed, stream + 1, epoch, tries), *ratio)
    heights = tf.round(tf.sqrt(pixels / ratios))
    widths = tf.round(tf.sqrt(pixels * ratios))
    fits = (heights > 0) & (heights <= room[0]) & (widths > 0) & (widths <= room[1])
    chosen = tf.reduce_min(tf.where(fits, tf.range(TRIES), TRIES))
    # If none fits: the largest one whose proportions are allowed.
    last_height = tf.clip_by_value(tf.round(room[1] / ratio[0]), 1.0, room[0])
    last_width = tf.clip_by_value(tf.round(room[0] * ratio[1]), 1.0, room[1])
    height = tf.cast(tf.concat([heights, [last_height]], 0)[chosen], tf.int32)
    width = tf.cast(tf.concat([widths, [last_width]], 0)[chosen], tf.int32)
    spare = size - tf.stack([height, width])
    top = below(draw(seed, stream + 2, *key), spare[0] + 1)
    left = below(draw(seed, stream + 3, *key), spare[1] + 1)
    none = chosen == TRIES
    top = tf.where(none, spare[0] // 2, top)
    left = tf.where(none, spare[1] // 2, left)
    return top, left, height, width


def random_resized_crop(
    image: tf.Tensor,
    height: int,
    width: int,
    area: tuple[float, float],
    ratio: tuple[float, float],
    key: tuple[tf.Tensor, tf.Tensor],
    seed: int,
    stream: int,
    *,
    antialias: bool,
    method: str = "bilinear",
) -> tf.Tensor:
    """A drawn window of the image, scaled to [height, width]. key: (epoch, index)."""
    size = tf.shape(image)[:2]
    top, left, rows, columns = drawn_window(size, area, ratio, key, seed, stream)
    window = image[top : top + rows, left : left + columns]
    return resize(window, height, width, method, antialias=antialias)


def decode_and_random_resized_crop(
    contents: tf.Tensor,
    height: int,
    width: int,
    channels: int,
    area: tuple[float, float],
    ratio: tuple[float, float],
    key: tuple[tf.Tensor, tf.Tensor],
    seed: int,
    stream: int,
    *,
    antialias: bool,
    method: str = "bilinear",
) -> tf.Tensor:
    """`decode_jpeg`, then `random_resized_crop`, in one: bit for bit the same."""
    size = tf.io.extract_jpeg_shape(contents)[:2]
    top, left, rows, columns = drawn_window(size, area, ratio, key, seed, stream)
    first = tf.maximum([top - MARGIN, left - MARGIN], 0)
    last = tf.minimum([top + rows + MARGIN, left + columns + MARGIN], size)
    part = tf.concat([first, last - first], 0)
    image = tf.image.decode_and_crop_jpeg(contents, part, channels=channels)
    top, left = top - first[0], left - first[1]
    window = image[top : top + rows, left : left + columns]
    return resize(window, height, width, method, antialias=antialias)
