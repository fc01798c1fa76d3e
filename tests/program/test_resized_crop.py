"""Windows of random area and proportions: drawn as torchvision draws them, and exact."""

from __future__ import annotations

import math

import numpy as np
import pytest

pytestmark = pytest.mark.tensorflow

AREA, RATIO = (0.08, 1.0), (0.75, 1.3333)
SEED, STREAM, EPOCH = 7, 5, 2


@pytest.fixture(scope="module")
def jpeg():
    """A noisy picture of odd size, its colors stored at half the resolution."""
    import tensorflow as tf

    noise = np.random.default_rng(0).integers(0, 255, (101, 131, 3), np.uint8)
    smooth = tf.image.resize(noise[::8, ::8], [101, 131]).numpy().astype(np.uint8)
    return tf.io.encode_jpeg(smooth // 2 + noise // 2, quality=90)


def windows(size, count, area=AREA, ratio=RATIO, compiled=False):
    """int[count, 4]: top, left, height, width for the first examples."""
    import tensorflow as tf

    from tfpc.program.resized_crop import drawn_window

    @tf.function(jit_compile=compiled)
    def window(index):
        key = (tf.constant(EPOCH), index)
        drawn = drawn_window(tf.constant(size), area, ratio, key, SEED, STREAM)
        return tf.stack(drawn)

    return np.stack([window(tf.constant(n, tf.int64)) for n in range(count)])


def torchvisions(size, index, area, ratio):
    """The loop of torchvision's `get_params`, on the same random bits.

    Returns the window without its place, and whether one of ten tries fitted.
    """
    import tensorflow as tf

    from tfpc.program.randomness import draw

    height, width = size
    for number in range(10):
        at = tf.constant(index * 10 + number, tf.int64)
        first, second = (int(draw(SEED, STREAM + n, EPOCH, at)) for n in (0, 1))
        # A uniform share, and a uniform logarithm of 24 bits.
        share = area[0] + first / 2**32 * (area[1] - area[0])
        log = math.log(ratio[0]) + (second >> 8) / 2**24 * math.log(ratio[1] / ratio[0])
        pixels = height * width * share
        wide = round(math.sqrt(pixels * math.exp(log)))
        high = round(math.sqrt(pixels / math.exp(log)))
        if 0 < wide <= width and 0 < high <= height:
            return high, wide, True
    if width / height < ratio[0]:
        return round(width / ratio[0]), width, False
    if width / height > ratio[1]:
        return height, round(height * ratio[1]), False
    return height, width, False


@pytest.mark.parametrize("size", [(300, 400), (33, 20), (40, 90), (20, 300)])
@pytest.mark.parametrize("area", [AREA, (0.5, 1.0)])
def test_sizes_are_those_of_torchvisions_loop(size, area):
    found = windows(size, 60, area)
    fallbacks = 0
    for index, (top, left, height, width) in enumerate(found):
        high, wide, fitted = torchvisions(size, index, area, RATIO)
        assert (height, width) == (high, wide)
        fallbacks += not fitted
        if not fitted:
            assert (top, left) == ((size[0] - high) // 2, (size[1] - wide) // 2)
    if size == (20, 300) and area != AREA:
        assert fallbacks == 60
    if size == (300, 400):
        assert fallbacks < 5


@pytest.mark.parametrize(
    "size", [(1, 1), (1, 4000), (4000, 1), (2, 3), (65_536, 65_536), (300, 400)]
)
@pytest.mark.parametrize("ratio", [RATIO, (0.01, 100.0), (2.0, 2.0)])
@pytest.mark.parametrize("area", [AREA, (1.0, 1.0), (1e-12, 1e-12)])
def test_a_window_is_inside_and_not_empty(size, ratio, area):
    top, left, height, width = windows(size, 40, area, ratio).T
    assert (top >= 0).all()
    assert (left >= 0).all()
    assert (height >= 1).all()
    assert (width >= 1).all()
    assert (top + height <= size[0]).all()
    assert (left + width <= size[1]).all()


def test_the_same_in_eager_graph_and_xla():
    import tensorflow as tf

    from tfpc.program.resized_crop import drawn_window

    graph, compiled = windows((300, 400), 80), windows((300, 400), 80, compiled=True)
    np.testing.assert_array_equal(graph, compiled)
    for index in range(80):
        key = (EPOCH, tf.constant(index, tf.int64))
        eager = drawn_window(tf.constant([300, 400]), AREA, RATIO, key, SEED, STREAM)
        assert [int(part) for part in eager] == list(graph[index])


def test_areas_ratios_and_places_are_spread():
    top, left, height, width = windows((600, 600), 3000, (0.1, 0.5)).T
    shares, ratios = height * width / 360_000, width / height
    quarters = [0.25, 0.5, 0.75]
    assert np.quantile(shares, quarters) == pytest.approx([0.2, 0.3, 0.4], abs=0.015)
    logs = np.quantile(np.log(ratios), quarters)
    assert logs == pytest.approx([-0.144, 0, 0.144], abs=0.015)
    places = top / (600 - height), left / (600 - width)
    for place in places:
        assert np.quantile(place, quarters) == pytest.approx(quarters, abs=0.03)
    # No draw says anything about another one.
    related = np.corrcoef([*places, shares, np.log(ratios)]) - np.eye(4)
    assert np.abs(related).max() < 0.06


def test_ratios_take_24_bits_exactly():
    import tensorflow as tf

    from tfpc.program.resized_crop import ratio_between

    bits = np.random.default_rng(0).integers(0, 2**32, 5000, np.uint32)
    bits[:3] = 0, 2**32 - 1, 2**31
    found = ratio_between(tf.constant(bits), *RATIO).numpy()
    expected = RATIO[0] * (RATIO[1] / RATIO[0]) ** ((bits >> 8) / 2**24)
    np.testing.assert_allclose(found, expected, rtol=1e-14)
    assert found[0] == RATIO[0]
    # The lower eight bits count for nothing, the next one does.
    low = ratio_between(tf.constant([0, 255, 256], tf.uint32), *RATIO).numpy()
    assert low[0] == low[1] < low[2]


@pytest.mark.parametrize("antialias", [False, True])
@pytest.mark.parametrize("area", [AREA, (0.005, 0.02)])
def test_decoding_the_window_alone_is_exact(jpeg, antialias, area):
    import tensorflow as tf

    from tfpc.program.resized_crop import (
        decode_and_random_resized_crop,
        random_resized_crop,
    )

    def arguments(index):
        return area, RATIO, (tf.constant(0), index), SEED, STREAM

    @tf.function
    def part(index):
        return decode_and_random_resized_crop(
            jpeg, 24, 32, 3, *arguments(index), antialias=antialias
        )

    @tf.function
    def whole(index):
        image = tf.io.decode_jpeg(jpeg, channels=3)
        return random_resized_crop(
            image, 24, 32, *arguments(index), antialias=antialias
        )

    seen = set()
    for number in range(120):
        index = tf.constant(number, tf.int64)
        cut = whole(index).numpy()
        np.testing.assert_array_equal(part(index).numpy(), cut)
        seen.add(cut.tobytes())
    assert len(seen) > 110


def test_it_is_a_slice_that_is_resized_as_tensorflow_does(jpeg):
    import tensorflow as tf

    from tfpc.program.resized_crop import random_resized_crop

    image = tf.io.decode_jpeg(jpeg, channels=3)
    found = windows((101, 131), 10)
    for number, (top, left, height, width) in enumerate(found):
        key = (EPOCH, tf.constant(number, tf.int64))
        out = random_resized_crop(
            image, 24, 32, AREA, RATIO, key, SEED, STREAM, antialias=False
        )
        window = image[top : top + height, left : left + width]
        expected = tf.round(tf.image.resize(window, [24, 32]))
        np.testing.assert_array_equal(out, tf.cast(expected, tf.uint8))
