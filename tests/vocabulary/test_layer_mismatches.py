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
SEQUENCE = Tensor("float32", (None, 8, 3))
SEQUENCE_OF_ANY_LENGTH = Tensor("float32", (None, None, 3))
BYTES = Tensor("uint8", (None, 8, 6, 3), Content.IMAGE, 0, 255)
CENTERED = Tensor("float32", (None, 10), Content.OTHER, -1, 1)
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
    ("layer_normalization", {}, ANY_CHANNELS, "how many channels", None),
    ("layer_normalization", {}, SCALAR, "a row of values", None),
    ("conv2d", {"filters": 4, "kernel_size": 3}, SEQUENCE, "needs pictures", None),
    ("average_pooling2d", {"pool_size": 9}, PICTURE, "9 x 9", "pool_size"),
    ("global_max_pooling2d", {}, ROW, "needs pictures", None),
    ("conv1d", {"filters": 4, "kernel_size": 3}, ROW, "needs sequences", None),
    ("conv1d", {"filters": 4, "kernel_size": 3}, PICTURE, "needs sequences", None),
    ("conv1d", {"filters": 4, "kernel_size": 3}, NO_RANK, "needs sequences", None),
    ("conv1d", {"filters": 4, "kernel_size": 9}, SEQUENCE, "of 9 does", "kernel_size"),
    (
        "conv1d",
        {"filters": 4, "kernel_size": 5, "dilation_rate": 2},
        SEQUENCE,
        "of 9 does not fit into the sequence",
        "kernel_size",
    ),
    (
        "conv1d",
        {"filters": 4, "kernel_size": 2, "strides": 2, "dilation_rate": 2},
        SEQUENCE,
        "can't both",
        "dilation_rate",
    ),
    ("max_pooling1d", {"pool_size": 9}, SEQUENCE, "of 9 does not fit", "pool_size"),
    ("average_pooling1d", {}, PICTURE, "needs sequences", None),
    ("global_average_pooling1d", {}, ROW, "needs sequences", None),
    ("global_max_pooling1d", {}, SCALAR, "needs sequences", None),
    (
        "embedding",
        {"input_dim": 2**24 + 1, "output_dim": 2},
        ROW,
        "can't tell 16,777,217 numbers apart",
        "input_dim",
    ),
    ("prelu", {}, ANY_SIZE, "how many values", None),
    ("prelu", {}, NO_RANK, "how many values", None),
    ("prelu", {"shared_axes": (2,)}, SEQUENCE_OF_ANY_LENGTH, "how many values", None),
    ("prelu", {"shared_axes": (1, 4)}, PICTURE, "no axis 4", "shared_axes"),
    ("prelu", {"shared_axes": (1,)}, SCALAR, "no axis 1", "shared_axes"),
]
FIXES = [
    ("conv2d", {"filters": 4, "kernel_size": 3}, SEQUENCE, "`conv1d`"),
    ("max_pooling1d", {}, PICTURE, "`max_pooling2d`"),
    ("global_average_pooling1d", {}, ROW, "`embedding`"),
    ("prelu", {}, ANY_SIZE, "`prelu(shared_axes = [1, 2])`"),
]


@pytest.mark.parametrize(("word", "arguments", "tensor", "fix"), FIXES)
def test_a_mismatch_names_the_word_that_fits(word, arguments, tensor, fix):
    assert fix in LAYERS[word](**arguments).transfer(tensor).fix


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
ARRANGING = {"residual", "repeat", "merge", "path", "add", "concat", "features"}


@pytest.mark.parametrize("word", sorted(set(LAYERS) - ARRANGING))
def test_text_is_refused_by_every_layer(word):
    arguments = {
        "dense": {"units": 2},
        "conv2d": {"filters": 2, "kernel_size": 1},
        "conv1d": {"filters": 2, "kernel_size": 1},
        "dropout": {"rate": 0.1},
        "embedding": {"input_dim": 2, "output_dim": 2},
    }.get(word, {})
    sizes = (4, 3) if word.endswith("1d") else (4, 4, 3)
    text = Tensor("string", (None, *sizes))
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
        ("layer_normalization", {}),
        ("average_pooling2d", {"pool_size": 9}),
        ("global_max_pooling2d", {}),
        ("embedding", {"input_dim": 2, "output_dim": 2}),
        ("prelu", {"shared_axes": (1, 2)}),
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
        ("layer_normalization", {"epsilon": 0}, "epsilon"),
        ("conv1d", {"filters": 2, "kernel_size": (3,)}, "kernel_size"),
        ("conv1d", {"filters": 2, "kernel_size": 3, "padding": "full"}, "padding"),
        ("max_pooling1d", {"strides": (2, 2)}, "strides"),
        ("average_pooling2d", {"padding": "causal"}, "padding"),
        ("embedding", {"input_dim": 0, "output_dim": 2}, "input_dim"),
        ("embedding", {"input_dim": 2**31, "output_dim": 2}, "input_dim"),
        ("embedding", {"input_dim": 2, "output_dim": 0}, "output_dim"),
        ("prelu", {"shared_axes": (0,)}, "shared_axes"),
        ("prelu", {"shared_axes": (1, 1)}, "shared_axes"),
        ("dense", {"units": 2, "activation": "prelu"}, "activation"),
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
    pooling = {word for word in LAYERS if "pooling" in word}
    assert len(pooling) == 8
    assert kept == {"flatten", "dropout"} | pooling


def keeps(cls) -> bool:
    """Whether a class says so; the property looks at nothing else."""
    return cls.keeps_activation.fget(None)
