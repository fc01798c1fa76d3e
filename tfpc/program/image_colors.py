"""Steps on the colors of images, for one [h, w, c] and for a batch [b, h, w, c] alike.

uint8 in and out, rounded and clipped. They compute in whole numbers, with 16 bits
behind the point: so an example gets the same bits alone and in a batch, in eager code,
graphs and XLA, on every device.
"""

from __future__ import annotations

import tensorflow as tf

from tfpc.program.randomness import below, draw

POINT = 16
ONE = 1 << POINT


def fixed_between(bits: tf.Tensor, low: float, high: float) -> tf.Tensor:
    """A number in low .. high as int32 of 2**-16, to which the ends are rounded."""
    first = round(low * ONE)
    return below(bits, round(high * ONE) - first + 1) + first


def for_each_pixel(drawn: tf.Tensor) -> tf.Tensor:
    """One number for each example, [] or [b], against pixels [..., h, w, c]."""
    return drawn[..., tf.newaxis, tf.newaxis, tf.newaxis]


def rounded(fixed: tf.Tensor) -> tf.Tensor:
    """Whole numbers of such in 2**-16; halves go up."""
    point = tf.constant(POINT, fixed.dtype)
    return tf.bitwise.right_shift(fixed + (ONE >> 1), point)


def random_brightness(
    image: tf.Tensor,
    max_delta: float,
    key: tuple[tf.Tensor, tf.Tensor],
    seed: int,
    stream: int,
) -> tf.Tensor:
    """image + delta * 255, delta in -max_delta .. max_delta, drawn for each example.

    key: (epoch, index), index scalar for one image and int64[b] for a batch.
    """
    bits = draw(seed, stream, *key)
    levels = rounded(fixed_between(bits, -255 * max_delta, 255 * max_delta))
    lighter = tf.cast(image, tf.int16) + for_each_pixel(tf.cast(levels, tf.int16))
    return tf.saturate_cast(lighter, tf.uint8)


def random_contrast(
    image: tf.Tensor,
    factor: tuple[float, float],
    key: tuple[tf.Tensor, tf.Tensor],
    seed: int,
    stream: int,
) -> tf.Tensor:
    """mean + f * (image - mean) for each channel, f drawn in `factor`.

    key: as in `random_brightness`.
    """
    times = for_each_pixel(fixed_between(draw(seed, stream, *key), *factor))
    image = tf.cast(image, tf.int32)
    # A row fits into 32 bits, a picture may not.
    rows = tf.reduce_sum(image, -2, keepdims=True)
    total = tf.reduce_sum(tf.cast(rows, tf.int64), -3, keepdims=True)
    count = tf.reduce_prod(tf.shape(image, tf.int64)[-3:-1])
    mean = (total * ONE + count // 2) // count
    rest = tf.cast(rounded(mean * tf.cast(ONE - times, tf.int64)), tf.int32)
    return tf.saturate_cast(rounded(image * times + rest), tf.uint8)


def random_saturation(
    image: tf.Tensor,
    factor: tuple[float, float],
    key: tuple[tf.Tensor, tf.Tensor],
    seed: int,
    stream: int,
) -> tf.Tensor:
    """The image [..., 3] with its saturation times f, drawn in `factor`, at most 1.

    With the largest channel v and the smallest m of a pixel, saturation is (v - m) / v.
    To multiply it by f moves each channel c to v - (v - c) * f, and f can be
    v / (v - m) at most. key: as in `random_brightness`.
    """
    times = for_each_pixel(fixed_between(draw(seed, stream, *key), *factor))
    image = tf.cast(image, tf.int32)
    most = tf.reduce_max(image, -1, keepdims=True)
    spread = most - tf.reduce_min(image, -1, keepdims=True)
    limit = (most * ONE + spread // 2) // tf.maximum(spread, 1)
    away = rounded((most - image) * tf.minimum(times, limit))
    return tf.cast(most - away, tf.uint8)


def random_hue(
    image: tf.Tensor,
    max_delta: float,
    key: tuple[tf.Tensor, tf.Tensor],
    seed: int,
    stream: int,
) -> tf.Tensor:
    """The image [..., 3] with its hues turned by -max_delta .. max_delta of a turn.

    A hue is a place on six sides of 2**16 steps each: from red over yellow, green, cyan,
    blue and magenta to red. Formulas: en.wikipedia.org/wiki/HSL_and_HSV, "HSV to RGB
    alternative". key: as in `random_brightness`.
    """
    turn = fixed_between(draw(seed, stream, *key), -6 * max_delta, 6 * max_delta)
    image = tf.cast(image, tf.int32)
    most = tf.reduce_max(image, -1, keepdims=True)
    spread = most - tf.reduce_min(image, -1, keepdims=True)
    red, green, blue = tf.split(image, 3, -1)
    # In units of the spread, and a turn more, so that it is above zero.
    side = tf.where(
        red == most,
        6 * spread + green - blue,
        tf.where(green == most, 8 * spread + blue - red, 10 * spread + red - green),
    )
    hue = (side * ONE + spread // 2) // tf.maximum(spread, 1)
    places = hue + for_each_pixel(turn) + tf.constant([5, 3, 1]) * ONE
    places = tf.math.floormod(places, 6 * ONE)
    away = tf.clip_by_value(tf.minimum(places, 4 * ONE - places), 0, ONE)
    return tf.cast(most - rounded(spread * away), tf.uint8)
