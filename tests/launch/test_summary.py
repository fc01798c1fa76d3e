"""What is said when a run has ended."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tfpc.launch.folder import RunFolder
from tfpc.launch.outcome import Outcome
from tfpc.launch.process import Ended
from tfpc.launch.summary import summary

AGAIN = "tfpc run x.tfp --run-dir run --resume"
FINISHED: dict[str, Any] = {
    "event": "finished",
    "reason": "done",
    "epochs": 3,
    "steps": 1320,
    "seconds": 64.4,
    "examples_per_s": 5123.4,
    "input_wait": 0.02,
    "metrics": {"train.loss": 0.2, "validation.loss": 0.4, "validation.accuracy": 0.9},
}


def epoch(number: int, loss: object, accuracy: float) -> dict[str, Any]:
    """The end of an epoch."""
    metrics = {"validation.loss": loss, "validation.accuracy": accuracy}
    return {"event": "epoch", "epoch": number, "epochs": 3, "metrics": metrics}


def said(folder: Path, ended: Ended, *events: dict[str, Any]) -> list[str]:
    """The lines of a summary."""
    outcome = Outcome()
    for event in events:
        outcome.tell(event)
    return summary(outcome, ended, RunFolder(folder), AGAIN).splitlines()


def test_what_came_out_and_what_it_took() -> None:
    epochs = [epoch(1, 0.5, 0.8), epoch(2, 0.3, 0.95), epoch(3, 0.4, 0.9)]
    assert said(Path("run"), Ended(0), *epochs, FINISHED) == [
        "done: 3 epochs, 1,320 steps, 1 min 4 s of training, 5,123 examples/s",
        "  train.loss           0.2000",
        "  validation.loss      0.4000  (best: 0.3000 in epoch 2)",
        "  validation.accuracy  0.9000  (best: 0.9500 in epoch 2)",
        "waited for input 2% of the time: the device was the limit",
        "run folder: run",
    ]


def test_an_error_is_best_when_it_is_low() -> None:
    name = "validation.root_mean_squared_error"
    epochs = [
        {"event": "epoch", "epoch": number, "epochs": 3, "metrics": {name: value}}
        for number, value in enumerate((0.7, 0.2, 0.3), 1)
    ]
    lines = said(Path("run"), Ended(0), *epochs, {**FINISHED, "metrics": {name: 0.3}})
    assert f"  {name}  0.3000  (best: 0.2000 in epoch 2)" in lines


def test_an_epoch_that_was_not_finished_may_be_the_best() -> None:
    line = "  validation.loss      0.4000"
    assert line in said(Path("run"), Ended(0), epoch(1, 0.41, 0.8), FINISHED)
    metrics = {**FINISHED["metrics"], "validation.loss": "nan"}
    lines = said(
        Path("run"), Ended(0), epoch(1, 0.41, 0.8), {**FINISHED, "metrics": metrics}
    )
    assert "  validation.loss      nan  (best: 0.4100 in epoch 1)" in lines


def test_numbers_that_are_none_are_never_the_best() -> None:
    epochs = [epoch(1, "nan", 0.8), epoch(2, 0.3, 0.9)]
    lines = said(Path("run"), Ended(0), *epochs, FINISHED)
    assert "  validation.loss      0.4000  (best: 0.3000 in epoch 2)" in lines


@pytest.mark.parametrize(
    ("waited", "line"),
    [
        (0.0499, "waited for input 5% of the time: the device was the limit"),
        (0.1, "waited for input 10% of the time"),
        (0.2, "waited for input 20% of the time: reading and preparing"),
        ("nan", "waiting for input was not timed"),
    ],
)
def test_the_verdict_on_the_input(waited: object, line: str) -> None:
    lines = said(Path("run"), Ended(0), {**FINISHED, "input_wait": waited})
    assert lines[-2].startswith(line)
    assert ("limit" in lines[-2]) == ("limit" in line or "reading" in line)


def test_a_run_that_was_stopped_can_go_on(tmp_path: Path) -> None:
    for step in (8, 1320, 440):
        (tmp_path / "checkpoints" / f"step-{step:06}").mkdir(parents=True)
    lines = said(tmp_path, Ended(143), {**FINISHED, "reason": "signal", "epochs": 1})
    assert lines[0].startswith("stopped by a signal: 1 epoch, 1,320 steps")
    assert lines[-1] == f"to go on from step 1,320: {AGAIN}"


def test_a_run_that_was_stopped_without_checkpoints(tmp_path: Path) -> None:
    progress = {"event": "progress", "epoch": 1}
    lines = said(tmp_path, Ended(143), progress, {**FINISHED, "reason": "signal"})
    assert "can't be resumed" in lines[-1]
    assert AGAIN not in lines[-1]


def test_a_run_that_failed_says_how_far_it_came(tmp_path: Path) -> None:
    progress = {
        "event": "progress",
        "epoch": 2,
        "epochs": 3,
        "step": 7,
        "steps_per_epoch": 44,
    }
    (tmp_path / "checkpoints" / "step-000044").mkdir(parents=True)
    assert said(tmp_path, Ended(-9), progress) == [
        "failed in epoch 2 of 3, after step 7 of 44",
        f"run folder: {tmp_path}",
        f"to go on from step 44: {AGAIN}",
    ]
    assert said(Path("run"), Ended(1)) == [
        "failed before the first step",
        "run folder: run",
    ]
    assert said(Path("run"), Ended(-2, asked=2))[0] == "stopped before the first step"


def test_a_resume_begins_anew_but_remembers_the_epochs() -> None:
    failed = {"event": "failed", "message": "of the start before"}
    started = {"event": "started"}
    lines = said(
        Path("run"),
        Ended(0),
        epoch(1, 0.1, 0.99),
        failed,
        started,
        epoch(2, 0.3, 0.9),
        FINISHED,
    )
    assert lines[0].startswith("done")
    assert "  validation.loss      0.4000  (best: 0.1000 in epoch 1)" in lines
    assert said(Path("run"), Ended(-9), FINISHED, started)[0] == (
        "failed before the first step"
    )
