"""`together` and steps that name their picture: types, draws, and what is said."""

from __future__ import annotations

import pytest

from tfpc.diagnostics.diagnostic import Severity
from tfpc.diagnostics.span import Source
from tfpc.diagnostics.text import render_all
from tfpc.driver import Options, check

SPEC = """\
data digits {
  train = tfrecord("scenes.tfrecord")
  schema {
    image = string
    mask = string
    label = int64(classes = 2)
  }
}

pipeline images from digits {
  decode_png(image, channels = 3)
  decode_png(mask, channels = 1)
STEPS
  when(train) { shuffle }
  batch(4)
}
"""


def checked(steps, text=SPEC):
    found = check(
        Source("case.tfp", text.replace("STEPS", steps)), Options(look_at_data=False)
    )
    # That most of these augment in evaluation, too, is not the question here.
    wrong = [
        d
        for d in found.diagnostics
        if d.severity is Severity.ERROR and d.code != "TFP306"
    ]
    return found.plan, render_all(wrong), found.diagnostics


def plan(steps, text=SPEC):
    plan, said, _ = checked(steps, text)
    assert not said
    return plan


def nodes(steps, mode="train"):
    return [n for n in plan(steps).chains[mode].nodes if n.target is not None][2:]


SAME = """\
  together(image, mask) {
    random_crop(16, 16)
    random_flip
  }
  random_contrast(image, 0.8..1.2)"""


def test_a_step_for_each_picture_with_one_draw():
    steps = nodes(SAME)
    said = [(node.step.word, node.target) for node in steps]
    assert said == [
        ("together", "mask"),  # as large as `image`
        ("random_crop", "image"),
        ("random_crop", "mask"),
        ("random_flip", "image"),
        ("random_flip", "mask"),
        ("random_contrast", "image"),
    ]
    streams = [node.stream for node in steps[1:]]
    assert streams == [1, 1, 3, 3, 4]
    after = steps[-1].after
    assert str(after["image"]) == "uint8[16, 16, 3]"
    assert str(after["mask"]) == "uint8[16, 16, 1]"


def test_known_sizes_need_no_check_in_the_program():
    sized = "  resize(image, 20, 20)\n  resize(mask, 20, 20, method = nearest)\n"
    assert "together" not in [node.step.word for node in nodes(sized + SAME)]


def test_three_pictures_and_what_is_scaled_how():
    text = SPEC.replace("mask = string", "mask = string\n    depth = string").replace(
        "STEPS", "  decode_png(depth, channels = 1)\nSTEPS"
    )
    lines = "  together(image, mask, depth, nearest = mask) { resize(8, 8) }"
    found = [n for n in plan(lines, text).chains["eval"].nodes if n.shared]
    assert [(n.target, n.step.method) for n in found] == [
        ("image", "bilinear"),
        ("mask", "nearest"),
        ("depth", "bilinear"),
    ]


@pytest.mark.parametrize(
    "lines",
    [
        "  together(image, mask) { resize(8, 8, method = nearest) }",
        "  together(image, mask, nearest = mask) { resize(8, 8) }",
        "  together(image, mask, nearest = [mask]) { random_resized_crop(8, 8) }",
        "  together(image, mask, nearest = []) { resize(8, 8) }",
        "  together(image, mask) { center_crop(8, 8) } -> (mask = uint8[8, 8, 1])",
        "  together(image, mask) { center_crop(8, 8) -> (mask = uint8[8, 8, 1]) }",
        "  when(train) { together(image, mask) { random_crop(8, 8) } }\n"
        "  when(eval) { together(mask, image) { center_crop(8, 8) } }",
        "  resize(component = image, height = 8, width = 8)\n"
        "  resize(mask, 8, width = 8, method = nearest)",
        "  random_crop(image, 8, 8)\n  random_flip(image)\n  center_crop(mask, 8, 8)\n"
        "  random_flip(mask, vertical)\n  normalize(image, mean = [1], std = [1])",
    ],
)
def test_it_is_right(lines):
    named = lines if "8" in lines else lines + SAME
    assert plan(named).chains["train"].result.is_static


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (
            "together(image) { random_flip }",
            "`components` of `together` must hold at least 2",
        ),
        ("together { random_flip }", "`together` needs `components`"),
        ("together(image, mask)", "`together` has nothing in its braces"),
        ("together(image, mask) { }", "`together` has nothing in its braces"),
        ("together(image, masc) { random_flip }", "did you mean `mask`?"),
        ("together(image, label) { random_flip }", "and `label` is none"),
        ("together(image, image) { random_flip }", "`image` is named twice"),
        ("together(image, 3) { random_flip }", "must be the name of a component"),
        (
            "together(image, mask, nearest = label) { random_flip }",
            "and `label` is none",
        ),
        (
            "together(image, mask) { normalize(mean = [1], std = [1]) }",
            "changes values, not only places",
        ),
        ("together(image, mask) { random_hue(0.1) }", "`random_hue(image, ...)`"),
        ("together(image, mask) { cache(memory) }", "acts on whole examples"),
        ("together(image, mask) { decode_png }", "decode above `together`"),
        ("together(image, mask) { one_hot }", "`one_hot` can't stand in `together`"),
        ("together(image, mask) { random_flip(mask) }", "names a picture inside"),
        (
            "together(image, mask) { when(train) { random_flip } }",
            "put the `when` around the `together`",
        ),
        (
            "together(image, mask) { together(mask, image) { random_flip } }",
            "a `together` stands inside a `together`",
        ),
        ("together(image, mask) { resize(8, 8) }", "nearest = mask"),
        (
            "together(image, mask) { random_resized_crop(8, 8) }",
            "`random_resized_crop` makes values between those of `mask`",
        ),
        (
            "together(image, mask) { center_crop(8, 8) } -> (mask = uint8[8, 8, 3])",
            "`mask` is not what stands behind `->`",
        ),
        (
            "resize(image, 8, 8)\n  resize(mask, 9, 8)\n"
            "  together(image, mask) { random_flip }",
            "`image` and `mask` have different sizes",
        ),
        (
            "resize(image, 8, 8)\n  together(image, mask) { random_flip }",
            "have sizes that may differ",
        ),
        ("resize(8, 8)", "name one: `resize(image, ...)`"),
        ("resize(imagge, 8, 8)", "did you mean `image`?"),
        ("resize(label, 8, 8)", "acts on a picture, and `label` is none"),
        ("random_flip(horizontl)", "did you mean `horizontal`?"),
        ("random_flip(masc)", "did you mean `mask`?"),
        ("resize(image, 8)", "`resize` needs `width`"),
        ("resize(image, 8, 8, 8)", "`resize`"),
        ("resize(image, 8, 8, component = mask)", "`component`"),
        ("decode_png(mask)", "acts on the bytes of a picture, and `mask` is none"),
    ],
)
def test_what_is_wrong_is_said(lines, said):
    _, text, _ = checked(f"  {lines}")
    assert said in " ".join(text.replace("|", " ").split())


def test_carets_at_both():
    _, text, _ = checked(
        "  resize(image, 8, 8)\n  resize(mask, 9, 8)\n"
        "  together(image, mask) { random_flip }"
    )
    assert "^^^^ is uint8[9, 8, 1]" in text
    assert (
        "----- is uint8[8, 8, 3]" in text.replace("--  ", "")
        or "is uint8[8, 8, 3]" in text
    )


def test_pictures_that_are_not_decoded():
    text = SPEC.replace("  decode_png(mask, channels = 1)\n", "")
    _, said, _ = checked("  together(image, mask) { random_flip }", text)
    assert "decode it above: `decode_png(mask, channels = 1)`" in said
    text = SPEC.replace("decode_png(image, channels", "decode_png(channels")
    _, said, _ = checked("", text)
    assert "could act on `image` or `mask`" in said
    # With one of them decoded, there is no doubt any more.
    text = SPEC.replace("decode_png(mask, channels", "decode_png(channels")
    assert plan(SAME, text)


def test_each_rule_says_once_what_is_in_the_braces():
    text = SPEC.replace("  when(train) { shuffle }", "  cache(memory)")
    _, _, all_of_it = checked(SAME, text)
    found = [d for d in all_of_it if d.code == "TFP301"]
    assert len(found) == 1
    places = [(label.span.start, label.text) for label in found[0].labels]
    assert len(places) == len(set(places))
    notes = [(d.code, d.span.start) for d in all_of_it if d.span is not None]
    assert len(notes) == len(set(notes))
