"""Digits trained through all steps on colors, windows and labels."""

from __future__ import annotations

import json

import pytest

pytestmark = [pytest.mark.tensorflow, pytest.mark.slow]

# The digits count from zero: they are brought to one, and back.
SPEC = """
data digits {{
  train = tfrecord("{data}/digits-*.tfrecord")
  validation = split(20%, seed = 42)
  schema {{
    image = string
    label = int64
  }}
}}

pipeline images from digits {{
  decode_png(channels = 3)
  cache(memory)
  when(train) {{
    shuffle
    random_resized_crop(8, 8, area = 0.6..1.0, ratio = 0.8..1.25)
    random_brightness(0.1)
    random_contrast(0.8..1.2)
    random_saturation(0.5..1.5)
    random_hue(0.1)
  }}
  when(eval) {{
    resize(8, 8)
  }}
  normalize(mean = [78.0], std = [96.0])
  offset(label, 1)
  offset(label, -1)
  one_hot(label, 10)
  batch(32)
}}

model classifier from images {{
  conv2d(32, 3, padding = same, activation = relu)
  max_pooling2d(2)
  flatten
  dense(10)
}}

train classifier {{
  epochs = 4
  optimizer = adam(learning_rate = 3e-3)
  loss = crossentropy
  metrics = [accuracy]
}}

determinism = true
"""


@pytest.fixture(scope="module")
def spec(tmp_path_factory, repository):
    path = tmp_path_factory.mktemp("words") / "words.tfp"
    path.write_text(SPEC.format(data=repository / "specs" / "data" / "digits"))
    return path


@pytest.fixture(scope="module")
def ran(tfpc, spec):
    """The output of one run, in `ran/` beside the spec."""
    return tfpc("run", spec, "--run-dir", "ran", cwd=spec.parent).stdout


def epochs_of(text):
    return [line for line in text.splitlines() if line.startswith("epoch ")]


def test_it_learns_and_measures_rows_as_classes(ran, spec, events):
    evaluated = [e for e in events(spec.parent / "ran") if e["event"] == "evaluated"]
    assert len(evaluated) == 4
    # Of ten classes, so what is taken for another class would be near one tenth.
    assert evaluated[-1]["metrics"]["validation.accuracy"] > 0.85
    program = (spec.parent / "ran" / "program.py").read_text()
    assert "keras.losses.categorical_crossentropy" in program
    assert "keras.metrics.CategoricalAccuracy" in program


def test_a_second_run_and_the_emitted_program_train_alike(tfpc, python, ran, spec):
    again = tfpc("run", spec, "--run-dir", "again", cwd=spec.parent).stdout
    assert epochs_of(again) == epochs_of(ran)
    tfpc("emit", spec, "-o", "program.py", cwd=spec.parent)
    alone = python("program.py", cwd=spec.parent).stdout
    assert len(epochs_of(ran)) == 4
    assert epochs_of(alone) == epochs_of(ran)


def test_rows_train_as_numbers_do(tfpc, ran, spec):
    """Cross-entropy of a row with a single one is that of the class number."""
    text = spec.read_text().replace("  one_hot(label, 10)\n", "")
    numbers = spec.with_name("numbers.tfp")
    numbers.write_text(text)
    other = tfpc("run", numbers, "--run-dir", "numbers", cwd=spec.parent).stdout
    first, second = (epochs_of(each)[0].split() for each in (ran, other))
    assert first[2] == second[2] == "train.loss"
    assert float(first[3]) == pytest.approx(float(second[3]), rel=1e-3)


def test_the_plan_says_where_each_step_runs(tfpc, spec):
    plan = json.loads(tfpc("plan", spec, "--json", cwd=spec.parent).stdout)
    steps = {step["step"]: step for step in plan["pipeline"]["train"]["steps"]}
    words = ("random_brightness", "random_contrast", "random_saturation", "random_hue")
    for word in (*words, "one_hot", "offset", "random_resized_crop"):
        assert steps[word]["runs_on"] == "host"
        assert steps[word]["gives"]["image"] == "uint8[8, 8, 3]"
    for word in (*words, "one_hot", "offset"):
        assert steps[word]["batched"]
    assert not steps["random_resized_crop"]["batched"]
    assert steps["normalize"]["runs_on"] == "device"
    text = tfpc("plan", spec, cwd=spec.parent).stdout
    (line,) = [each for each in text.splitlines() if "random_hue(0.1)" in each]
    assert "host, a batch, every epoch" in line
