"""What is wrong with the data is said by file and line, and the run folder is kept."""

from __future__ import annotations

import json

import numpy as np
import pytest

pytestmark = [pytest.mark.tensorflow, pytest.mark.slow]

SPEC = """\
data photos {
  train = image_folder("pictures")
}

pipeline images from photos {
  decode_jpeg(channels = 3)
  resize(8, 8)
CACHE
  when(train) { shuffle }
  batch(4)
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


@pytest.fixture
def photos(tmp_path):
    """A folder of 24 pictures in two classes, and specs with and without a cache."""
    import tensorflow as tf

    for number in range(24):
        folder = tmp_path / "pictures" / "ab"[number % 2]
        folder.mkdir(parents=True, exist_ok=True)
        noise = np.random.default_rng(number).integers(0, 256, (9, 9, 3), np.uint8)
        encoded = tf.io.encode_jpeg(noise).numpy()
        (folder / f"{number:02}.jpg").write_bytes(encoded)
    (tmp_path / "cached.tfp").write_text(SPEC.replace("CACHE", "  cache(memory)"))
    (tmp_path / "plain.tfp").write_text(SPEC.replace("CACHE\n", ""))
    return tmp_path


DAMAGE = {
    "cut": lambda data: data[:150],
    "empty": lambda data: b"",
    "text": lambda data: b"this is no picture",
}


@pytest.mark.parametrize("spec", ["cached", "plain"])
@pytest.mark.parametrize("kind", ["cut", "empty", "text"])
def test_a_damaged_picture_is_named(tfpc, photos, spec, kind):
    file = photos / "pictures" / "b" / "13.jpg"
    file.write_bytes(DAMAGE[kind](file.read_bytes()))
    run = tfpc("run", f"{spec}.tfp", "--run-dir", "ran", cwd=photos, check=False)
    assert run.returncode == 1
    assert "13.jpg can't be read" in run.stderr
    assert f"{spec}.tfp:2:11" in run.stderr
    assert "Traceback" not in run.stdout + run.stderr
    lines = (photos / "ran" / "events.jsonl").read_text().splitlines()
    failed = [json.loads(line) for line in lines if '"failed"' in line]
    assert failed[0]["file"].endswith("13.jpg")
    assert (photos / "ran" / "spec" / f"{spec}.tfp").exists()


def test_data_that_is_gone_when_the_program_starts(tfpc, python, photos):
    tfpc("emit", "cached.tfp", "-o", "program.py", cwd=photos)
    (photos / "pictures").rename(photos / "elsewhere")
    run = python("program.py", cwd=photos, check=False)
    assert run.returncode == 1
    assert "there is no folder" in run.stderr
    assert "cached.tfp:2:11" in run.stderr
    assert "Traceback" not in run.stderr


def test_another_number_of_classes(tfpc, python, photos):
    tfpc("emit", "cached.tfp", "-o", "program.py", cwd=photos)
    (photos / "pictures" / "c").mkdir()
    run = python("program.py", cwd=photos, check=False)
    assert run.returncode == 1
    assert "made for 2" in run.stderr


def test_a_cut_record_file_is_named(tfpc, repository, tmp_path):
    data = tmp_path / "data" / "digits"
    data.mkdir(parents=True)
    for file in (repository / "specs" / "data" / "digits").glob("*.tfrecord"):
        (data / file.name).write_bytes(file.read_bytes())
    damaged = data / "digits-00003-of-00006.tfrecord"
    damaged.write_bytes(damaged.read_bytes()[:-7])
    spec = (repository / "specs" / "digits.tfp").read_text()
    (tmp_path / "digits.tfp").write_text(spec)
    run = tfpc("run", "digits.tfp", "--run-dir", "ran", cwd=tmp_path, check=False)
    assert run.returncode == 1
    assert damaged.name in run.stderr
    assert "digits.tfp:5:11" in run.stderr


def test_a_record_with_a_wrong_checksum_is_named(tfpc, repository, tmp_path):
    data = tmp_path / "data" / "digits"
    data.mkdir(parents=True)
    for file in (repository / "specs" / "data" / "digits").glob("*.tfrecord"):
        (data / file.name).write_bytes(file.read_bytes())
    damaged = data / "digits-00003-of-00006.tfrecord"
    content = bytearray(damaged.read_bytes())
    content[5000] ^= 0xFF
    damaged.write_bytes(bytes(content))
    spec = (repository / "specs" / "digits.tfp").read_text()
    (tmp_path / "digits.tfp").write_text(spec)
    run = tfpc("run", "digits.tfp", "--run-dir", "ran", cwd=tmp_path, check=False)
    assert run.returncode == 1
    assert damaged.name in run.stderr


def test_a_label_outside_the_classes_is_named(tfpc, repository, tmp_path):
    folder = repository / "specs"
    spec = (folder / "digits.tfp").read_text().replace("classes = 10", "classes = 9")
    spec = spec.replace('"data/', f'"{folder}/data/')
    (tmp_path / "digits.tfp").write_text(spec)
    run = tfpc("run", "digits.tfp", "--run-dir", "ran", cwd=tmp_path, check=False)
    assert run.returncode == 1
    assert "label 9" in run.stderr
    assert "tfrecord" in run.stderr
