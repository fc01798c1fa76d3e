"""Pictures in `together` are cut and turned alike, in training and in evaluation."""

from __future__ import annotations

import importlib.util
import itertools
import sys

import numpy as np
import pytest

from tfpc.codegen.assembly import Section, assemble
from tfpc.codegen.parts import part_names
from tfpc.codegen.pipeline import batch_size
from tfpc.codegen.program import ENVIRONMENT, data_section, write_spec_folder
from tfpc.codegen.writer import Writer
from tfpc.diagnostics.span import Source
from tfpc.driver import Options, check
from tfpc.passes.order import optimize
from tfpc.types.fragment import Literal

pytestmark = [pytest.mark.tensorflow, pytest.mark.slow]

SPEC = """\
data scenes {
  train = tfrecord("scenes.tfrecord")
  validation = split(25%)
  schema {
    image = string
    mask = string
    label = int64
  }
}

pipeline pictures from scenes {
  decode_png(image, channels = 3)
  decode_png(mask, channels = 1)
STEPS
  batch(4)
}
"""
RANDOM = """\
  when(train) { shuffle }
  when(train) {
    together(image, mask) {
      random_crop(14, 12)
      random_flip
      random_flip(vertical)
    }
    random_brightness(image, 0.0001)
  }
  when(eval) { together(image, mask) { center_crop(14, 12) } }"""
APART = """\
  when(train) {
    shuffle
    random_crop(image, 14, 12)
    random_crop(mask, 14, 12)
    random_flip(image)
    random_flip(mask, horizontal)
  }
  when(eval) { together(image, mask) { center_crop(14, 12) } }"""
# All of one size, so that a cache holds arrays, and steps run on batches.
SIZED = """\
  resize(image, 18, 18, method = nearest)
  resize(mask, 18, 18, method = nearest)
"""
SCALED = """\
  when(train) {
    together(image, mask, nearest = [image, mask]) { random_resized_crop(16, 16) }
  }
  when(eval) { together(image, mask, nearest = [image, mask]) { resize(16, 16) } }"""
ONE_BY_NEAREST = SCALED.replace("nearest = [image, mask]", "nearest = mask")


@pytest.fixture(scope="module")
def scenes(tmp_path_factory):
    """The mask is 7 where the picture is bright in red, else 0."""
    import tensorflow as tf

    path = tmp_path_factory.mktemp("scenes")
    write_scenes(tf, path / "scenes.tfrecord", lambda mask: mask)
    return path


def write_scenes(tf, path, masked):
    with tf.io.TFRecordWriter(str(path)) as writer:
        for number in range(16):
            size = (20 + number % 3, 24 + number % 2, 3)
            image = np.random.default_rng(number).integers(0, 256, size, np.uint8)
            pictures = {"image": image, "mask": masked(mask_of(image))}
            features = {
                name: tf.train.Feature(
                    bytes_list={"value": [tf.io.encode_png(picture).numpy()]}
                )
                for name, picture in pictures.items()
            }
            features["label"] = tf.train.Feature(int64_list={"value": [number]})
            example = tf.train.Example(features={"feature": features})
            writer.write(example.SerializeToString())


def mask_of(image):
    return (image[..., :1] > 127).astype(np.uint8) * 7


def data_program(folder, name, steps, *, passes=True, cache=False):
    """The data's part of the program, as a module."""
    if cache:
        steps = f"  cache(memory)\n{steps}"
    spec = Source(str(folder / f"{name}.tfp"), SPEC.replace("STEPS", steps))
    checked = check(spec, Options())
    assert checked.plan is not None, checked.diagnostics
    plan = optimize(checked.plan) if passes else checked.plan
    settings = Writer()
    write_spec_folder(settings, ".")
    settings.assign("SEED", Literal(7))
    settings.assign("EPOCHS", Literal(2))
    for mode, batch in (("train", "BATCH"), ("eval", "EVALUATION_BATCH")):
        settings.assign(batch, Literal(batch_size(plan.chains[mode])))
    data = data_section(plan, frozenset(part_names()))
    text = assemble("Data.\n", ENVIRONMENT, Section("Settings", settings.text), [data])
    path = folder / f"{name}.py"
    path.write_text(text)
    found = importlib.util.spec_from_file_location(f"together_{name}", path)
    module = importlib.util.module_from_spec(found)
    sys.modules[module.__name__] = module
    found.loader.exec_module(module)
    return module


def examples(module, split="train"):
    """(image, mask, label) of each example, over all epochs."""
    dataset = (
        module.train_dataset()
        if split == "train"
        else module.evaluation_dataset(split).take(1)
    )
    for batch in dataset.as_numpy_iterator():
        yield from zip(*batch[:3], strict=True)


def aligned(found):
    return [
        np.array_equal(mask_of(image), mask) for image, mask, _ in found if mask.size
    ]


@pytest.mark.parametrize("cache", [False, True])
@pytest.mark.parametrize("steps", [RANDOM, SIZED + RANDOM, SCALED])
def test_a_mask_stays_on_its_picture(scenes, steps, cache):
    name = f"same{[RANDOM, SIZED + RANDOM, SCALED].index(steps)}{cache:d}"
    module = data_program(scenes, name, steps, cache=cache)
    for split in ("train", "validation"):
        found = list(examples(module, split))
        assert len(found) == (24 if split == "train" else 4)
        assert all(aligned(found))
    train = list(examples(module))
    twice = [
        (one, other)
        for one, other in itertools.combinations(train, 2)
        if one[2] == other[2]
    ]
    assert len(twice) == 12
    assert not all(np.array_equal(one[0], other[0]) for one, other in twice)


def test_without_it_they_draw_apart(scenes):
    for number, steps in enumerate((APART, SIZED + APART)):
        found = list(examples(data_program(scenes, f"apart{number}", steps)))
        assert sum(aligned(found)) < len(found) / 2


def test_only_the_mask_is_scaled_by_the_nearest_pixel(scenes):
    module = data_program(scenes, "nearest", ONE_BY_NEAREST)
    exact = data_program(scenes, "exact", SCALED)
    pairs = list(zip(examples(module), examples(exact), strict=True))
    for (_, mask, _), (_, same, _) in pairs:
        np.testing.assert_array_equal(mask, same)
        assert set(np.unique(mask)) <= {0, 7}
    assert not all(np.array_equal(one[0], two[0]) for one, two in pairs)


@pytest.mark.parametrize("cache", [False, True])
@pytest.mark.parametrize("steps", [RANDOM, SIZED + RANDOM, SCALED])
def test_passes_change_no_draw(scenes, steps, cache):
    at = f"{[RANDOM, SIZED + RANDOM, SCALED].index(steps)}{cache:d}"
    as_written = data_program(scenes, f"u{at}", steps, passes=False, cache=cache)
    faster = data_program(scenes, f"o{at}", steps, cache=cache)
    for split in ("train", "validation"):
        both = zip(examples(as_written, split), examples(faster, split), strict=True)
        for one, other in both:
            for left, right in zip(one, other, strict=True):
                np.testing.assert_array_equal(left, right)


def test_a_mask_of_another_size_is_named(scenes, tfpc, tmp_path):
    import tensorflow as tf

    write_scenes(tf, tmp_path / "scenes.tfrecord", lambda mask: mask[1:])
    (tmp_path / "scenes.tfp").write_text(SPEC.replace("STEPS", RANDOM))
    shown = tfpc("peek", "scenes.tfp", cwd=tmp_path, check=False)
    assert shown.returncode == 1
    assert "`mask` and `image` have different sizes: " in shown.stderr
    assert "scenes.tfrecord, record " in shown.stderr
    assert "Traceback" not in shown.stdout + shown.stderr


def test_peek_shows_both(scenes, tfpc, tmp_path):
    (scenes / "scenes.tfp").write_text(SPEC.replace("STEPS", RANDOM))
    shown = tfpc("peek", "scenes.tfp", "-o", tmp_path, cwd=scenes).stdout
    assert "random_crop(14, 12) of image  when(train)" in shown
    assert "random_crop(14, 12) of mask  when(train)" in shown
    flips = shown.split("random_flip of ")
    changed = [part.split("of 4 changed")[0].split()[-1] for part in flips[1:3]]
    assert changed[0] == changed[1]
