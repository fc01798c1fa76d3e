"""Colors change as TensorFlow changes them, and the same bits come out everywhere."""

from __future__ import annotations

import numpy as np
import pytest

pytestmark = pytest.mark.tensorflow

SEED, STREAM, EPOCH = 42, 3, 1
STEPS = {
    "random_brightness": (0.4, "adjust_brightness"),
    "random_contrast": ((0.2, 3.0), "adjust_contrast"),
    "random_saturation": ((0.0, 4.0), "adjust_saturation"),
    "random_hue": (0.5, "adjust_hue"),
}
each_step = pytest.mark.parametrize("word", STEPS)


@pytest.fixture(scope="module")
def colors():
    from tfpc.program import image_colors

    return image_colors


@pytest.fixture(scope="module")
def batch():
    """Noise with gray, black, white and pure pixels among it."""
    drawn = np.random.default_rng(3).integers(0, 256, (24, 13, 11, 3)).astype(np.uint8)
    pure = [[0, 0, 0], [255, 255, 255], [7, 7, 7], [255, 0, 0], [0, 9, 9], [3, 2, 3]]
    drawn[:, 0, :6] = pure
    return drawn


def stepped(colors, word, image, index):
    """The step of that name on an image or a batch."""
    function, argument = getattr(colors, word), STEPS[word][0]
    return function(image, argument, (EPOCH, index), SEED, STREAM)


def drawn(word, index):
    """What was drawn, as a float: a delta or a factor."""
    from tfpc.program.image_colors import ONE, fixed_between
    from tfpc.program.randomness import draw

    argument = STEPS[word][0]
    bits = draw(SEED, STREAM, EPOCH, index)
    if word == "random_brightness":
        return fixed_between(bits, -255 * argument, 255 * argument).numpy() / ONE / 255
    if word == "random_hue":
        return fixed_between(bits, -6 * argument, 6 * argument).numpy() / ONE / 6
    return fixed_between(bits, *argument).numpy() / ONE


@each_step
def test_the_same_bits_alone_in_a_batch_in_graphs_and_in_xla(colors, batch, word):
    import tensorflow as tf

    index = tf.range(50, 50 + len(batch), dtype=tf.int64)

    def step(images, index):
        return stepped(colors, word, images, index)

    whole = step(tf.constant(batch), index).numpy()
    alone = [step(tf.constant(batch[n]), index[n]) for n in range(len(batch))]
    np.testing.assert_array_equal(np.stack(alone), whole)
    for compiled in (False, True):
        graph = tf.function(step, jit_compile=compiled)
        np.testing.assert_array_equal(graph(tf.constant(batch), index), whole)
    assert whole.dtype == np.uint8
    assert (whole != batch).any((1, 2, 3)).all()


@each_step
def test_as_tensorflow_does_it(colors, batch, word):
    """To one level: TensorFlow computes in float32 shares of one."""
    import tensorflow as tf

    for number, image in enumerate(batch):
        index = tf.constant(number, tf.int64)
        out = stepped(colors, word, tf.constant(image), index).numpy()
        adjusted = getattr(tf.image, STEPS[word][1])(image, float(drawn(word, index)))
        assert np.abs(out.astype(int) - adjusted.numpy().astype(int)).max() <= 1


@each_step
def test_draws_fill_their_range(word):
    import tensorflow as tf

    found = drawn(word, tf.range(20_000, dtype=tf.int64))
    argument = STEPS[word][0]
    low, high = argument if isinstance(argument, tuple) else (-argument, argument)
    step = 1e-4  # ends are rounded to 2**-16
    assert low - step <= found.min() < low + 0.01 * (high - low)
    assert high - 0.01 * (high - low) < found.max() <= high + step
    assert np.quantile(found, [0.25, 0.5, 0.75]) == pytest.approx(
        np.linspace(low, high, 5)[1:4], abs=0.02 * (high - low)
    )


@each_step
def test_another_epoch_and_another_example_draw_anew(colors, batch, word):
    import tensorflow as tf

    same = tf.constant(np.stack([batch[0]] * 8))
    function, argument = getattr(colors, word), STEPS[word][0]
    index = tf.range(8, dtype=tf.int64)
    first = function(same, argument, (1, index), SEED, STREAM).numpy()
    second = function(same, argument, (2, index), SEED, STREAM).numpy()
    assert len({image.tobytes() for image in (*first, *second)}) > 12
    again = function(same, argument, (1, index), SEED, STREAM).numpy()
    np.testing.assert_array_equal(first, again)


@pytest.mark.parametrize("word", ["random_contrast", "random_saturation"])
def test_a_factor_of_one_changes_nothing(colors, batch, word):
    out = getattr(colors, word)(batch, (1.0, 1.0), (1, np.arange(24)), 7, 1)
    np.testing.assert_array_equal(out, batch)


def test_a_hue_that_is_not_turned_changes_nothing(colors, batch):
    out = colors.random_hue(batch, 0.0, (1, np.arange(24)), 7, 1)
    np.testing.assert_array_equal(out, batch)


def test_no_saturation_is_gray_and_no_contrast_is_the_mean(colors, batch):
    gray = colors.random_saturation(batch, (0.0, 0.0), (1, np.arange(24)), 7, 1)
    most = np.broadcast_to(batch.max(-1, keepdims=True), batch.shape)
    np.testing.assert_array_equal(gray, most)
    flat = colors.random_contrast(batch, (0.0, 0.0), (1, np.arange(24)), 7, 1).numpy()
    mean = np.floor(batch.astype(float).mean((1, 2), keepdims=True) + 0.5)
    np.testing.assert_array_equal(flat, np.broadcast_to(mean, batch.shape))


def test_the_largest_factor_does_not_overflow(colors, batch):
    from tfpc.vocabulary.colors import LARGEST_FACTOR

    factor, key = (float(LARGEST_FACTOR),) * 2, (1, np.arange(24))
    out = colors.random_contrast(batch, factor, key, 7, 1).numpy()
    mean = batch.astype(float).mean((1, 2), keepdims=True)
    expected = np.clip(mean + LARGEST_FACTOR * (batch - mean), 0, 255)
    assert np.abs(out - expected).max() <= 1
    strongest = colors.random_saturation(batch, factor, key, 7, 1).numpy()
    assert (strongest.max(-1) == batch.max(-1)).all()
    colored = batch.max(-1) - batch.min(-1) > 2
    assert (strongest.min(-1)[colored] == 0).all()


def test_the_mean_of_a_large_picture_does_not_overflow(colors):
    white = np.full((3000, 3000, 1), 255, np.uint8)
    assert white.sum(dtype=np.int64) > 2**31
    out = colors.random_contrast(white, (0.5, 0.5), (1, np.int64(3)), 7, 1).numpy()
    assert (out == 255).all()
