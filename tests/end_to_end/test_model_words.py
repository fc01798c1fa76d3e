"""Digits as numbers of words, and as a measured number: trained through the new words."""

from __future__ import annotations

import json

import numpy as np
import pytest

pytestmark = [pytest.mark.tensorflow, pytest.mark.slow]

DATA = """
data digits {
  train = tfrecord("words.tfrecord")
  validation = split(20%, seed = 42)
  schema {
    words = int64(classes = 17)[64]
    label = LABEL
  }
}

pipeline texts from digits {
  cache(memory)
  when(train) {
    shuffle
  }
  batch(32)
}
"""
CLASSES = (
    DATA.replace("LABEL", 'int64(key = "class", classes = 10)')
    + """
model reader from texts {
  embedding(17, 8)
  conv1d(32, 5, padding = causal, activation = mish)
  max_pooling1d(2)
  layer_normalization
  conv1d(64, 3, padding = same)
  prelu(shared_axes = [1])
  average_pooling1d(2)
  merge(concat) {
    path { flatten }
    path { global_average_pooling1d }
    path { global_max_pooling1d }
  }
  dense(64, activation = hard_silu)
  relu6
  dense(10)
}

train reader {
  epochs = 3
  optimizer = adamw(
    learning_rate = SCHEDULE,
    weight_decay = 0.01,
  )
  loss = crossentropy
  metrics = [accuracy, top_k(3), auc]
}

observe {
  checkpoint(every = 1epoch, keep = 3, monitor = validation.auc)
}

determinism = true
"""
)
POLYNOMIAL = "polynomial_decay(peak = 3e-3, warmup = 10steps, power = 2.0)"
SCHEDULES = [
    POLYNOMIAL,
    "constant(peak = 3e-3, warmup = 0.5epochs)",
    "exponential_decay(peak = 3e-3, decay_rate = 0.5, every = 1epoch, staircase = true)",
    "piecewise_constant([1epoch, 2epochs], [3e-3, 1e-3, 3e-4], warmup = 10steps)",
]
NUMBERS = (
    DATA.replace("LABEL", 'float32(key = "ink")')
    + """
model scale from texts {
  embedding(17, 4)
  global_average_pooling1d
  dense(1)
}

train scale {
  epochs = 6
  optimizer = rmsprop(learning_rate = polynomial_decay(peak = 3e-2))
  loss = LOSS
  metrics = [mae, root_mean_squared_error]
}

observe {
  stop_early(validation.root_mean_squared_error, patience = 5epochs)
}

determinism = true
"""
)
PICTURES = """
data digits {
  train = tfrecord("DIGITS/digits-*.tfrecord")
  validation = split(20%, seed = 42)
  schema {
    image = string
    label = int64(classes = 10)
  }
}

pipeline images from digits {
  decode_png(channels = 1)
  resize(8, 8)
  cache(memory)
  when(train) {
    shuffle
  }
  batch(32)
}

model reader from images {
  flatten
  embedding(256, 4)
  average_pooling1d(2)
  flatten
  dense(10)
}

train reader {
  epochs = 2
  optimizer = adamw(1e-2)
  loss = crossentropy
  metrics = [accuracy]
}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory, repository):
    """The digits with a number 0..16 for each pixel, and how much ink there is."""
    import tensorflow as tf

    folder = tmp_path_factory.mktemp("words")
    ink = []
    files = sorted((repository / "specs" / "data" / "digits").glob("*.tfrecord"))
    with tf.io.TFRecordWriter(str(folder / "words.tfrecord")) as writer:
        for record in tf.data.TFRecordDataset([str(path) for path in files]):
            digit = tf.train.Example.FromString(record.numpy()).features.feature
            png = digit["image"].bytes_list.value[0]
            pixels = tf.io.decode_png(png, channels=1).numpy().astype(np.int64)
            words = np.rint(pixels.reshape(-1) * (16 / 255)).astype(np.int64)
            number = digit["label"].int64_list.value
            made = tf.train.Example()
            made.features.feature["words"].int64_list.value.extend(words)
            made.features.feature["class"].int64_list.value.extend(number)
            made.features.feature["ink"].float_list.value.append(words.mean())
            ink.append(words.mean())
            writer.write(made.SerializeToString())
    (folder / "spread.txt").write_text(str(np.std(ink)))
    return folder


def written(folder, name, text):
    (folder / name).write_text(text)
    return name


@pytest.fixture(scope="module")
def ran(tfpc, folder):
    """The output of one run, in `ran/`."""
    spec = written(folder, "reader.tfp", CLASSES.replace("SCHEDULE", POLYNOMIAL))
    return tfpc("run", spec, "--run-dir", "ran", cwd=folder).stdout


def evaluated(events, folder):
    return [event for event in events(folder) if event["event"] == "evaluated"]


def epochs_of(text):
    return [line for line in text.splitlines() if line.startswith("epoch ")]


def test_numbers_of_words_are_learnt(ran, folder, events):
    found = evaluated(events, folder / "ran")
    assert len(found) == 3
    last = found[-1]["metrics"]
    assert last["validation.accuracy"] > 0.85
    assert last["validation.accuracy"] < last["validation.top_k"] <= 1
    assert last["validation.auc"] > 0.97


def test_the_model_is_built_as_planned(tfpc, python, ran, folder):
    plan = json.loads(tfpc("plan", "reader.tfp", "--json", cwd=folder).stdout)
    tfpc("emit", "reader.tfp", "-o", "reader.py", cwd=folder)
    printed = python(
        "-c",
        "import json, reader; model = reader.build_model();"
        "print(json.dumps([[each.name, each.output.shape, each.count_params()]"
        " for each in model.layers]))",
        cwd=folder,
    ).stdout.splitlines()[-1]
    built = {name: (shape, count) for name, shape, count in json.loads(printed)}
    assert len(built) == len(plan["model"]["layers"]) + 1
    for layer in plan["model"]["layers"]:
        shape, count = built[layer["name"]]
        sizes = "?, " + ", ".join(map(str, shape[1:]))
        assert layer["gives"] == f"float32[{sizes}]"
        assert layer["parameters"] == count


def test_the_emitted_program_trains_alike(tfpc, python, ran, folder):
    tfpc("emit", "reader.tfp", "-o", "alone.py", cwd=folder)
    alone = python("alone.py", cwd=folder).stdout
    assert len(epochs_of(ran)) == 3
    assert epochs_of(alone) == epochs_of(ran)


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_a_resumed_run_ends_with_the_same_bits(
    tfpc, folder, schedule, variables, tmp_path
):
    """What comes after the first epoch is done again from its checkpoint."""
    (tmp_path / "words.tfrecord").symlink_to(folder / "words.tfrecord")
    spec = written(tmp_path, "reader.tfp", CLASSES.replace("SCHEDULE", schedule))
    tfpc("run", spec, "--run-dir", "whole", cwd=tmp_path)
    saved = sorted(
        (path for path in (tmp_path / "whole/checkpoints").iterdir() if path.is_dir()),
        key=lambda path: path.name,
    )
    steps = [path for path in saved if path.name != "best"]
    assert len(steps) == 3
    expected = variables(steps[-1])
    for later in steps[1:]:
        for path in later.iterdir():
            path.unlink()
        later.rmdir()
    tfpc("run", spec, "--run-dir", "whole", "--resume", cwd=tmp_path)
    found = variables(steps[-1])
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        assert (found[name] == value).all(), name


@pytest.mark.parametrize("loss", ["mse", "mae", "huber(delta = 0.5)"])
def test_a_measured_number_is_learnt(tfpc, folder, events, loss, tmp_path):
    """A mean of 64 numbers; compared each with each, the model would learn the mean."""
    (tmp_path / "words.tfrecord").symlink_to(folder / "words.tfrecord")
    spec = written(tmp_path, "scale.tfp", NUMBERS.replace("LOSS", loss))
    tfpc("run", spec, "--run-dir", "ran", cwd=tmp_path)
    found = [event["metrics"] for event in evaluated(events, tmp_path / "ran")]
    assert len(found) == 6
    last = found[-1]
    spread = (folder / "spread.txt").read_text()
    # A model that knew the mean alone would come to the standard deviation.
    assert last["validation.root_mean_squared_error"] < float(spread) / 3
    assert last["validation.mae"] <= last["validation.root_mean_squared_error"]
    if loss == "mse":
        squared = last["validation.root_mean_squared_error"] ** 2
        assert last["validation.loss"] == pytest.approx(squared, rel=1e-4)
    if loss == "mae":
        assert last["validation.loss"] == pytest.approx(
            last["validation.mae"], rel=1e-4
        )


def test_pixels_are_numbers_too(tfpc, repository, events, tmp_path):
    digits = repository / "specs" / "data" / "digits"
    spec = written(tmp_path, "p.tfp", PICTURES.replace("DIGITS", str(digits)))
    tfpc("run", spec, "--run-dir", "ran", cwd=tmp_path)
    last = evaluated(events, tmp_path / "ran")[-1]["metrics"]
    assert last["validation.accuracy"] > 0.7
    text = PICTURES.replace("DIGITS", str(digits)).replace("256, 4", "17, 4")
    spec = written(tmp_path, "few.tfp", text)
    failed = tfpc("lint", spec, cwd=tmp_path, check=False)
    assert failed.returncode == 1
    assert "vectors for 0..16, the numbers go up to 255" in failed.stdout


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            CLASSES.replace("int64(classes = 17)[64]", "int64(classes = 99)[64]"),
            "TFP406",
        ),
        (CLASSES.replace("loss = crossentropy", "loss = mse"), "the label is a class"),
        (CLASSES.replace("top_k(3)", "top_k(10)"), "the best 10 of 10 classes"),
        (CLASSES.replace("auc]", "precision]"), "one class against another"),
        (NUMBERS.replace("dense(1)", "dense(4)"), "`dense(1)`"),
        (NUMBERS.replace("[mae, ", "[auc, "), "the label is a measured number"),
        (NUMBERS.replace("LOSS", "crossentropy"), "write `loss = mse`"),
    ],
)
def test_lint_says_what_does_not_fit(tfpc, folder, tmp_path, text, said):
    (tmp_path / "words.tfrecord").symlink_to(folder / "words.tfrecord")
    text = text.replace("SCHEDULE", POLYNOMIAL).replace("LOSS", "mse")
    spec = written(tmp_path, "wrong.tfp", text)
    failed = tfpc("lint", spec, cwd=tmp_path, check=False)
    assert failed.returncode == 1, failed.stdout + failed.stderr
    assert said in failed.stdout
    assert "Traceback" not in failed.stdout + failed.stderr


def test_a_schedule_that_does_not_fit_the_training_is_told(tfpc, folder, tmp_path):
    """How many steps an epoch has is known when the program has counted."""
    (tmp_path / "words.tfrecord").symlink_to(folder / "words.tfrecord")
    schedule = "piecewise_constant([1epoch], [3e-3, 1e-3], warmup = 9_000steps)"
    spec = written(tmp_path, "late.tfp", CLASSES.replace("SCHEDULE", schedule))
    failed = tfpc("run", spec, cwd=tmp_path, check=False)
    assert failed.returncode == 1
    assert "move the boundaries apart, or shorten the warm-up" in (
        failed.stdout + failed.stderr
    )
