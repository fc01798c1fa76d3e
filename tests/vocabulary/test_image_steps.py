"""Types and ranges of steps on pictures are what TensorFlow gives, for one and many."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.evaluate_fragment import evaluate
from tfpc.types.fragment import name
from tfpc.types.tensor import Content, Tensor
from tfpc.vocabulary.number_range import Range
from tfpc.vocabulary.registry import words
from tfpc.vocabulary.step import Step
from tfpc.vocabulary.word import Mismatch

pytestmark = pytest.mark.tensorflow

STEPS = words("step")
SIZES = st.integers(1, 12)
METHODS = ["bilinear", "nearest", "bicubic", "area", "lanczos3", "lanczos5", "gaussian"]
COLORS = st.sampled_from(
    ["random_brightness", "random_contrast", "random_saturation", "random_hue"]
)
RANGES = st.tuples(st.floats(0.01, 1), st.floats(0.01, 1)).map(sorted)
BATCH = 3
drawn = settings(
    max_examples=30,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)


@pytest.fixture(scope="module")
def scope():
    """What a fragment of a step finds in the program."""
    import tensorflow as tf

    from tfpc.program import image_colors, images, resized_crop

    parts: dict[str, object] = {}
    for module in (images, image_colors, resized_crop):
        parts |= {key: value for key, value in vars(module).items() if callable(value)}
    return {**parts, "tf": tf, "SEED": 42}


@st.composite
def pictures(draw: st.DrawFn) -> tuple[Tensor, np.ndarray]:
    """A type, of which height and width may be unknown, and three such pictures."""
    height, width, channels = draw(st.tuples(SIZES, SIZES, st.sampled_from([1, 3])))
    dtype = draw(st.sampled_from(["uint8", "float32"]))
    high = 255 if dtype == "uint8" else draw(st.sampled_from([1, 255]))
    known = draw(st.booleans())
    shape = (height if known else None, width if known else None, channels)
    rng = np.random.default_rng(draw(st.integers(0, 9)))
    # Both ends of the range are there, so that what overshoots does.
    values = rng.choice([0.0, 0.3, 1.0], (BATCH, height, width, channels)) * high
    return Tensor(dtype, shape, Content.IMAGE, 0, high), values.astype(dtype)


def run(step: Step, tensor: Tensor, values: np.ndarray, batched: bool, scope):
    """The step in a graph: the static type that TensorFlow finds, and the values."""
    tf = scope["tf"]
    spec = tensor.batched(BATCH) if batched else tensor
    index = tf.TensorSpec([BATCH] if batched else [], tf.int64)

    @tf.function(input_signature=[tf.TensorSpec(spec.shape, spec.dtype), index])
    def graph(image, index):
        inside = {**scope, "image": image, "epoch": tf.constant(1), "index": index}
        return evaluate(step.code(name("image"), tensor, 5), inside)

    numbers = tf.range(BATCH, dtype=tf.int64)
    out = graph(*((values, numbers) if batched else (values[0], numbers[0])))
    static = graph.get_concrete_function().structured_outputs
    return static, out.numpy()


def check(step: Step, tensor: Tensor, values: np.ndarray, scope) -> None:
    """Compares type and range for one picture and for a batch, and the two."""
    after = step.transfer_tensor(tensor)
    if isinstance(after, Mismatch):
        import tensorflow as tf

        with pytest.raises((ValueError, tf.errors.InvalidArgumentError)):
            run(step, tensor, values, False, scope)
        return
    single = check_type(step, tensor, values, False, after, scope)
    if not step.batchable:
        return
    batch = check_type(step, tensor, values, True, after.batched(BATCH), scope)
    assert (batch[0] == single).all()
    if step.moves_values:
        assert set(np.unique(batch)) <= set(np.unique(values))


def check_type(step, tensor, values, batched, wanted, scope) -> np.ndarray:
    """Static type, values' own type, and their range."""
    static, out = run(step, tensor, values, batched, scope)
    assert tuple(static.shape) == wanted.shape
    assert static.dtype.name == out.dtype.name == wanted.dtype
    assert wanted.content is Content.IMAGE
    slack = 0 if wanted.is_integer else 1e-4 * max(abs(wanted.high or 0), 1)
    assert wanted.low is None or out.min() >= wanted.low - slack
    assert wanted.high is None or out.max() <= wanted.high + slack
    return out


def fits(step: Step, values: np.ndarray) -> bool:
    """Whether a crop's window is inside; only the program knows with `?` sizes."""
    padding = 2 * getattr(step, "padding", 0)
    _, height, width, _ = values.shape
    return step.height <= height + padding and step.width <= width + padding


@drawn
@given(pictures(), SIZES, SIZES, st.sampled_from(METHODS), st.booleans())
def test_resize(scope, picture, height, width, method, antialias):
    arguments = {"method": method, "antialias": antialias}
    check(STEPS["resize"](height=height, width=width, **arguments), *picture, scope)


@drawn
@given(pictures(), SIZES, SIZES, st.integers(0, 3))
def test_random_crop(scope, picture, height, width, padding):
    tensor, values = picture
    step = STEPS["random_crop"](height=height, width=width, padding=padding)
    if tensor.is_static:
        assert isinstance(step.transfer_tensor(tensor), Tensor) == fits(step, values)
    if fits(step, values):
        check(step, tensor, values, scope)


@drawn
@given(pictures(), SIZES, SIZES)
def test_center_crop(scope, picture, height, width):
    tensor, values = picture
    step = STEPS["center_crop"](height=height, width=width)
    if tensor.is_static:
        assert isinstance(step.transfer_tensor(tensor), Tensor) == fits(step, values)
    if fits(step, values):
        check(step, tensor, values, scope)


@drawn
@given(pictures(), st.sampled_from(["horizontal", "vertical"]))
def test_random_flip(scope, picture, direction):
    check(STEPS["random_flip"](direction=direction), *picture, scope)


@drawn
@given(pictures(), st.data())
def test_normalize(scope, picture, data):
    tensor, _ = picture
    channels = tensor.shape[-1]
    counts = st.sampled_from([1, channels])
    numbers = st.floats(-200, 200, width=16)
    deviations = st.floats(0.5, 100, width=16)
    mean = data.draw(counts.flatmap(lambda n: st.tuples(*[numbers] * n)))
    std = data.draw(counts.flatmap(lambda n: st.tuples(*[deviations] * n)))
    check(STEPS["normalize"](mean=mean, std=std), *picture, scope)


@drawn
@given(pictures(), SIZES, SIZES, RANGES, RANGES, st.booleans())
def test_random_resized_crop(scope, picture, height, width, area, ratio, antialias):
    step = STEPS["random_resized_crop"](
        height=height,
        width=width,
        area=Range(*area),
        ratio=Range(2 * ratio[0], 2 * ratio[1]),
        antialias=antialias,
    )
    assert not step.batchable
    assert not step.moves_values
    check(step, *picture, scope)


@drawn
@given(pictures(), COLORS, RANGES)
def test_colors(scope, picture, word, factor):
    tensor, _ = picture
    by_factor = word in ("random_contrast", "random_saturation")
    arguments = {"factor": Range(factor[0] - 0.01, 3 * factor[1])}
    step = STEPS[word](**(arguments if by_factor else {"max_delta": factor[1] / 2}))
    needs_color = word in ("random_saturation", "random_hue")
    fitting = tensor.dtype == "uint8" and (tensor.shape[-1] == 3 or not needs_color)
    assert isinstance(step.transfer_tensor(tensor), Tensor) == fitting
    if fitting:
        check(step, *picture, scope)


def test_zeros_of_a_crop_widen_the_range(scope):
    tensor = Tensor("float32", (6, 6, 1), Content.IMAGE, 2, 3)
    values = np.full((BATCH, 6, 6, 1), 2.5, np.float32)
    step = STEPS["random_crop"](height=10, width=10, padding=2)
    assert step.transfer_tensor(tensor).low == 0
    check(step, tensor, values, scope)
    negative = replace(tensor, low=-3, high=-2)
    assert step.transfer_tensor(negative).high == 0
    check(step, negative, -values, scope)


CHANNELS = [("jpeg", 1), ("jpeg", 3), ("png", 1), ("png", 3), ("png", 4)]


@pytest.mark.parametrize(("kind", "channels"), CHANNELS)
def test_decoders(scope, kind, channels):
    tf = scope["tf"]
    pixels = np.random.default_rng(0).integers(0, 256, (7, 5, 3), np.uint8)
    contents = getattr(tf.io, f"encode_{kind}")(pixels)
    step = STEPS[f"decode_{kind}"](channels=channels)
    tensor = Tensor("string", (), Content.ENCODED_IMAGE)
    after = step.transfer_tensor(tensor)

    @tf.function(input_signature=[tf.TensorSpec([], tf.string)])
    def graph(image):
        return evaluate(step.code(name("image"), tensor, 0), {**scope, "image": image})

    static = graph.get_concrete_function().structured_outputs
    assert tuple(static.shape) == after.shape == (None, None, channels)
    assert static.dtype.name == after.dtype == "uint8"
    assert (after.low, after.high) == (0, 255)
    assert after.content is Content.IMAGE
    assert graph(contents).shape == (7, 5, channels)
