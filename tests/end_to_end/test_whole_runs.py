"""Whole runs of several kinds, and what they leave: metrics, best weights, reasons."""

from __future__ import annotations

import importlib.util
import json
import sys

import numpy as np
import pytest

pytestmark = [pytest.mark.tensorflow, pytest.mark.slow]

PHOTOS = """
data photos {
  train = image_folder("pictures")
  validation = split(25%)
  test = split(11)
}

pipeline images from photos {
  decode_png(channels = 1)
  when(train) {
    shuffle
    random_crop(10, 10)
    random_flip(horizontal)
  }
  when(eval) {
    center_crop(10, 10)
  }
  normalize(mean = [127.5], std = [127.5])
  batch(8)
}

model classifier from images {
  conv2d(8, 3, strides = 2, activation = relu)
  batch_normalization
  global_average_pooling2d
  dropout(0.2)
  dense(1)
}

train classifier {
  epochs = 4
  optimizer = adam(learning_rate = 0.02)
  loss = crossentropy
  metrics = [accuracy]
}

observe {
  checkpoint(every = 1epoch, keep = 2, monitor = validation.accuracy)
}

determinism = true
"""
RECORDS = """
data digits {
  train = tfrecord("FOLDER/digits-*.tfrecord")
  validation = split(100)
  limit = 600
  schema {
    image = string
    label = int64(classes = 10)
  }
}

pipeline images from digits {
  when(train) {
    shuffle(buffer = 256)
  }
  decode_png(channels = 1)
  resize(8, 8)
  batch(32)
}

model small from images {
  flatten
  dense(10, activation = softmax)
}

train small {
  epochs = 3
  optimizer = sgd(learning_rate = 1e-4)
  loss = crossentropy
}
"""


@pytest.fixture(scope="module")
def photos(tmp_path_factory):
    """Bright and dark pictures, so that a small net can tell them apart."""
    import tensorflow as tf

    folder = tmp_path_factory.mktemp("photos")
    for number in range(100):
        random = np.random.default_rng(number)
        bright = number % 2
        image = random.integers(90 * bright, 166 + 90 * bright, (12, 14, 1))
        place = folder / "pictures" / ("bright" if bright else "dark")
        place.mkdir(parents=True, exist_ok=True)
        encoded = tf.io.encode_png(image.astype(np.uint8)).numpy()
        (place / f"{number:03}.png").write_bytes(encoded)
    (folder / "photos.tfp").write_text(PHOTOS)
    return folder


@pytest.fixture(scope="module")
def ran(tfpc, photos, events):
    """One run of it."""
    tfpc("run", "photos.tfp", "--run-dir", "ran", cwd=photos)
    return photos / "ran", events(photos / "ran")


@pytest.fixture(scope="module")
def program(ran):
    """Its program as a module."""
    path = ran[0] / "program.py"
    spec = importlib.util.spec_from_file_location("whole_run_program", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("profiles", [("smoke",), ("smoke", "two_devices")])
def test_the_residual_network_with_its_profiles(
    tfpc, repository, tmp_path, events, profiles
):
    flags = [word for name in profiles for word in ("--profile", name)]
    spec = repository / "specs" / "residual.tfp"
    ran = tfpc("run", spec, "--run-dir", "ran", *flags, cwd=tmp_path)
    assert ("2 parts of the CPU" in ran.stdout) == ("two_devices" in profiles)
    assert events(tmp_path / "ran")[-1]["epochs"] == 2
    assert (tmp_path / "ran" / "spec" / "layers" / "residual.tfp").exists()


def test_splits_are_disjoint_and_whole(program, photos):
    sources = program.open_sources(photos)
    sizes = {name: source.count for name, source in sources.items()}
    assert sizes == {"train": 64, "validation": 25, "test": 11}
    paths = [path for source in sources.values() for path in source.paths]
    assert len(set(paths)) == len(paths) == 100


def test_metrics_of_the_test_split_are_those_of_the_best_weights(ran, program, photos):
    """Every example once, by Keras's own classes over all of them in one batch."""
    import keras
    import tensorflow as tf

    folder, told = ran
    model = program.build_model(tf.Variable(0))
    variables = [variable.value for variable in model.variables]
    program.read_variables(folder / "checkpoints" / "best", variables)

    source = program.open_sources(photos)["test"]
    images = []
    for path in source.paths:
        image = tf.io.decode_png(tf.io.read_file(path), channels=1)
        images.append((tf.cast(image[1:11, 2:12], tf.float32) - 127.5) / 127.5)
    scores = model(tf.stack(images), training=False)
    labels = source.labels.reshape(-1, 1)
    loss = keras.losses.BinaryCrossentropy(from_logits=True)(labels, scores)
    accuracy = np.mean((scores.numpy() > 0) == labels)

    finished = told[-1]["metrics"]
    assert finished["test.loss"] == pytest.approx(float(loss), rel=1e-5)
    assert finished["test.accuracy"] == pytest.approx(accuracy, rel=1e-6)
    best = json.loads((folder / "checkpoints" / "best" / "state.json").read_text())
    seen = [
        event["metrics"]["validation.accuracy"]
        for event in told
        if event["event"] == "evaluated" and event["split"] == "validation"
    ]
    assert best["value"] == max(seen)
    assert best["epoch"] == seen.index(max(seen)) + 1


def test_it_has_learnt_to_tell_them_apart(ran):
    assert ran[1][-1]["metrics"]["validation.accuracy"] > 0.8


def test_only_the_newest_checkpoints_are_kept(ran):
    kept = sorted(path.name for path in (ran[0] / "checkpoints").glob("step-*"))
    assert kept == ["step-000000024", "step-000000032"]


def test_records_that_are_not_cached(tfpc, repository, tmp_path, events):
    data = repository / "specs" / "data" / "digits"
    spec = RECORDS.replace("FOLDER", str(data))
    (tmp_path / "records.tfp").write_text(spec)
    tfpc("run", "records.tfp", "--run-dir", "ran", cwd=tmp_path)
    finished = events(tmp_path / "ran")[-1]
    losses = [
        event["metrics"]["train.loss"]
        for event in events(tmp_path / "ran")
        if event["event"] == "epoch"
    ]
    assert finished["steps"] == 3 * (500 // 32)
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < losses[0]
    text = (tmp_path / "ran" / "program.py").read_text()
    for absent in ("class Checkpoint", "class Best", "--resume", "class Log("):
        assert absent not in text


def test_stopping_early(tfpc, photos, events):
    """A metric that can't get better any more stops the run, also after a resume."""
    spec = PHOTOS.replace("epochs = 4", "epochs = 40").replace(
        "observe {\n",
        "observe {\n  stop_early(validation.accuracy, patience = 2epochs)\n",
    )
    (photos / "early.tfp").write_text(spec)
    tfpc("run", "early.tfp", "--run-dir", "early", cwd=photos)
    told = events(photos / "early")
    seen = [
        event["metrics"]["validation.accuracy"]
        for event in told
        if event["event"] == "evaluated" and event["split"] == "validation"
    ]
    assert told[-1]["reason"] == "stop_early"
    assert told[-1]["epochs"] == len(seen) < 40
    assert max(seen[-2:]) <= max(seen[:-2])
    tfpc("run", "early.tfp", "--run-dir", "early", "--resume", cwd=photos)
    again = events(photos / "early")[-1]
    assert (again["reason"], again["epochs"]) == ("stop_early", len(seen))


def test_another_seed_gives_other_losses(tfpc, photos, ran, events):
    tfpc("run", "photos.tfp", "--run-dir", "seed", "--set", "seed=7", cwd=photos)
    one, other = ran[1][-1]["metrics"], events(photos / "seed")[-1]["metrics"]
    assert one["train.loss"] != other["train.loss"]
