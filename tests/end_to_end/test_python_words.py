"""Functions of the user's own: named in a spec, read by lint, called by the program."""

from __future__ import annotations

import json
import shutil

import pytest

pytestmark = [pytest.mark.tensorflow, pytest.mark.slow]

SIDE_EFFECT = """
import pathlib

pathlib.Path(__file__).with_name("was_imported.txt").write_text("yes")
"""


@pytest.fixture(scope="module")
def folder(repository, tmp_path_factory):
    """The spec with its Python, which writes a file when it is imported."""
    folder = tmp_path_factory.mktemp("own")
    shutil.copytree(repository / "specs" / "own", folder / "own")
    shutil.copytree(
        repository / "specs" / "data" / "digits", folder / "data" / "digits"
    )
    text = (repository / "specs" / "own_network.tfp").read_text()
    text = text.replace("epochs = 6", "epochs = 2")
    (folder / "own.tfp").write_text(text + "strategy = mirrored(cpus = 2)\n")
    network = folder / "own" / "network.py"
    network.write_text(network.read_text() + SIDE_EFFECT)
    return folder


@pytest.fixture(scope="module")
def run(tfpc, folder):
    """The whole run, after everything that must not import the file."""
    commands = ("lint", "--fix"), ("fmt",), ("plan",), ("emit", "-o", "program.py")
    for command in commands:
        tfpc(*command[:1], "own.tfp", *command[1:], cwd=folder)
    assert not (folder / "own" / "was_imported.txt").exists()
    tfpc("run", "own.tfp", "--run-dir", "there", "--plain", cwd=folder)
    return folder / "there"


def last(run):
    """The metrics at the end of a run."""
    events = [
        json.loads(line) for line in (run / "events.jsonl").read_text().splitlines()
    ]
    return events[-1]["metrics"]


def test_it_trains_and_measures_by_the_functions_names(run):
    metrics = last(run)
    assert metrics["validation.accuracy"] > 0.6
    assert 0.1 < metrics["validation.confidence"] < 1.0
    assert (run / "spec" / "own" / "was_imported.txt").exists()


def test_the_run_folder_has_the_python(run):
    assert "def squeeze" in (run / "spec" / "own" / "network.py").read_text()


def test_the_emitted_program_does_the_same_also_after_the_file_has_changed(
    run, python, folder, tmp_path
):
    """From a copy of the run folder, with other Python beside the spec."""
    there = tmp_path / "elsewhere"
    shutil.copytree(run / "spec", there / "spec")
    shutil.copy(folder / "program.py", there)
    (tmp_path / "other" / "own").mkdir(parents=True)
    (tmp_path / "other" / "own" / "network.py").write_text("raise ValueError\n")
    (tmp_path / "other" / "data").symlink_to(folder / "data")
    python(
        there / "program.py", "--root", tmp_path / "other", "--run-dir", "again",
        cwd=there,
    )  # fmt: skip
    said = (run / "log.txt").read_text()
    assert "epoch 2/2" in said or last(run)
    assert (there / "again" / "checkpoints").is_dir()


WRONG = {
    "raises": (
        "    return tf.cast(image, tf.float32) + noise",
        '    raise ValueError("no noise today")',
        ["network.py, line 10", "ValueError: no noise today", "own.tfp:"],
    ),
    "another type": (
        "    return tf.cast(image, tf.float32) + noise",
        "    return tf.cast(image, tf.float64)",
        ["gives image = float64[8, 8, 1], the spec expects float32[8, 8, 1]"],
    ),
    "another shape": (
        "keras.layers.Dense(classes),",
        "keras.layers.Dense(classes + 1),",
        ["float32[?, 11], the spec expects float32[?, 10]"],
    ),
    "mean loss": (
        "    return -((1.0 - sure) ** gamma) * tf.math.log(sure + 1e-7)",
        "    return tf.reduce_mean(-tf.math.log(sure))",
        ["not one number for each example"],
    ),
    "import fails": (
        "import keras\n",
        "import keras\nimport not_installed_anywhere\n",
        ["network.py, line 4", "No module named 'not_installed_anywhere'"],
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_fails_in_the_users_python_is_told_with_its_line(
    tfpc, folder, tmp_path, name
):
    old, new, said = WRONG[name]
    (tmp_path / "own").mkdir()
    text = (folder / "own" / "network.py").read_text()
    assert old in text
    (tmp_path / "own" / "network.py").write_text(text.replace(old, new))
    (tmp_path / "data").symlink_to(folder / "data")
    shutil.copy(folder / "own.tfp", tmp_path)
    failed = tfpc("run", "own.tfp", "--plain", cwd=tmp_path, check=False)
    output = failed.stdout + failed.stderr
    assert failed.returncode == 1
    assert "error[TFP908]" in output
    assert "Traceback" not in output
    for each in said:
        assert each in output


def test_weights_outside_the_scope_stop_the_program_at_their_line(
    tfpc, folder, tmp_path
):
    """Lint says it first; who allows it is told by the program."""
    text = (folder / "own" / "network.py").read_text()
    text = text.replace(
        "def head(classes):",
        "HEAD = keras.Sequential([keras.Input((4, 4, 32)), keras.layers.Flatten(),\n"
        "    keras.layers.Dense(10)])\n\n\ndef head(classes):\n    return HEAD\n\n\n"
        "def other(classes):",
    )
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "network.py").write_text(text)
    (tmp_path / "data").symlink_to(folder / "data")
    spec = (folder / "own.tfp").read_text()
    (tmp_path / "own.tfp").write_text(spec)
    refused = tfpc("lint", "own.tfp", cwd=tmp_path, check=False)
    assert "error[TFP604]" in refused.stdout
    assert "network.py" in refused.stdout
    call = '  python "own.network:head"'
    allowed = "  # allow(weights-outside-scope): to see what the program says\n" + call
    (tmp_path / "own.tfp").write_text(spec.replace(call, allowed))
    failed = tfpc("run", "own.tfp", "--plain", cwd=tmp_path, check=False)
    output = failed.stdout + failed.stderr
    line = next(n for n, each in enumerate(text.splitlines(), 1) if "Dense(10)" in each)
    assert f"network.py, line {line}" in output or f"line {line - 1}" in output
    assert "outside of strategy.scope()" in output


def lint(tfpc, folder, spec):
    """What lint says of a spec."""
    (folder / "x.tfp").write_text(spec)
    failed = tfpc("lint", "x.tfp", cwd=folder, check=False)
    assert "Traceback" not in failed.stdout + failed.stderr
    return failed.stdout


def test_lint_says_what_is_wrong_with_a_use(tfpc, folder):
    spec = (folder / "own.tfp").read_text()
    for old, new, said in (
        ("own.network:focal", "own.network:focl", "did you mean `focal`"),
        ("own.network:focal", "own.netwrk:focal", "there is no file"),
        ("own.network:focal", "network.py", "needs `module:function`"),
        ("gamma = 1.0", "gama = 1.0", "did you mean `gamma`"),
        ("(gamma = 1.0)", "", "`focal` needs `gamma`"),
        ("(gamma = 1.0)", "(1.0)", "given by name"),
        ("ratio = 4", "ratio = relu", "`ratio` must be a number"),
        ("(amount = 4.0)", "(amount = 4.0, sed = 1)", "`noisy` has no parameter `sed`"),
        (
            'python "own.network:focal"(gamma = 1.0)',
            "crossentropy",
            "logits or probabilities?",
        ),
        ("-> (float32[10])", "-> (image = float32[10])", "without a name"),
    ):
        assert old in spec
        assert said in lint(tfpc, folder, spec.replace(old, new))
    (folder / "broken.py").write_text("def focal(label, scores:\n    return 1\n")
    said = lint(tfpc, folder, spec.replace("own.network:focal", "broken:focal"))
    assert "broken.py, line 1 can't be read" in said
