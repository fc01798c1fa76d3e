"""`tfpc run` starts the program that `tfpc emit` writes, and both train alike."""

from __future__ import annotations

import ast

import pytest

pytestmark = [pytest.mark.tensorflow, pytest.mark.slow]


def epochs_of(text):
    return [line for line in text.splitlines() if line.startswith("epoch ")]


def without_folder(program):
    """The program but for `SPEC_FOLDER`, which says where the spec lies from it."""
    (folder,) = [
        node
        for node in ast.parse(program).body
        if isinstance(node, ast.Assign)
        and ast.unparse(node.targets[0]) == "SPEC_FOLDER"
    ]
    lines = program.splitlines()
    return lines[: folder.lineno - 1], lines[folder.end_lineno :]


def test_both_print_the_same_losses(tfpc, python, digits, tmp_path, events):
    ran = tfpc(
        "run", digits, "--run-dir", "ran", "--set", "train.epochs=3", cwd=tmp_path
    )
    tfpc("emit", digits, "-o", "program.py", "--set", "train.epochs=3", cwd=tmp_path)
    alone = python("program.py", cwd=tmp_path)
    assert len(epochs_of(ran.stdout)) == 3
    assert epochs_of(alone.stdout) == epochs_of(ran.stdout)

    emitted = without_folder((tmp_path / "program.py").read_text())
    assert emitted == without_folder((tmp_path / "ran" / "program.py").read_text())

    told = [event["event"] for event in events(tmp_path / "ran")]
    assert told[0] == "started"
    assert told[-1] == "finished"
    for name in ("decided", "loaded", "progress", "evaluated", "saved", "epoch"):
        assert name in told


def test_an_evaluation_says_when_it_was(tfpc, digits, tmp_path, events):
    tfpc("run", digits, "--run-dir", "ran", "--set", "train.epochs=2", cwd=tmp_path)
    told = events(tmp_path / "ran")
    evaluated = [event for event in told if event["event"] == "evaluated"]
    assert [event["epoch"] for event in evaluated] == [1, 2]
    steps = [event["step"] for event in evaluated]
    assert steps[1] == 2 * steps[0] > 0
    assert {event["examples"] for event in evaluated} == {evaluated[0]["examples"]}


def test_digits_reach_the_accuracy_that_is_promised(tfpc, digits, tmp_path, events):
    tfpc("run", digits, "--run-dir", "ran", cwd=tmp_path)
    finished = events(tmp_path / "ran")[-1]
    best = max(
        event["metrics"]["validation.accuracy"]
        for event in events(tmp_path / "ran")
        if event["event"] == "evaluated"
    )
    assert finished["reason"] == "done"
    assert best >= 0.97
    assert finished["metrics"]["validation.accuracy"] >= 0.97
    assert finished["seconds"] < 60


def test_the_run_folder_has_all_that_repeats_the_run(tfpc, python, digits, tmp_path):
    settings = ("--set", "train.epochs=2")
    ran = tfpc("run", digits, "--run-dir", "ran", *settings, cwd=tmp_path)
    folder = tmp_path / "ran"
    for name in ("program.py", "plan.json", "events.jsonl", "log.txt", "flags.json"):
        assert (folder / name).stat().st_size > 0, name
    assert (folder / "spec" / "digits.tfp").read_bytes() == digits.read_bytes()
    again = python(folder / "program.py", "--run-dir", "again", cwd=tmp_path)
    assert epochs_of(again.stdout) == epochs_of(ran.stdout)
