"""Charts, a limit of time and a setting of memory, in runs on real data."""

from __future__ import annotations

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

pytestmark = [pytest.mark.tensorflow, pytest.mark.slow]

OBSERVE = """\
observe {
  tensorboard("charts", images = 4, every = 7steps)
  stop_after(1h)
  checkpoint(every = 11steps, keep = 2, monitor = validation.accuracy)
}

memory = limit(2GiB)
"""


def written(folder, digits, observe=OBSERVE, *changes):
    """The spec of the digits with other monitors, beside its data."""
    text = digits.read_text()
    first, last = text.index("observe "), text.index("strategy ")
    text = text[:first] + observe + text[last:]
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (folder / "data").symlink_to(digits.parent / "data")
    (folder / "spec.tfp").write_text(text)
    return folder


EPOCHS = 5
SHORT = ("epochs = 15", f"epochs = {EPOCHS}")


def read(folder):
    """[(tag, step, value)] of all that stands in a folder of charts."""
    import tensorflow as tf

    return sorted(
        (value.tag, event.step, tf.make_ndarray(value.tensor).tolist())
        for path in pathlib.Path(folder).iterdir()
        for event in tf.compat.v1.train.summary_iterator(str(path))
        for value in event.summary.value
    )


def measured(charts):
    """What does not differ from run to run."""
    return {
        line: [p for p in read(charts / line) if p[0] != "examples_per_s"]
        for line in ("train", "validation")
    }


@pytest.fixture(scope="module")
def undisturbed(tfpc, digits, tmp_path_factory):
    """A run in one go: its folder, and what it printed."""
    folder = written(tmp_path_factory.mktemp("undisturbed"), digits, OBSERVE, SHORT)
    ran = tfpc("run", "spec.tfp", "--run-dir", "ran", cwd=folder)
    return folder, ran.stdout + ran.stderr


def test_the_charts_are_those_of_the_events(undisturbed, events):
    folder, _ = undisturbed
    told = [each for each in events(folder / "ran") if each["event"] == "epoch"]
    steps = next(e for e in events(folder / "ran") if e["event"] == "progress")
    steps = steps["steps_per_epoch"]
    charts = measured(folder / "charts")
    for word in ("loss", "accuracy"):
        for line in ("train", "validation"):
            found = {s: v for tag, s, v in charts[line] if tag == word}
            for epoch, each in enumerate(told, 1):
                expected = each["metrics"][f"{line}.{word}"]
                assert found[epoch * steps] == pytest.approx(expected, rel=1e-6)
        lines = [s for tag, s, _ in charts["train"] if tag == word]
        last = EPOCHS * steps
        due = {*range(7, last + 1, 7), *range(steps, last + 1, steps)}
        assert lines == sorted(due)
    tags = {tag for tag, _, _ in read(folder / "charts" / "train")}
    # Under determinism there is no clock for the waiting.
    assert tags == {"loss", "accuracy", "learning_rate", "examples_per_s", "pictures"}
    assert {tag for tag, _, _ in charts["validation"]} == {"loss", "accuracy"}


def test_the_pictures_are_those_of_the_first_batches(undisturbed, digits):
    import tensorflow as tf

    folder, _ = undisturbed
    code = (
        "import numpy as np, program\n"
        "import pathlib\n"
        "batches = list(program.train_dataset(pathlib.Path('..')))\n"
        "spe = len(batches) // program.EPOCHS\n"
        "np.save('first.npy', [batches[e * spe][0][:4] for e in range(program.EPOCHS)])"
    )
    subprocess.run([sys.executable, "-c", code], cwd=folder / "ran", check=True)
    first = np.load(folder / "ran" / "first.npy")
    assert first.dtype == np.uint8
    shown = [v for tag, _, v in read(folder / "charts" / "train") if tag == "pictures"]
    assert len(shown) == len(first) == EPOCHS
    for (width, height, *pictures), expected in zip(shown, first, strict=True):
        assert (width, height) == (b"8", b"8")
        found = np.array([tf.io.decode_png(each).numpy() for each in pictures])
        np.testing.assert_array_equal(found, expected)


def test_memory_has_nothing_to_set_without_a_gpu(undisturbed):
    import tensorflow as tf

    if tf.config.list_physical_devices("GPU"):
        pytest.skip("this machine has a GPU")
    assert "memory: nothing to set (TensorFlow sees no GPU" in undisturbed[1]


def killed(folder, at_least):
    """Starts a run and kills its program after some steps."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tfpc", "run", "spec.tfp", "--run-dir", "ran"],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    path = folder / "ran" / "events.jsonl"
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        lines = path.read_text().splitlines() if path.exists() else []
        told = [json.loads(line) for line in lines if line.endswith("}")]
        if any(e["event"] == "saved" and e["step"] >= at_least for e in told):
            break
        time.sleep(0.005)
    else:
        process.kill()
        pytest.fail("it never came so far")
    program = next(each["pid"] for each in told if each["event"] == "started")
    os.kill(program, signal.SIGKILL)
    assert process.wait(60) == 1


def test_killed_and_resumed_the_charts_are_the_same(
    tfpc, digits, tmp_path, undisturbed
):
    folder = written(tmp_path, digits, OBSERVE, SHORT)
    killed(folder, 55)
    before = read(folder / "charts" / "train")
    assert before
    tfpc("run", "spec.tfp", "--run-dir", "ran", "--resume", cwd=folder)
    assert measured(folder / "charts") == measured(undisturbed[0] / "charts")
    # There are two parts, and so two files: what was killed was gone on from.
    assert len(list((folder / "charts" / "train").iterdir())) == 2


def test_a_run_stops_when_its_time_is_over(tfpc, digits, tmp_path, events):
    observe = OBSERVE.replace("1h", "8s").replace('"charts", ', "")
    test = "  validation = split(20%, seed = 42)\n"
    changes = (
        ("epochs = 15", "epochs = 100_000"),
        (test, test + test[:2] + "test" + test[12:]),
    )
    folder = written(tmp_path, digits, observe, *changes)
    begun = time.monotonic()
    ran = tfpc("run", "spec.tfp", "--run-dir", "ran", cwd=folder)
    assert time.monotonic() - begun < 60
    assert "because its time was over" in ran.stdout + ran.stderr
    told = events(folder / "ran")
    assert told[-1]["event"] == "finished"
    assert told[-1]["reason"] == "stop_after"
    assert told[-1]["epochs"] < 100_000
    # The checkpoint first, then the evaluation that is due.
    saved = [e for e in told if e["event"] == "saved"][-1]
    assert saved["step"] == told[-1]["steps"]
    assert told[-2]["event"] == "evaluated"
    assert told[-2]["split"] == "test"
    assert (folder / "ran" / "tensorboard" / "train").is_dir()
    resumed = tfpc("run", "spec.tfp", "--run-dir", "ran", "--resume", cwd=folder)
    assert "because its time was over" in resumed.stdout + resumed.stderr
    assert events(folder / "ran")[-1]["steps"] == told[-1]["steps"]


@pytest.mark.parametrize("strategy", ["mirrored(cpus = 2)", "auto"])
def test_pictures_and_waiting_with_and_without_replicas(
    tfpc, digits, tmp_path, strategy
):
    changes = (
        ("epochs = 15", "epochs = 2"),
        ("strategy = auto", f"strategy = {strategy}"),
        ("determinism = true", "determinism = false"),
    )
    folder = written(tmp_path, digits, OBSERVE, *changes)
    tfpc("run", "spec.tfp", "--run-dir", "ran", cwd=folder)
    charts = read(folder / "charts" / "train")
    assert len([1 for tag, *_ in charts if tag == "pictures"]) == 2
    waits = [value for tag, _, value in charts if tag == "input_wait"]
    assert waits
    assert all(0 <= value <= 1 for value in waits)


def test_without_the_package_it_ends_in_words(tfpc, digits, tmp_path):
    folder = written(tmp_path, digits, OBSERVE, SHORT)
    program = folder / "spec.py"
    tfpc("emit", "spec.tfp", "-o", program, cwd=folder)
    # As if it were not installed: the program looks before it trains.
    hidden = (
        "import importlib.util, runpy, sys; find = importlib.util.find_spec;"
        "importlib.util.find_spec = lambda n, *p: "
        "None if n == 'tensorboard' else find(n, *p);"
        "sys.argv = ['spec.py']; runpy.run_path('spec.py', run_name='__main__')"
    )
    ended = subprocess.run(
        [sys.executable, "-c", hidden],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 1
    assert "pip install tensorboard" in ended.stderr
    assert "Traceback" not in ended.stderr
