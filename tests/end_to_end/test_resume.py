"""Stopped anywhere and resumed, a run ends as if nothing had happened."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

pytestmark = [pytest.mark.tensorflow, pytest.mark.slow]

# Small batches, so that an epoch lasts long enough to be stopped in.
SETTINGS = ("--set", "train.epochs=3", "--set", "pipeline.batch.size=4")


@pytest.fixture(scope="module")
def undisturbed(tfpc, digits, tmp_path_factory, variables):
    """The variables that a run in one go ends with."""
    folder = tmp_path_factory.mktemp("undisturbed")
    tfpc("run", digits, "--run-dir", "ran", *SETTINGS, cwd=folder)
    return last_checkpoint(folder / "ran", variables)


def last_checkpoint(folder, variables):
    newest = sorted((folder / "checkpoints").glob("step-*"))[-1]
    return newest.name, variables(newest)


def stopped(digits, folder, number, *, whole_group):
    """Starts a run, sends a signal in the middle of the second epoch, waits."""
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "tfpc",
            "run",
            str(digits),
            "--run-dir",
            "ran",
            *SETTINGS,
        ],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    path = folder / "ran" / "events.jsonl"
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        lines = path.read_text().splitlines() if path.exists() else []
        told = [json.loads(line) for line in lines if line.endswith("}")]
        if any(
            each["event"] == "progress"
            and each["epoch"] == 2
            and each["step"] < each["steps_per_epoch"]
            for each in told
        ):
            break
        time.sleep(0.01)
    else:
        process.kill()
        pytest.fail("the second epoch never came: " + process.communicate()[0])
    if whole_group:
        program = next(each["pid"] for each in told if each["event"] == "started")
        os.kill(program, number)
    else:
        process.send_signal(number)
    return process.wait(60), process.communicate()[0]


def assert_same(one, other):
    assert one[0] == other[0]
    assert one[1].keys() == other[1].keys()
    assert len(one[1]) > 20
    for name, value in one[1].items():
        assert value.tobytes() == other[1][name].tobytes(), name


def test_killed_in_the_second_epoch(tfpc, digits, tmp_path, undisturbed, variables):
    code, text = stopped(digits, tmp_path, signal.SIGKILL, whole_group=True)
    assert code == 1
    assert "killed" in text
    newest = sorted((tmp_path / "ran" / "checkpoints").glob("step-*"))[-1]
    assert json.loads((newest / "state.json").read_text())["epoch"] == 1
    tfpc("run", digits, "--run-dir", "ran", "--resume", *SETTINGS, cwd=tmp_path)
    assert_same(last_checkpoint(tmp_path / "ran", variables), undisturbed)


@pytest.mark.parametrize(
    ("number", "expected"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)]
)
def test_signals_finish_the_step_and_save(
    tfpc, digits, tmp_path, undisturbed, variables, events, number, expected
):
    code, text = stopped(digits, tmp_path, number, whole_group=False)
    assert code == expected, text
    assert "--resume" in text
    told = events(tmp_path / "ran")
    assert told[-1]["event"] == "finished"
    assert told[-1]["reason"] == "signal"
    newest = sorted((tmp_path / "ran" / "checkpoints").glob("step-*"))[-1]
    state = json.loads((newest / "state.json").read_text())
    # In the middle of an epoch: not where the regular checkpoints are.
    assert state["epoch"] == 1
    assert state["step"] > 0
    tfpc("run", digits, "--run-dir", "ran", "--resume", *SETTINGS, cwd=tmp_path)
    assert_same(last_checkpoint(tmp_path / "ran", variables), undisturbed)


def test_a_resume_with_another_spec_is_refused(tfpc, digits, tmp_path):
    tfpc("run", digits, "--run-dir", "ran", "--set", "train.epochs=2", cwd=tmp_path)
    other = ("--set", "train.epochs=2", "--set", "model.dropout.rate=0.5")
    refused = tfpc(
        "run", digits, "--run-dir", "ran", "--resume", *other, cwd=tmp_path, check=False
    )
    assert refused.returncode == 1
    assert "model.dropout.rate=0.5" in refused.stderr
    assert "Traceback" not in refused.stderr
