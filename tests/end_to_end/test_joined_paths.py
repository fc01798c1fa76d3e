"""A model with paths and names builds in Keras as it was planned, and trains."""

from __future__ import annotations

import json

import pytest

pytestmark = [pytest.mark.tensorflow, pytest.mark.slow]

MODEL = """\
layer inner(filters) {
  merge(concat) {
    path { conv2d(filters, 1) as one }
    path {
      conv2d(filters, 3, padding = same)
      add(one)
    }
    path { }
  }
}

model classifier from images {
  conv2d(8, 3, padding = same) as edges
  repeat(2) { inner(4) }
  merge(average) {
    path { conv2d(8, 1) }
    path {
      residual(shortcut = conv2d(8, 1)) {
        conv2d(8, 3, padding = same)
        relu
      }
    }
  }
  concat([edges, edges])
  conv2d(8, 1)
  add(edges)
  flatten
  dense(digits.classes)
}

"""


def test_it_trains(tfpc, python, digits, tmp_path):
    text = digits.read_text()
    first, last = text.index("model "), text.index("train ", text.index("model "))
    (tmp_path / "data").symlink_to(digits.parent / "data")
    (tmp_path / "joins.tfp").write_text(text[:first] + MODEL + text[last:])
    plan = json.loads(tfpc("plan", "joins.tfp", "--json", cwd=tmp_path).stdout)
    tfpc("emit", "joins.tfp", "-o", "program.py", cwd=tmp_path)
    shapes = python(
        "-c",
        "import json, program; model = program.build_model();"
        "print(json.dumps([[layer.name, layer.output.shape] for layer in model.layers]))",
        cwd=tmp_path,
    ).stdout.splitlines()[-1]
    built = dict(json.loads(shapes))
    assert len(built) == len(plan["model"]["layers"]) + 1
    for layer in plan["model"]["layers"]:
        sizes = "?, " + ", ".join(map(str, built[layer["name"]][1:]))
        assert layer["gives"] == f"float32[{sizes}]"
    ran = tfpc("run", "joins.tfp", "--set", "train.epochs=3", cwd=tmp_path)
    assert "done: 3 epochs" in ran.stdout
