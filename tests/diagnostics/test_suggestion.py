"""Names that were probably meant."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfpc.diagnostics.suggestion import did_you_mean, nearest

STEPS = [
    "decode_jpeg",
    "decode_png",
    "random_crop",
    "random_flip",
    "random_zoom",
    "resize",
    "shuffle",
    "batch",
    "prefetch",
    "cache",
]
WORDS = [
    "accuracy",
    "learning_rate",
    "momentum",
    "batch_normalization",
    "global_average_pooling2d",
    "max_pooling2d",
    "crossentropy",
    "validation",
    "epochs",
]


@pytest.mark.parametrize(
    ("name", "candidates", "first"),
    [
        ("random_flips", STEPS, "random_flip"),
        ("randomflip", STEPS, "random_flip"),
        ("RandomFlip", STEPS, "random_flip"),
        ("random-flip", STEPS, "random_flip"),
        ("shufle", STEPS, "shuffle"),
        ("decode_jpg", STEPS, "decode_jpeg"),
        ("acc", WORDS, "accuracy"),
        ("lr", WORDS, "learning_rate"),
        ("epoch", WORDS, "epochs"),
        ("batch_norm", WORDS, "batch_normalization"),
        ("BatchNormalization", WORDS, "batch_normalization"),
        ("max_pool", WORDS, "max_pooling2d"),
        ("maxpooling2d", WORDS, "max_pooling2d"),
        ("cross_entropy", WORDS, "crossentropy"),
        ("val", WORDS, "validation"),
    ],
)
def test_the_nearest_comes_first(name: str, candidates: list[str], first: str) -> None:
    assert nearest(name, candidates)[0] == first


def test_nothing_is_near_to_something_else() -> None:
    assert nearest("xyzzy", STEPS + WORDS) == []
    assert nearest("", STEPS) == []


def test_there_are_no_more_than_asked_for() -> None:
    assert nearest("random_fla", STEPS, limit=1) == ["random_flip"]
    assert len(nearest("random", STEPS)) == 3


def test_the_sentence() -> None:
    assert did_you_mean("random_flips", STEPS) == (
        "did you mean `random_flip`? (also close: `random_crop`, `random_zoom`)"
    )
    assert did_you_mean("epochz", ["epochs"]) == "did you mean `epochs`?"
    assert did_you_mean("xyzzy", ["a", "b", "c"]) == "write one of `a`, `b` or `c`"
    assert did_you_mean("xyzzy", ["only"]) == "only `only` is possible here"
    assert did_you_mean("xyzzy", STEPS) == ""
    assert did_you_mean("xyzzy", []) == ""


@given(st.text(max_size=20), st.lists(st.text(max_size=20), max_size=8))
def test_any_names(name: str, candidates: list[str]) -> None:
    found = nearest(name, candidates)
    assert len(found) <= 3
    assert set(found) <= set(candidates)
    did_you_mean(name, candidates)
    if any(name and candidate == name for candidate in candidates) and _plain(name):
        assert _plain(found[0]) == _plain(name)


def _plain(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "").replace(" ", "")


def test_long_lists_take_little_time() -> None:
    many = [f"{word}_{number}" for word in WORDS for number in range(200)]
    started = time.perf_counter()
    nearest("learning_rte", many)
    assert time.perf_counter() - started < 0.5
