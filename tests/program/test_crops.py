"""Decode and crop in one gives what decode, then crop gives, bit for bit."""

from __future__ import annotations

import numpy as np
import pytest

pytestmark = pytest.mark.tensorflow


@pytest.fixture(scope="module")
def jpeg():
    """A noisy picture of odd size, its colors stored at half the resolution."""
    import tensorflow as tf

    noise = np.random.default_rng(0).integers(0, 255, (101, 131, 3), np.uint8)
    smooth = tf.image.resize(noise[::8, ::8], [101, 131]).numpy().astype(np.uint8)
    return tf.io.encode_jpeg(smooth // 2 + noise // 2, quality=90)


def test_random_windows_are_exact(jpeg):
    import tensorflow as tf

    from tfpc.program.images import decode_and_random_crop, random_crop

    whole = tf.io.decode_jpeg(jpeg, channels=3)
    windows = set()
    for index in range(60):
        key = (tf.constant(0), tf.constant(index))
        part = decode_and_random_crop(jpeg, 32, 48, 3, key, 7, 1)
        cut = random_crop(whole, 32, 48, key, 7, 1)
        assert (part.numpy() == cut.numpy()).all()
        windows.add(bytes(cut.numpy().tobytes()))
    assert len(windows) > 50


@pytest.mark.parametrize("size", [(1, 1), (33, 47), (101, 131)])
def test_the_center_is_exact(jpeg, size):
    import tensorflow as tf

    from tfpc.program.images import center_crop, decode_and_center_crop

    cut = center_crop(tf.io.decode_jpeg(jpeg, channels=3), *size)
    part = decode_and_center_crop(jpeg, *size, 3)
    assert (part.numpy() == cut.numpy()).all()


def test_a_crop_larger_than_the_picture_says_so(jpeg):
    import tensorflow as tf

    from tfpc.program.images import decode_and_center_crop

    with pytest.raises(tf.errors.InvalidArgumentError, match="smaller than the crop"):
        decode_and_center_crop(jpeg, 102, 50, 3)
