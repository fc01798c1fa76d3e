"""Several devices of one machine train as one does: parts of the CPU stand for GPUs."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

pytestmark = [pytest.mark.tensorflow, pytest.mark.slow]

# Without batch normalization, whose statistics are those of each replica alone.
MODEL = """\
model classifier from images {
  conv2d(16, 3, activation = relu)
  flatten
  dropout(0.3)
  dense(digits.classes)
}

"""


@pytest.fixture(scope="module")
def spec(digits, tmp_path_factory):
    folder = tmp_path_factory.mktemp("mirrored")
    text = digits.read_text()
    first, last = text.index("model "), text.index("train ", text.index("model "))
    (folder / "data").symlink_to(digits.parent / "data")
    (folder / "plain.tfp").write_text(text[:first] + MODEL + text[last:])
    return folder / "plain.tfp"


def settings(strategy, epochs=3):
    return ("--set", f"strategy={strategy}", "--set", f"train.epochs={epochs}")


@pytest.fixture(scope="module")
def trained(tfpc, spec, events, variables):
    """What a run with a strategy told by epoch, and the variables it ended with."""

    def run(strategy, name=None):
        folder = spec.parent / (name or strategy)
        tfpc("run", spec, "--run-dir", folder, *settings(strategy), cwd=spec.parent)
        told = [each for each in events(folder) if each["event"] == "epoch"]
        newest = sorted((folder / "checkpoints").glob("step-*"))[-1]
        return [each["metrics"] for each in told], variables(newest)

    return run


@pytest.fixture(scope="module")
def one_device(trained):
    return trained("auto")


@pytest.mark.parametrize("count", [1, 2, 3])
def test_replicas_train_as_one_device(trained, one_device, count):
    metrics, weights = trained(f"mirrored(cpus={count})")
    expected, others = one_device
    for now, then in zip(metrics, expected, strict=True):
        assert now.keys() == then.keys()
        for name, value in now.items():
            assert value == pytest.approx(then[name], abs=1e-4), name
        # Counts over all replicas: each example once, whoever saw it.
        assert now["validation.accuracy"] * 359 == pytest.approx(
            round(now["validation.accuracy"] * 359), abs=1e-3
        )
    assert weights.keys() == others.keys()
    for name, value in weights.items():
        np.testing.assert_allclose(value, others[name], atol=1e-3, err_msg=name)


def test_killed_and_resumed(trained, tfpc, spec, events, variables):
    strategy = "mirrored(cpus=2)"
    _, expected = trained(strategy.replace("=", " = "), "undisturbed")
    folder = spec.parent / "killed"
    command = [sys.executable, "-m", "tfpc", "run", str(spec), "--run-dir", str(folder)]
    process = subprocess.Popen(
        [*command, *settings(strategy)], cwd=spec.parent, stdout=subprocess.DEVNULL
    )
    deadline = time.monotonic() + 120
    path = folder / "events.jsonl"
    while time.monotonic() < deadline:
        lines = path.read_text().splitlines() if path.exists() else []
        told = [json.loads(line) for line in lines if line.endswith("}")]
        if any(e["event"] == "progress" and e["epoch"] == 2 for e in told):
            break
        time.sleep(0.01)
    program = next(each["pid"] for each in told if each["event"] == "started")
    subprocess.run(["kill", f"-{int(signal.SIGKILL)}", str(program)], check=True)
    assert process.wait(60) == 1
    resume = ("--run-dir", folder, "--resume", *settings(strategy))
    tfpc("run", spec, *resume, cwd=spec.parent)
    newest = sorted((folder / "checkpoints").glob("step-*"))[-1]
    for name, value in variables(newest).items():
        assert value.tobytes() == expected[name].tobytes(), name


def test_waiting_is_timed_on_several_devices(tfpc, spec, events):
    flags = (*settings("mirrored(cpus=2)", 2), "--set", "determinism=false")
    tfpc("run", spec, "--run-dir", "timed", *flags, cwd=spec.parent)
    finished = events(spec.parent / "timed")[-1]
    assert 0 <= finished["input_wait"] <= 1


def test_a_batch_that_does_not_divide(tfpc, spec, events):
    optimizer = ("--set", "train.optimizer=adam(1e-3)")
    flags = ("--run-dir", "uneven", *settings("mirrored(cpus=3)", 1), *optimizer)
    ran = tfpc("run", spec, *flags, cwd=spec.parent)
    assert "warning[TFP602]" in ran.stderr
    told = events(spec.parent / "uneven")
    warned = [each["code"] for each in told if each["event"] == "warned"]
    assert warned == ["uneven-batch"]


def test_gpus_that_are_not_there(tfpc, spec):
    source = spec.read_text() + "\nstrategy = mirrored(gpus = 2)\n"
    (spec.parent / "gpus.tfp").write_text(source.replace("strategy = auto\n", "", 1))
    failed = tfpc("run", "gpus.tfp", cwd=spec.parent, check=False)
    assert failed.returncode == 1
    assert "error[TFP907]" in failed.stderr
    assert "asks for 2 GPUs" in failed.stderr
    assert "strategy = mirrored(gpus = 2)" in failed.stderr
    assert "Traceback" not in failed.stderr
