"""What a layer says of an input that it can't act on, and of wrong arguments."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from tfpc.types.tensor import Content, Tensor
from tfpc.vocabulary.registry import words
from tfpc.vocabulary.word import Mismatch

LAYERS = words("layer")
ROW = Tensor("float32", (None, 10))
PICTURE = Tensor("float32", (None, 8, 6, 3), Content.IMAGE)
ANY_SIZE = Tensor("float32", (None, None, None, 3), Content.IMAGE)
ANY_CHANNELS = Tensor("float32", (None, 8, 6, None), Content.IMAGE)
SCALAR = Tensor("float32", (None,))
NO_RANK = Tensor("float32", None)
CASES = [
    ("conv2d", {"filters": 4, "kernel_size": 3}, ROW, "needs pictures", None),
    ("conv2d", {"filters": 4, "kernel_size": 3}, NO_RANK, "needs pictures", None),
    ("conv2d", {"filters": 4, "kernel_size": 3}, ANY_CHANNELS, "how many chan", None),
    ("conv2d", {"filters": 4, "kernel_size": 7}, PICTURE, "7 x 7", "kernel_size"),
    ("conv2d", {"filters": 4, "kernel_size": (1, 7)}, PICTURE, "1 x 7", "kernel_size"),
    (
        "conv2d",
        {"filters": 4, "kernel_size": 4, "dilation_rate": 2},
        PICTURE,
        "7 x 7",
        "kernel_size",
    ),
    (
        "conv2d",
        {"filters": 4, "kernel_size": 2, "strides": 2, "dilation_rate": (1, 2)},
        PICTURE,
        "can't both",
        "dilation_rate",
    ),
    ("max_pooling2d", {}, ROW, "needs pictures", None),
    ("max_pooling2d", {"pool_size": 9}, PICTURE, "9 x 9", "pool_size"),
    ("global_average_pooling2d", {}, ROW, "needs pictures", None),
    ("dense", {"units": 4}, ANY_CHANNELS, "how many channels", None),
    ("dense", {"units": 4}, Tensor("float32", (None, None)), "how many inputs", None),
    ("dense", {"units": 4}, SCALAR, "a row of values", None),
    ("dense", {"units": 4}, NO_RANK, "a row of values", None),
    ("softmax", {}, SCALAR, "a row of values", None),
    ("flatten", {}, ANY_SIZE, "the size of the pictures", None),
    ("flatten", {}, NO_RANK, "the size of the pictures", None),
    ("batch_normalization", {}, ANY_CHANNELS, "how many channels", None),
]


@pytest.mark.parametrize(("word", "arguments", "tensor", "said", "argument"), CASES)
def test_a_mismatch_says_what_and_what_to_do(word, arguments, tensor, said, argument):
    mismatch = LAYERS[word](**arguments).transfer(tensor)
    assert isinstance(mismatch, Mismatch)
    assert said in mismatch.headline
    assert mismatch.label
    assert mismatch.why.endswith(".")
    assert mismatch.fix
    assert mismatch.argument == argument


# They act on other layers, or on what those gave.
ARRANGING = {"residual", "repeat", "merge", "path", "add", "concat"}


@pytest.mark.parametrize("word", sorted(set(LAYERS) - ARRANGING))
def test_text_is_refused_by_every_layer(word):
    arguments = {
        "dense": {"units": 2},
        "conv2d": {"filters": 2, "kernel_size": 1},
        "dropout": {"rate": 0.1},
    }.get(word, {})
    text = Tensor("string", (None, 4, 4, 3))
    mismatch = LAYERS[word](**arguments).transfer(text)
    assert isinstance(mismatch, Mismatch)
    assert "numbers" in mismatch.headline


@pytest.mark.parametrize(
    ("word", "arguments"),
    [
        ("dense", {"units": 4}),
        ("conv2d", {"filters": 4, "kernel_size": 9}),
        ("max_pooling2d", {"pool_size": 9}),
        ("global_average_pooling2d", {}),
        ("batch_normalization", {}),
        ("relu", {}),
    ],
)
def test_unknown_height_and_width_are_allowed(word, arguments):
    assert isinstance(LAYERS[word](**arguments).transfer(ANY_SIZE), Tensor)


def test_padding_same_has_room_for_every_window():
    layer = LAYERS["conv2d"](filters=4, kernel_size=20, padding="same", strides=3)
    assert layer.transfer(PICTURE).shape == (None, 3, 2, 4)


@pytest.mark.parametrize(
    ("word", "arguments", "blamed"),
    [
        ("dense", {"units": 0}, "units"),
        ("dense", {"units": 2.0}, "units"),
        ("dense", {"units": 2, "activation": "rellu"}, "activation"),
        ("conv2d", {"filters": 2, "kernel_size": (3,)}, "kernel_size"),
        ("conv2d", {"filters": 2, "kernel_size": (3, 3, 3)}, "kernel_size"),
        ("conv2d", {"filters": 2, "kernel_size": 0}, "kernel_size"),
        ("conv2d", {"filters": 2, "kernel_size": 3, "padding": "full"}, "padding"),
        ("dropout", {"rate": 1}, "rate"),
        ("dropout", {"rate": -0.1}, "rate"),
        ("batch_normalization", {"epsilon": 0}, "epsilon"),
        ("repeat", {"count": 0}, "count"),
        ("residual", {"shortcut": "same"}, "shortcut"),
        ("residual", {"shortcut": words("optimizer")["sgd"]}, "shortcut"),
    ],
)
def test_wrong_arguments_are_blamed(word, arguments, blamed):
    with pytest.raises(ValidationError) as failure:
        LAYERS[word](**arguments)
    assert {error["loc"][0] for error in failure.value.errors()} == {blamed}


def test_a_shortcut_is_identity_or_a_layer():
    projection = LAYERS["conv2d"](filters=4, kernel_size=1)
    assert LAYERS["residual"]().shortcut == "identity"
    assert LAYERS["residual"](shortcut=projection).shortcut is projection
    assert LAYERS["residual"].has_body
    assert LAYERS["repeat"].has_body


def test_what_only_selects_keeps_the_activation():
    kept = {word for word, cls in LAYERS.items() if keeps(cls)}
    assert kept == {"flatten", "dropout", "max_pooling2d", "global_average_pooling2d"}


def keeps(cls) -> bool:
    """Whether a class says so; the property looks at nothing else."""
    return cls.keeps_activation.fget(None)
