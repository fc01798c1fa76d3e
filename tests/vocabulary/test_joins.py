"""Shapes of joined tensors are those of Keras, and what it refuses is refused."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.evaluate_fragment import evaluate
from tfpc.types.tensor import Content, Tensor
from tfpc.vocabulary.join import KERAS, join_code, joined
from tfpc.vocabulary.word import Mismatch

pytestmark = pytest.mark.tensorflow

SHAPES = st.lists(
    st.lists(st.sampled_from([1, 2, 3, None]), min_size=1, max_size=3).map(tuple),
    min_size=2,
    max_size=3,
)


def tensors_of(shapes):
    return [Tensor("float32", (None, *shape), Content.OTHER, -1, 1) for shape in shapes]


@pytest.mark.parametrize("how", KERAS)
@settings(max_examples=80, deadline=None, derandomize=True)
@given(shapes=SHAPES, equal=st.booleans())
def test_joined(how, shapes, equal):
    import keras

    if equal:
        shapes = [shapes[0]] * len(shapes)
    found = joined(how, tensors_of(shapes))
    layer = evaluate(join_code(how, "this_name"), {"keras": keras})
    assert layer.name == "this_name"
    if isinstance(found, Mismatch):
        assert len(set(shapes)) > 1
        return
    made = layer([keras.Input(shape) for shape in shapes])
    assert found.shape == tuple(made.shape)
    assert (found.low, found.high) == (None, None)


def test_what_can_not_be_joined():
    for how, shapes in (
        ("add", [(2,), (3,)]),
        ("add", [(2,), (1,)]),  # Keras would stretch the one to the other
        ("concat", [(2, 3), (3, 3)]),
        ("concat", [(2, 3), (3,)]),
    ):
        found = joined(how, tensors_of(shapes))
        assert isinstance(found, Mismatch)
        assert found.fix
    assert not isinstance(joined("concat", tensors_of([(2, 3), (2, 4)])), Mismatch)
