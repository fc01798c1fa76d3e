"""Pictures whose labels stand in their names, or in a table beside the folder."""

from __future__ import annotations

import numpy as np
import pytest

pytestmark = [pytest.mark.tensorflow, pytest.mark.slow]

SPEC = """\
data pets {
DATA
}

pipeline images from pets {
  decode_jpeg(channels = 3)
  resize(8, 8)
  cache(memory)
  when(train) { shuffle }
  normalize(mean = [127.5], std = [127.5])
  batch(8)
}

model classifier from images {
  global_average_pooling2d
  dense(pets.classes)
}

train classifier {
  epochs = 15
  optimizer = adam(learning_rate = 0.1)
  loss = crossentropy
  metrics = [accuracy]
}
"""
KINDS = ("bull_dog", "cat", "emu")


@pytest.fixture(scope="module")
def pets(tmp_path_factory):
    """Each kind has a color, and lies in no folder of its own."""
    import tensorflow as tf

    path = tmp_path_factory.mktemp("pets")
    rows = ["image,breed,red"]
    for number in range(48):
        kind = KINDS[number % 3]
        folder = path / "photos" / ("" if number % 2 else "more/of them")
        folder.mkdir(parents=True, exist_ok=True)
        color = np.full((8, 8, 3), 20, np.uint8)
        color[..., number % 3] = 220
        picture = tf.io.encode_jpeg(color).numpy()
        (folder / f"{kind}_{number:02}.jpg").write_bytes(picture)
        rows.append(f"{kind}_{number:02},{kind},{2.5 if number % 3 == 0 else -1}")
    (path / "labels.csv").write_text("\n".join(rows) + "\n")
    return path


NAMES = """\
  train = image_folder("photos", labels = filename("{label}_*", take = longest))
  validation = split(25%)"""
TABLE = """\
  train = image_folder("photos", labels = csv("labels.csv"))
  validation = image_folder("photos/more", labels = csv("labels.csv", partial = true))"""


@pytest.mark.parametrize("data", [NAMES, TABLE], ids=["names", "table"])
def test_it_learns_what_the_labels_say(tfpc, events, pets, data, tmp_path):
    (pets / "pets.tfp").write_text(SPEC.replace("DATA", data))
    tfpc("run", pets / "pets.tfp", "--run-dir", tmp_path / "run", cwd=tmp_path)
    measured = [e for e in events(tmp_path / "run") if e["event"] == "evaluated"]
    assert measured[-1]["metrics"]["validation.accuracy"] == 1.0
    assert measured[-1]["examples"] == (12 if data is NAMES else 24)


def test_a_label_to_predict_as_a_number(tfpc, events, pets, tmp_path):
    labels = 'csv("labels.csv", label = "red", kind = number)'
    text = SPEC.replace("DATA", f'  train = image_folder("photos", labels = {labels})')
    text = text.replace("pets.classes", "1").replace("crossentropy", "mse")
    (pets / "red.tfp").write_text(text.replace("  metrics = [accuracy]\n", ""))
    tfpc("run", pets / "red.tfp", "--run-dir", tmp_path / "run", cwd=tmp_path)
    epochs = [e for e in events(tmp_path / "run") if e["event"] == "epoch"]
    first, *_, last = [epoch["metrics"]["train.loss"] for epoch in epochs]
    assert last < 0.01 < first


def test_what_a_run_finds_wrong_is_told_with_the_row(tfpc, python, pets, tmp_path):
    text = SPEC.replace("DATA", TABLE)
    (tmp_path / "pets.tfp").write_text(text)
    (tmp_path / "photos").symlink_to(pets / "photos")
    whole = (pets / "labels.csv").read_text()
    (tmp_path / "labels.csv").write_text(whole)
    tfpc("emit", "pets.tfp", "-o", "program.py", cwd=tmp_path)
    (tmp_path / "labels.csv").write_text(whole.replace("cat_04", "cat_4"))
    found = tfpc("run", "pets.tfp", cwd=tmp_path, check=False)
    assert found.returncode == 1
    assert '"cat_4" in line 6' in found.stderr + found.stdout
    done = python("program.py", cwd=tmp_path, check=False)
    assert done.returncode == 1
    found = done.stdout + done.stderr
    assert "labels.csv, line 6 names a picture that is not there: 'cat_4'" in found
    assert "pets.tfp:2:11" in found
    assert "Traceback" not in found
