"""Layers on sequences and on numbers of words: types and weights are those of Keras."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.compare_layers import (
    ACTIVATIONS,
    SIZES,
    agree,
    assert_config,
    drawn,
    some,
)
from tests.evaluate_fragment import evaluate
from tfpc.types.tensor import Content, Tensor
from tfpc.vocabulary.registry import words
from tfpc.vocabulary.window import along, places

pytestmark = pytest.mark.tensorflow

LAYERS = words("layer")


@pytest.fixture(scope="module")
def scope():
    """What a fragment of a layer finds in the program."""
    import keras

    return {"keras": keras}


def sequences(channels: st.SearchStrategy) -> st.SearchStrategy:
    """A batch of sequences, float32, of a length that may not be known."""
    shapes = st.tuples(st.none(), SIZES, channels)
    return shapes.map(lambda shape: Tensor("float32", shape, Content.OTHER, 0, 1))


@settings(drawn, max_examples=150)
@given(
    st.fixed_dictionaries(
        {"filters": st.integers(1, 5), "kernel_size": st.integers(1, 4)},
        optional={
            "strides": st.integers(1, 3),
            "padding": st.sampled_from(["valid", "same", "causal"]),
            "activation": ACTIVATIONS,
            "use_bias": st.booleans(),
            "dilation_rate": st.integers(1, 3),
        },
    ),
    sequences(st.integers(1, 4)),
)
def test_conv1d(scope, arguments, tensor):
    layer = LAYERS["conv1d"](**arguments)
    made = agree(layer, tensor, scope)
    if made is not None:
        assert_config(made, layer, *type(layer).model_fields)


@pytest.mark.parametrize("word", ["max_pooling1d", "average_pooling1d"])
@settings(drawn, max_examples=80)
@given(
    arguments=some(
        pool_size=st.integers(1, 4),
        strides=st.integers(1, 4),
        padding=st.sampled_from(["valid", "same"]),
    ),
    tensor=sequences(st.integers(1, 4)),
)
def test_pooling1d(scope, word, arguments, tensor):
    layer = LAYERS[word](**arguments)
    made = agree(layer, tensor, scope)
    if made is not None:
        assert_config(made, layer, "pool_size", "padding")
        assert made.get_config()["strides"] == (layer.strides or layer.pool_size,)


@pytest.mark.parametrize("word", ["global_average_pooling1d", "global_max_pooling1d"])
@settings(drawn, max_examples=20)
@given(tensor=sequences(st.one_of(st.none(), st.integers(1, 5))))
def test_global_pooling1d(scope, word, tensor):
    agree(LAYERS[word](), tensor, scope)


def test_a_causal_step_sees_no_later_one(scope):
    layer = LAYERS["conv1d"](filters=2, kernel_size=3, padding="causal")
    made = evaluate(layer.code("this_name", 3), scope)
    given_ = np.random.default_rng(0).normal(size=(1, 8, 2)).astype(np.float32)
    changed = given_.copy()
    changed[:, 5:] += 1
    before, after = made(given_).numpy(), made(changed).numpy()
    assert (before[:, :5] == after[:, :5]).all()
    assert (before[:, 5:] != after[:, 5:]).all()


@drawn
@given(
    st.integers(1, 40),
    st.integers(1, 5),
    st.lists(SIZES, max_size=2),
    st.sampled_from(["int64", "float32"]),
)
def test_embedding(scope, input_dim, output_dim, sizes, dtype):
    layer = LAYERS["embedding"](input_dim=input_dim, output_dim=output_dim)
    tensor = Tensor(dtype, (None, *sizes), Content.OTHER, 0, input_dim - 1)
    made = agree(layer, tensor, scope)
    assert_config(made, layer, "input_dim", "output_dim")


@pytest.mark.parametrize("dtype", ["int64", "float32"])
def test_the_largest_embedding_tells_all_numbers_apart(dtype):
    """Below other layers numbers are float32, which Keras casts back."""
    largest = 2**24
    assert int(np.float32(largest - 1)) == largest - 1
    assert int(np.float32(largest + 1)) != largest + 1
    numbers = Tensor(dtype, (None, 3))
    layer = LAYERS["embedding"](input_dim=largest, output_dim=1)
    assert isinstance(layer.transfer(numbers), Tensor)
    larger = LAYERS["embedding"](input_dim=2**31 - 1, output_dim=1)
    assert isinstance(larger.transfer(numbers), Tensor) == (dtype == "int64")


@pytest.mark.parametrize(
    ("sizes", "shared", "slopes"),
    [
        ((6,), None, 6),
        ((4, 5, 3), None, 60),
        ((4, 5, 3), (1, 2), 3),
        ((None, None, 3), (1, 2), 3),
        ((4, 5, 3), (3,), 20),
        ((7, 2), (1,), 2),
        ((), None, 1),
    ],
)
def test_prelu(scope, sizes, shared, slopes):
    layer = LAYERS["prelu"](shared_axes=shared)
    tensor = Tensor("float32", (None, *sizes), Content.OTHER, -1, 1)
    agree(layer, tensor, scope)
    assert layer.parameters(tensor) == slopes
    assert layer.transfer(tensor).low is None
    assert layer.output_activation == "prelu"


def test_layer_normalization_takes_each_example_by_itself(scope):
    made = evaluate(LAYERS["layer_normalization"]().code("this_name", 3), scope)
    given_ = np.random.default_rng(0).normal(3, 2, (5, 40)).astype(np.float32)
    training, evaluating = (made(given_, training=flag).numpy() for flag in (1, 0))
    np.testing.assert_allclose(training.mean(-1), 0, atol=1e-5)
    np.testing.assert_allclose(training.std(-1), 1, atol=1e-2)
    assert (training == evaluating).all()


def test_windows_along_one_axis_or_two():
    assert along(1, 3) == (3,)
    assert along(2, 3) == (3, 3)
    assert along(2, (3, 4)) == (3, 4)
    assert places(7, 3, 2, "causal") == places(7, 3, 2, "same") == 4
    assert places(7, 3, 2, "valid") == 3
