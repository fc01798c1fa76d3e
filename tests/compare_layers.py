"""Layers beside those of Keras: what tests of several files draw and compare."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from tests.evaluate_fragment import evaluate
from tfpc.types.tensor import Content, Tensor
from tfpc.vocabulary.activation import ActivationName
from tfpc.vocabulary.layer import Layer
from tfpc.vocabulary.word import Mismatch

ACTIVATIONS = st.sampled_from(ActivationName.__args__)
SIZES = st.one_of(st.none(), st.integers(1, 9))
drawn = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)


def pairs(low: int, high: int) -> st.SearchStrategy:
    """A number for both sides, or one for each."""
    number = st.integers(low, high)
    return st.one_of(number, st.tuples(number, number))


def pictures(channels: st.SearchStrategy) -> st.SearchStrategy:
    """A batch of pictures, float32, with some sizes not known."""
    shapes = st.tuples(st.none(), SIZES, SIZES, channels)
    return shapes.map(lambda shape: Tensor("float32", shape, Content.IMAGE, 0, 1))


def features() -> st.SearchStrategy:
    """A batch of rank 2 to 4 with a known last axis."""
    inner = st.lists(SIZES, max_size=2)
    shapes = st.tuples(inner, st.integers(1, 5)).map(lambda s: (None, *s[0], s[1]))
    return shapes.map(lambda shape: Tensor("float32", shape, Content.OTHER, -2, 3))


def some(**arguments: st.SearchStrategy) -> st.SearchStrategy:
    """A dict of some of these arguments."""
    return st.fixed_dictionaries({}, optional=arguments)


def layer_in_keras(layer: Layer, tensor: Tensor, scope):
    """The Keras layer that the word's code makes, and its symbolic output."""
    made = evaluate(layer.code("this_name", 3), scope)
    given = scope["keras"].Input(tensor.shape[1:], dtype=tensor.dtype)
    return made, made(given)


def agree(layer: Layer, tensor: Tensor, scope):
    """Compares with Keras; returns the Keras layer, None if both refuse."""
    after = layer.transfer(tensor)
    if isinstance(after, Mismatch):
        # Keras refuses too, each in its own way.
        with pytest.raises((ValueError, TypeError)):
            layer_in_keras(layer, tensor, scope)
        return None
    made, out = layer_in_keras(layer, tensor, scope)
    assert after.shape == tuple(out.shape)
    assert after.dtype == out.dtype == "float32"
    assert after.content is Content.OTHER
    assert made.count_params() == layer.parameters(tensor)
    assert made.name == "this_name"
    return made


def assert_config(made, layer: Layer, *names: str) -> None:
    """What the spec leaves out or says is what Keras has."""
    config = made.get_config()
    for name in names:
        value, in_keras = getattr(layer, name), config[name]
        if isinstance(in_keras, tuple) and isinstance(value, int):
            value = (value,) * len(in_keras)
        assert in_keras == value, name
