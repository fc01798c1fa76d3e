"""`tfpc peek` shows the very batch that training begins with."""

from __future__ import annotations

import importlib.util
import sys

import numpy as np
import pytest

from tfpc.codegen.peek import generate_peek
from tfpc.diagnostics.span import Source
from tfpc.driver import Options, check, compile_spec

pytestmark = [pytest.mark.tensorflow, pytest.mark.slow]

PHOTOS = """\
data photos {
  train = image_folder("pictures")
  validation = split(25%)
}

pipeline images from photos {
  decode_jpeg(channels = 3)
CACHE
  when(train) {
    shuffle
    random_crop(16, 16)
    random_flip(horizontal)
    random_brightness(0.2)
  }
  when(eval) {
    center_crop(16, 16)
  }
  normalize(mean = [120.0], std = [60.0])
  batch(8)
}

model classifier from images {
  flatten
  dense(photos.classes)
}

train classifier {
  epochs = 2
  optimizer = sgd(learning_rate = 0.01)
  loss = crossentropy
}
"""


@pytest.fixture(scope="module")
def photos(tmp_path_factory):
    import tensorflow as tf

    path = tmp_path_factory.mktemp("peek")
    for number in range(40):
        folder = path / "pictures" / "ab"[number % 2]
        folder.mkdir(parents=True, exist_ok=True)
        noise = np.random.default_rng(number).integers(0, 256, (20, 24, 3), np.uint8)
        (folder / f"{number:02}.jpg").write_bytes(tf.io.encode_jpeg(noise).numpy())
    (path / "plain.tfp").write_text(PHOTOS.replace("CACHE\n", ""))
    (path / "cached.tfp").write_text(PHOTOS.replace("CACHE", "  cache(memory)"))
    return path


def imported(path, text):
    """A program as a module: importing it starts nothing."""
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module  # dataclasses look there
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["plain", "cached"])
def test_it_is_the_first_batch_of_the_program(photos, name):
    path = photos / f"{name}.tfp"
    source = Source(str(path), path.read_text())
    program = compile_spec(source, Options(), ".").program
    run = imported(photos / f"{name}_run.py", program)
    plan = check(source, Options()).plan
    shown = generate_peek(plan, {"train": "train", "eval": "validation"}, 8, ".")
    peek = imported(photos / f"{name}_peek.py", shown)
    pairs = [
        (peek.train_way(), next(iter(run.train_dataset()))),
        (peek.eval_way(), next(iter(run.evaluation_dataset("validation")))),
    ]
    for way, (image, label, *_) in pairs:
        walked = [values for _, values in way.examples()]
        ours = np.stack([values[-1] for values in walked])
        labels = np.stack([values[1] for values in walked])
        np.testing.assert_array_equal(labels, label)
        np.testing.assert_allclose(ours, run.on_device(image), atol=1e-6)
        assert np.ptp(ours) > 1


def test_it_is_shown_and_drawn(tfpc, photos):
    shown = tfpc("peek", "cached.tfp", "-o", "drawn", cwd=photos)
    assert "uint8[20, 24, 3]" in shown.stdout
    assert "float32[8, 16, 16, 3]" in shown.stdout
    assert "random_flip(horizontal)  when(train)" in shown.stdout
    for mode in ("train", "eval"):
        png = (photos / "drawn" / f"peek-{mode}.png").read_bytes()
        assert png.startswith(b"\x89PNG")
    assert not (photos / "runs").exists()


def test_one_split_with_few_pictures(tfpc, photos):
    arguments = ("--split", "validation", "--examples", "2", "-o", "one")
    shown = tfpc("peek", "plain.tfp", *arguments, cwd=photos)
    assert "train:" not in shown.stdout
    assert "the first 2 examples" in shown.stdout
    assert not (photos / "one" / "peek-train.png").exists()


def test_digits_are_seen_through_their_records(tfpc, digits, tmp_path):
    shown = tfpc("peek", digits, "-o", tmp_path / "digits", cwd=tmp_path)
    assert "decode_png(channels = 1)" in shown.stdout
    assert "44 batches in an epoch; 30 examples left out" in shown.stdout


def test_a_damaged_picture_is_named_as_in_a_run(tfpc, photos, tmp_path):
    path = tmp_path / "pictures"
    for label in "ab":
        (path / label).mkdir(parents=True)
        for file in (photos / "pictures" / label).iterdir():
            (path / label / file.name).write_bytes(b"this is no picture")
    (tmp_path / "plain.tfp").write_text(PHOTOS.replace("CACHE\n", ""))
    shown = tfpc("peek", "plain.tfp", cwd=tmp_path, check=False)
    assert shown.returncode == 1
    assert "can't be read" in shown.stderr
    assert "plain.tfp:2:11" in shown.stderr
    assert "Traceback" not in shown.stdout + shown.stderr


def test_what_is_missing_is_said(tfpc, photos, tmp_path):
    (tmp_path / "data.tfp").write_text('data d {\n  train = tfrecord("x*")\n}\n')
    shown = tfpc("peek", "data.tfp", cwd=tmp_path, check=False)
    assert shown.returncode == 1
    assert 'no file matches "x*"' in shown.stderr
    wrong = tfpc("peek", "plain.tfp", "--split", "test", cwd=photos, check=False)
    assert wrong.returncode in (1, 2)
    assert "test" in wrong.stderr
