"""Shapes, dtypes, ranges and counts of weights are those of Keras."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.compare_layers import (
    ACTIVATIONS,
    agree,
    assert_config,
    drawn,
    features,
    pairs,
    pictures,
    some,
)
from tests.evaluate_fragment import evaluate
from tfpc.types.tensor import Content, Tensor
from tfpc.vocabulary.activation import RANGES, ActivationName
from tfpc.vocabulary.registry import words

pytestmark = pytest.mark.tensorflow

LAYERS = words("layer")


@pytest.fixture(scope="module")
def scope():
    """What a fragment of a layer finds in the program."""
    import keras
    import tensorflow as tf

    from tfpc.program.dropout import CounterDropout

    clock = tf.Variable(0, dtype=tf.int64)
    return {
        "keras": keras,
        "tf": tf,
        "CounterDropout": CounterDropout,
        "SEED": 42,
        "BATCH": 32,
        "clock": clock,
    }


@drawn
@given(
    st.integers(1, 7),
    some(activation=ACTIVATIONS, use_bias=st.booleans()),
    features(),
)
def test_dense(scope, units, arguments, tensor):
    layer = LAYERS["dense"](units=units, **arguments)
    made = agree(layer, tensor, scope)
    assert_config(made, layer, "units", "activation", "use_bias")


@settings(drawn, max_examples=150)
@given(
    st.fixed_dictionaries(
        {"filters": st.integers(1, 5), "kernel_size": pairs(1, 4)},
        optional={
            "strides": pairs(1, 3),
            "padding": st.sampled_from(["valid", "same"]),
            "activation": ACTIVATIONS,
            "use_bias": st.booleans(),
            "dilation_rate": pairs(1, 3),
        },
    ),
    pictures(st.integers(1, 4)),
)
def test_conv2d(scope, arguments, tensor):
    layer = LAYERS["conv2d"](**arguments)
    made = agree(layer, tensor, scope)
    if made is not None:
        assert_config(made, layer, *type(layer).model_fields)


@settings(drawn, max_examples=100)
@given(
    some(
        pool_size=pairs(1, 4),
        strides=pairs(1, 4),
        padding=st.sampled_from(["valid", "same"]),
    ),
    pictures(st.integers(1, 4)),
)
def test_max_pooling2d(scope, arguments, tensor):
    layer = LAYERS["max_pooling2d"](**arguments)
    made = agree(layer, tensor, scope)
    if made is not None:
        assert_config(made, layer, "pool_size", "padding")
        strides = layer.strides or layer.pool_size
        wanted = strides if isinstance(strides, tuple) else (strides, strides)
        assert made.get_config()["strides"] == wanted


@drawn
@given(pictures(st.one_of(st.none(), st.integers(1, 5))))
def test_global_average_pooling2d(scope, tensor):
    agree(LAYERS["global_average_pooling2d"](), tensor, scope)


@settings(drawn, max_examples=100)
@given(
    some(
        pool_size=pairs(1, 4),
        strides=pairs(1, 4),
        padding=st.sampled_from(["valid", "same"]),
    ),
    pictures(st.integers(1, 4)),
)
def test_average_pooling2d(scope, arguments, tensor):
    layer = LAYERS["average_pooling2d"](**arguments)
    made = agree(layer, tensor, scope)
    if made is not None:
        assert_config(made, layer, "pool_size", "padding")


@drawn
@given(pictures(st.one_of(st.none(), st.integers(1, 5))))
def test_global_max_pooling2d(scope, tensor):
    agree(LAYERS["global_max_pooling2d"](), tensor, scope)


@drawn
@given(st.lists(st.integers(1, 9), max_size=3))
def test_flatten(scope, sizes):
    agree(LAYERS["flatten"](), Tensor("float32", (None, *sizes)), scope)


@drawn
@given(
    some(
        momentum=st.floats(0, 0.999),
        epsilon=st.floats(1e-6, 1),
        center=st.booleans(),
        scale=st.booleans(),
    ),
    features(),
)
def test_batch_normalization(scope, arguments, tensor):
    layer = LAYERS["batch_normalization"](**arguments)
    made = agree(layer, tensor, scope)
    assert_config(made, layer, *type(layer).model_fields)


@drawn
@given(
    some(epsilon=st.floats(1e-6, 1), center=st.booleans(), scale=st.booleans()),
    features(),
)
def test_layer_normalization(scope, arguments, tensor):
    layer = LAYERS["layer_normalization"](**arguments)
    made = agree(layer, tensor, scope)
    assert_config(made, layer, *type(layer).model_fields)


@drawn
@given(st.floats(0, 0.99), features())
def test_dropout(scope, rate, tensor):
    agree(LAYERS["dropout"](rate=rate), tensor, scope)


PLAIN = sorted({*ActivationName.__args__} - {"linear"} | {"leaky_relu"})


@pytest.mark.parametrize("word", PLAIN)
@settings(drawn, max_examples=10)
@given(tensor=features())
def test_activations(scope, word, tensor):
    agree(LAYERS[word](), tensor, scope)


@pytest.mark.parametrize("word", PLAIN)
def test_values_lie_in_the_range_that_is_stated(scope, word):
    spread = np.random.default_rng(0).normal(0, 9, (200, 7)).astype(np.float32)
    layer = LAYERS[word]()
    after = layer.transfer(Tensor("float32", (None, 7), Content.OTHER, -99, 99))
    values = evaluate(layer.code("this_name", 3), scope)(spread).numpy()
    assert (after.low, after.high) == RANGES.get(word, (None, None))
    assert after.low is None or values.min() >= after.low
    assert after.high is None or values.max() <= after.high
    # A bound that Keras does not come near would be a wrong one.
    assert after.low is None or values.min() < after.low + 0.05
    assert after.high is None or values.max() > after.high - 0.05


@pytest.mark.parametrize("word", sorted(set(PLAIN) - {"leaky_relu"}))
def test_an_activation_as_an_argument_is_the_layer_of_that_name(scope, word):
    tensor = Tensor("float32", (None, 4))
    dense = LAYERS["dense"](units=4, activation=word)
    with_layer = LAYERS[word]().transfer(LAYERS["dense"](units=4).transfer(tensor))
    assert dense.transfer(tensor) == with_layer
    assert dense.output_activation == LAYERS[word]().output_activation == word


@pytest.mark.parametrize("word", [word for word in LAYERS if "pooling" in word])
def test_pooling_stays_in_the_range_of_its_input(scope, word):
    sizes = (5, 2) if word.endswith("1d") else (5, 5, 2)
    given = np.random.default_rng(0).uniform(2, 3, (4, *sizes)).astype(np.float32)
    arguments = {} if word.startswith("global") else {"padding": "same"}
    layer = LAYERS[word](**arguments)
    after = layer.transfer(Tensor("float32", (None, *sizes), Content.IMAGE, 2, 3))
    values = evaluate(layer.code("this_name", 3), scope)(given).numpy()
    assert (after.low, after.high) == (2, 3)
    assert values.min() >= 2
    assert values.max() <= 3
    assert layer.keeps_activation


@pytest.mark.parametrize(
    ("word", "arguments"),
    [
        ("dense", {"units": 3}),
        ("conv2d", {"filters": 3, "kernel_size": 2}),
        ("max_pooling2d", {}),
        ("global_average_pooling2d", {}),
        ("average_pooling2d", {}),
        ("global_max_pooling2d", {}),
        ("embedding", {"input_dim": 256, "output_dim": 3}),
        ("prelu", {}),
        ("layer_normalization", {}),
        ("flatten", {}),
        ("batch_normalization", {}),
        ("dropout", {"rate": 0.5}),
        ("softmax", {}),
    ],
)
def test_whole_numbers_give_float32(scope, word, arguments):
    """The program casts them before the model, so Keras is given floats."""
    layer = LAYERS[word](**arguments)
    bytes_ = Tensor("uint8", (None, 4, 4, 3), Content.IMAGE, 0, 255)
    floats = Tensor("float32", (None, 4, 4, 3), Content.IMAGE, 0, 255)
    assert layer.transfer(bytes_) == layer.transfer(floats)
    agree(layer, floats, scope)


def test_dropout_draws_the_share_that_is_asked_for(scope):
    made = evaluate(LAYERS["dropout"](rate=0.3).code("this_name", 3), scope)
    ones = np.ones((100, 200), np.float32)
    first = made(ones, training=True).numpy()
    again = made(ones, training=True).numpy()
    scope["clock"].assign_add(1)
    later = made(ones, training=True).numpy()
    assert 0.28 < (first == 0).mean() < 0.32
    np.testing.assert_allclose(first[first != 0], 1 / 0.7, rtol=1e-6)
    assert (first == again).all()
    assert 0.38 < (first != later).mean() < 0.46
    assert (made(ones, training=False).numpy() == 1).all()
