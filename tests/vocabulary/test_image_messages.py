"""What is said of mistakes in steps on colors, windows and labels."""

from __future__ import annotations

import pytest

from tfpc.diagnostics.diagnostic import Severity
from tfpc.diagnostics.span import Source
from tfpc.diagnostics.text import render_all
from tfpc.driver import Options, check
from tfpc.rules.standard import whole_spec

SPEC = """
data digits {{
  train = tfrecord("train-*.tfrecord")
  schema {{
    image = string
    label = {label}
  }}
}}

pipeline images from digits {{
  decode_png(channels = {channels})
  resize(8, 8)
  when(train) {{
    shuffle
  }}
  {step}
  batch(32)
}}
"""


def said(step, channels=3, label="int64(classes = 10)"):
    """The errors of a pipeline with a step, as a user reads them."""
    text = whole_spec(SPEC.format(step=step, channels=channels, label=label))
    found = check(Source("x.tfp", text), Options(look_at_data=False)).diagnostics
    errors = [each for each in found if each.severity is Severity.ERROR]
    return len(errors), " ".join(render_all(errors).split())


def in_training(step):
    return f"when(train) {{ {step} }}"


WRONG = [
    ("random_resized_crop(0, 8)", "`height`", "must be at least 1"),
    ("random_resized_crop(8)", "needs `width`", "random_resized_crop(224, 224"),
    ("random_resized_crop(8, 8, area = 0..1)", "`area`", "must begin above 0"),
    ("random_resized_crop(8, 8, area = 0.5..2)", "`area`", "must end at 1 at most"),
    ("random_resized_crop(8, 8, area = 1..0.5)", "`area`", "the smaller number"),
    ("random_resized_crop(8, 8, area = 0.5)", "`area`", "must be a range of numbers"),
    ("random_resized_crop(8, 8, area = relu)", "`area`", "must be a range of numbers"),
    ("random_resized_crop(8, 8, area = [0.1, 1])", "`area`", "must be a range"),
    ('random_resized_crop(8, 8, area = "0.1..1")', "`area`", "must be a range"),
    (
        "random_resized_crop(8, 8, area = 8%..20%)",
        "`area`",
        "from a number to a number",
    ),
    (
        "random_resized_crop(8, 8, area = true..1)",
        "`area`",
        "from a number to a number",
    ),
    ("random_resized_crop(8, 8, ratio = 0..1)", "`ratio`", "width divided by height"),
    ("random_contrast", "needs `factor`", "random_contrast(0.8..1.2)"),
    ("random_contrast(-1..2)", "`factor`", "must begin at 0 or above"),
    ("random_contrast(0.5..101)", "`factor`", "must end at 100 at most"),
    ("random_saturation(-0.5..1)", "`factor`", "must begin at 0 or above"),
    ("random_saturation(0.5)", "`factor`", "must be a range of numbers"),
    ("random_brightness(-0.1)", "`max_delta`", "must be more than 0"),
    ("random_brightness(2)", "`max_delta`", "must be at most 1"),
    ("random_hue(0.6)", "`max_delta`", "must be at most 0.5"),
]


@pytest.mark.parametrize(("step", "what", "text"), WRONG, ids=[w[0] for w in WRONG])
def test_a_wrong_argument(step, what, text):
    count, message = said(in_training(step))
    assert count == 1
    assert what in message
    assert text in message
    assert f"`{step.partition('(')[0]}" in message
    assert "fix: " in message


UNFIT = [
    (in_training("random_hue(0.1)"), 1, "needs a picture in color", "channels = 3"),
    (in_training("random_saturation(0..2)"), 4, "4 channels", "channels = 3"),
]


@pytest.mark.parametrize(("step", "channels", "what", "fix"), UNFIT)
def test_a_picture_without_colors(step, channels, what, fix):
    count, message = said(step, channels)
    assert count == 1
    assert what in message
    assert fix in message


@pytest.mark.parametrize(
    "step",
    [
        "random_brightness(0.1)",
        "random_contrast(0.5..2)",
        "random_saturation(0.5..2)",
        "random_hue(0.1)",
    ],
)
def test_colors_of_floats(step):
    normalize = "normalize(mean = [1.0], std = [1.0])"
    count, message = said(f"{normalize}\n  {in_training(step)}")
    assert count == 1
    assert "acts on whole numbers in 0..255" in message
    assert "`normalize`" in message
    assert said(f"{in_training(step)}\n  {normalize}")[0] == 0


LABELS = [
    ("one_hot(label, 5)", "int64(classes = 10)", "makes rows of 5", "`classes = 10`"),
    ("one_hot(10)", "int64(classes = 10)", "`component`", "one_hot(label, 10)"),
    ("one_hot", "int64", "doesn't know how many", "one_hot(classes = 10)"),
    ("one_hot(label, 10)", "float32", "needs a class number", "int64(classes = 10)"),
    ("one_hot(label, 10)", "float32[10]", "a share for each class", "remove `one_hot`"),
    ("one_hot(image, 10)", "int64", "needs a class number", "name the component"),
    ("one_hot(lable, 10)", "int64", "there is no `lable`", "did you mean `label`?"),
    ("one_hot(classes = 1)", "int64", "`classes`", "must be at least 2"),
    ("one_hot\n  one_hot", "int64(classes = 10)", "already", "remove `one_hot`"),
    ("one_hot(label, 12)", "int64", "as many scores", "one unit for each share"),
    ("offset(label, -1)", "int64(classes = 10)", "below zero", "leave `classes` out"),
    ("offset(label)", "int64", "needs `n`", "offset(label, -1)"),
    ("offset(label, 0.5)", "int64", "`n` of `offset`", "whole number"),
]


@pytest.mark.parametrize(
    ("step", "label", "what", "fix"), LABELS, ids=[f"{w[0]}-{w[1]}" for w in LABELS]
)
def test_a_wrong_label(step, label, what, fix):
    count, message = said(step, label=label)
    assert count == 1
    assert what in message
    assert fix in message


@pytest.mark.parametrize(
    ("step", "label"),
    [
        ("one_hot", "int64(classes = 10)"),
        ("one_hot(label, 10)", "int64(classes = 10)"),
        ("one_hot(label, 10)", "int64"),
        ("one_hot(classes = 10)", "int64(classes = 7)"),
        ("offset(label, -1)", "int64"),
        ("offset(label, -1)\n  one_hot(label, 10)", "int64"),
        (in_training("random_resized_crop(8, 8)"), "int64"),
        (in_training("random_resized_crop(8, 8, area = 1..1, ratio = 1..1)"), "int64"),
        (in_training("random_contrast(factor = 0.8..2 * 0.6)"), "int64"),
    ],
)
def test_what_is_right(step, label):
    assert said(step, label=label) == (0, "")


def test_it_stands_above_batch():
    count, message = said("batch(32)\n  when(train) { random_resized_crop(4, 4) }")
    assert count >= 1
    assert "`random_resized_crop` stands below `batch`" in message
