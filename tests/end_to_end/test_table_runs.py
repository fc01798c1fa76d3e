"""Tables from file to trained model: CSV as people have it, records with gaps."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest

pytestmark = [pytest.mark.tensorflow, pytest.mark.slow]

SPEC = """\
let names = ["age", "job", "hours", "rich"]

data people {
  train = csv("train.csv", columns = names, missing = "?")
  validation = split(20%)
  test = csv("test.csv", columns = names, missing = "?")
  label = rich
  schema {
    age = float32
    job = string
    hours = int64
    rich = string(values = [["<=50K", "<=50K."], [">50K", ">50K."]])
  }
}

pipeline rows from people {
  when(train) {
    shuffle
  }
  batch(32)
}

model classifier from rows {
  features {
    age = normalize
    hours = normalize
    job = JOB
  }
  dense(16, activation = relu)
  dropout(0.1)
  dense(1)
}

train classifier {
  epochs = 6
  optimizer = adam(learning_rate = 1e-2)
  loss = crossentropy
  metrics = [accuracy]
}

observe {
  checkpoint(every = 1epoch, keep = 9)
}

determinism = true
"""


def rows(count, seed, *, stop=""):
    """Rows as those of a census: blanks, `?`, and an income that depends on them."""
    draw = np.random.default_rng(seed)
    lines = []
    for _ in range(count):
        age, job = draw.integers(18, 80), draw.choice(["cook", "boss", "?", '"a, b"'])
        hours = draw.integers(10, 60)
        rich = age + hours + 40 * (job == "boss") > 100
        label = ">50K" if rich else "<=50K"
        lines.append(f"{age}, {job}, {hours}, {label}{stop}")
    return "\n".join(lines) + "\n\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("tables")
    (path / "train.csv").write_text(rows(1500, 1))
    (path / "test.csv").write_text(rows(300, 2, stop=".") + "30, pilot, 20, <=50K.\n")
    (path / "hot.tfp").write_text(SPEC.replace("JOB", "one_hot"))
    (path / "embedded.tfp").write_text(SPEC.replace("JOB", "embed(4)"))
    return path


@pytest.fixture(scope="module")
def hot(tfpc, folder):
    tfpc("run", "hot.tfp", "--run-dir", "hot", cwd=folder)
    return folder / "hot"


@pytest.mark.parametrize("spec", ["hot", "embedded"])
def test_a_table_is_learnt(tfpc, folder, events, hot, spec):
    if spec != "hot":
        tfpc("run", f"{spec}.tfp", "--run-dir", spec, cwd=folder)
    evaluated = [e for e in events(folder / spec) if e["event"] == "evaluated"]
    (test,) = [e for e in evaluated if e["split"] == "test"]
    assert test["examples"] == 301
    assert test["metrics"]["test.accuracy"] > 0.93


def test_what_encoders_know_is_of_train_alone(folder, hot):
    learnt = json.loads((hot / "learnt.json").read_text())
    assert learnt["job"]["values"] == ["", "a, b", "boss", "cook"]  # no pilot
    lines = rows(1500, 1).splitlines()
    ages = [float(line.partition(",")[0]) for line in lines if line]
    assert learnt["age"]["mean"] != pytest.approx([np.mean(ages)], abs=1e-9)
    assert learnt["age"]["mean"] == pytest.approx([np.mean(ages)], abs=1)


def test_a_resumed_run_ends_alike(tfpc, folder, hot, variables):
    shutil.copytree(hot, folder / "part")
    checkpoints = sorted((folder / "part" / "checkpoints").iterdir())
    for checkpoint in checkpoints[2:]:
        shutil.rmtree(checkpoint)
    tfpc("run", "hot.tfp", "--run-dir", "part", "--resume", cwd=folder)
    whole = sorted((hot / "checkpoints").iterdir())[-1]
    again = sorted((folder / "part" / "checkpoints").iterdir())[-1]
    for name, value in variables(whole).items():
        np.testing.assert_array_equal(value, variables(again)[name], err_msg=name)


def test_two_replicas_agree_with_one(tfpc, folder, hot, events):
    tfpc(
        "run", "hot.tfp", "--run-dir", "two", "--set", "strategy=mirrored(cpus = 2)",
        cwd=folder,
    )  # fmt: skip
    finished = [events(path)[-1]["metrics"] for path in (hot, folder / "two")]
    for name, value in finished[0].items():
        assert finished[1][name] == pytest.approx(value, abs=1e-3), name


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("44, cook, 30", "line 1301 has 3 fields instead of 4"),
        ("44, cook, many, <=50K", "no value for `hours`: 'many' is no whole number"),
        ("44, cook, 30, rich", "no value for `rich`: 'rich' is none of its values"),
        (", cook, 30, >50K", "no value for `age`: the field is empty"),
    ],
)
def test_a_bad_row_far_down_is_named(tfpc, tmp_path, line, said):
    lines = rows(1500, 1).splitlines()
    lines[1300] = line
    (tmp_path / "train.csv").write_text("\n".join(lines))
    (tmp_path / "test.csv").write_text(rows(30, 2))
    (tmp_path / "hot.tfp").write_text(SPEC.replace("JOB", "one_hot"))
    run = tfpc("run", "hot.tfp", "--run-dir", "ran", cwd=tmp_path, check=False)
    assert run.returncode == 1
    assert said in run.stderr
    assert "train.csv, line 1301" in run.stderr
    assert "hot.tfp:4:11" in run.stderr
    assert "Traceback" not in run.stdout + run.stderr


RECORDS = """\
data trips {
  train = tfrecord("trips-*")
  label = fare
  schema {
    miles = float32(default = 0)
    company = string(default = "")
    hours = int64(default = 1)[2]
    fare = float32
  }
}

pipeline rows from trips {
  when(train) {
    shuffle
  }
  batch(16)
}

model regressor from rows {
  features {
    miles = normalize
    company = one_hot
    hours = normalize
  }
  dense(16, activation = relu)
  dense(1)
}

train regressor {
  epochs = 8
  optimizer = adam(learning_rate = 2e-2)
  loss = mse
}
"""


def write_trips(folder):
    """Three files of trips, one of each compression, in which features are absent."""
    import tensorflow as tf

    draw = np.random.default_rng(3)
    train = tf.train
    for number, compression in enumerate(("", "GZIP", "ZLIB")):
        path = str(folder / f"trips-{number}")
        with tf.io.TFRecordWriter(path, compression) as writer:
            for _ in range(100):
                miles = float(draw.random())
                fare = train.FloatList(value=[3 * miles + 1])
                features = {"fare": train.Feature(float_list=fare)}
                if draw.random() < 0.9:
                    value = train.FloatList(value=[miles])
                    features["miles"] = train.Feature(float_list=value)
                if draw.random() < 0.5:
                    value = train.BytesList(value=[draw.choice([b"a", b"b"])])
                    features["company"] = train.Feature(bytes_list=value)
                elif draw.random() < 0.5:
                    features["company"] = train.Feature()
                example = train.Example(features=train.Features(feature=features))
                writer.write(example.SerializeToString())


def test_records_with_gaps_in_files_of_all_compressions(tfpc, tmp_path, events):
    write_trips(tmp_path)
    (tmp_path / "trips.tfp").write_text(RECORDS)
    tfpc("run", "trips.tfp", "--run-dir", "ran", cwd=tmp_path)
    epochs = [e for e in events(tmp_path / "ran") if e["event"] == "epoch"]
    losses = [e["metrics"]["train.loss"] for e in epochs]
    assert losses[-1] < losses[0] / 4
    learnt = json.loads((tmp_path / "ran" / "learnt.json").read_text())
    assert learnt["company"]["values"] == ["", "a", "b"]
    assert learnt["hours"]["mean"] == [1, 1]


def test_a_feature_that_a_record_lacks_is_named(tfpc, tmp_path):
    write_trips(tmp_path)
    text = RECORDS.replace("miles = float32(default = 0)", "miles = float32")
    (tmp_path / "trips.tfp").write_text(text)
    run = tfpc("run", "trips.tfp", "--run-dir", "ran", cwd=tmp_path, check=False)
    assert run.returncode == 1
    assert "trips-" in run.stderr
    assert "record" in run.stderr
    assert "miles" in run.stderr
    assert "trips.tfp:2:11" in run.stderr
    assert "Traceback" not in run.stdout + run.stderr


def test_a_compressed_file_that_is_cut_is_named(tfpc, tmp_path):
    write_trips(tmp_path)
    file = tmp_path / "trips-1"
    file.write_bytes(file.read_bytes()[:-200])
    (tmp_path / "trips.tfp").write_text(RECORDS)
    run = tfpc("run", "trips.tfp", "--run-dir", "ran", cwd=tmp_path, check=False)
    assert run.returncode == 1
    assert "trips-1" in run.stderr
    assert "is cut" in run.stderr
    assert "Traceback" not in run.stdout + run.stderr


def test_classes_may_count_differently(tfpc, folder, hot, events):
    text = (folder / "hot.tfp").read_text()
    weighted = text.replace(
        "  loss = crossentropy\n",
        "  loss = crossentropy\n  class_weights = [1, 20]\n",
    )
    (folder / "weighted.tfp").write_text(weighted.replace("epochs = 6", "epochs = 1"))
    tfpc("run", "weighted.tfp", "--run-dir", "weighted", cwd=folder)
    first = [
        next(e["metrics"] for e in events(path) if e["event"] == "epoch")
        for path in (hot, folder / "weighted")
    ]
    # Twenty times as much for half of the examples; validation is not weighted.
    assert first[1]["train.loss"] > 3 * first[0]["train.loss"]
    assert first[1]["validation.loss"] < first[1]["train.loss"] / 2
