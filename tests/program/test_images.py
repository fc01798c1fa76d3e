"""Steps on a batch give what they give on each image alone; equal sizes stay as is."""

from __future__ import annotations

import numpy as np
import pytest

pytestmark = pytest.mark.tensorflow


@pytest.fixture(scope="module")
def images():
    from tfpc.program import images

    return images


@pytest.fixture(scope="module")
def batch():
    drawn = np.random.default_rng(3).integers(0, 256, (64, 9, 7, 3))
    return drawn.astype(np.uint8)


def both(function, batch):
    """What it gives for the batch in a graph, and for one image after the other."""
    import tensorflow as tf

    index = np.arange(100, 100 + len(batch))
    whole = tf.function(function)(tf.constant(batch), (2, tf.constant(index)))
    alone = [
        function(tf.constant(image), (2, tf.constant(at)))
        for image, at in zip(batch, index, strict=True)
    ]
    return whole.numpy(), np.stack(alone)


@pytest.mark.parametrize("axis", [-2, -3])
def test_flips(images, batch, axis):
    whole, alone = both(
        lambda image, key: images.random_flip(image, axis, key, 42, 3), batch
    )
    np.testing.assert_array_equal(whole, alone)
    mirrored = batch[:, :, ::-1] if axis == -2 else batch[:, ::-1]
    turned = (whole == mirrored).all((1, 2, 3))
    kept = (whole == batch).all((1, 2, 3))
    assert (turned ^ kept).all()
    assert 16 < turned.sum() < 48


def test_crops(images, batch):
    whole, alone = both(
        lambda image, key: images.random_crop(image, 5, 4, key, 42, 1), batch
    )
    assert whole.shape == (64, 5, 4, 3)
    np.testing.assert_array_equal(whole, alone)
    assert len({window.tobytes() for window in whole}) > 60


def test_another_epoch_draws_anew(images, batch):
    import tensorflow as tf

    index = tf.range(64, dtype=tf.int64)

    def drawn(epoch):
        image = images.random_crop(images.pad(batch, 2), 9, 7, (epoch, index), 5, 1)
        return images.random_flip(image, -2, (epoch, index), 5, 3).numpy()

    batch = tf.constant(batch)
    assert (drawn(2) == drawn(2)).all()
    assert (drawn(2) != drawn(3)).any()


@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
@pytest.mark.parametrize("antialias", [False, True])
@pytest.mark.parametrize("method", ["nearest", "bilinear", "bicubic", "gaussian"])
@pytest.mark.parametrize("size", [(9, 7), (9, 8), (4, 3)])
def test_resizes_as_tensorflow_does(images, batch, size, method, antialias, dtype):
    import tensorflow as tf

    image = tf.constant(batch[0].astype(dtype))
    signature = tf.TensorSpec([None, None, 3], image.dtype)
    resized = tf.function(
        lambda image: images.resize(image, *size, method, antialias=antialias),
        input_signature=[signature],
    )(image)
    # A size that TensorFlow doesn't know makes it compute, also where nothing changes.
    expected = tf.function(
        lambda image: tf.image.resize(image, size, method, antialias=antialias),
        input_signature=[signature],
    )(image).numpy()
    if dtype is np.uint8:
        expected = np.clip(np.round(expected), 0, 255).astype(np.uint8)
    np.testing.assert_array_equal(resized.numpy(), expected)
