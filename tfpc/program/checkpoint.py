"""Checkpoints: all that a run needs to go on with the very next batch."""

from __future__ import annotations

import argparse
import glob
import json
import pathlib
import re
import shutil
import sys
import time
from collections.abc import Sequence

import tensorflow as tf

from tfpc.program.monitor import Monitor
from tfpc.program.position import Position
from tfpc.program.run import Run
from tfpc.program.training import Training


def add_resume_flag(flags: argparse.ArgumentParser) -> None:
    """Adds `--resume`."""
    flags.add_argument(
        "--resume",
        action="store_true",
        help="continue the run in --run-dir, or else the latest one",
    )


def latest_run_folder(name: str) -> pathlib.Path:
    """The folder of the latest run that left a checkpoint. Exits if there is none."""
    saved = pathlib.Path("runs").glob(f"{glob.escape(name)}/*/checkpoints/step-*")
    folders = sorted({path.parent.parent for path in saved})
    if not folders:
        sys.exit(f"no run below runs/{name} has a checkpoint: name one by --run-dir")
    return folders[-1]


def variables_of(training: Training) -> list[tf.Variable]:
    """Every variable that training changes: weights, their moments, running metrics."""
    variables = [*training.model.variables, *training.optimizer.variables]
    for metric in training.metrics.values():
        variables += metric.variables
    return [variable.value for variable in variables]


def write_aside(
    folder: pathlib.Path, variables: list[tf.Variable], state: object
) -> None:
    """Writes a checkpoint under another name and renames it: whole, or not there."""
    aside = folder.with_name(f".{folder.name}.new")
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(parents=True)
    tf.train.Checkpoint(variables=variables).write(str(aside / "variables"))
    (aside / "state.json").write_text(json.dumps(state, indent=2), encoding="utf-8")
    shutil.rmtree(folder, ignore_errors=True)
    aside.rename(folder)


def read_variables(folder: pathlib.Path, variables: list[tf.Variable]) -> None:
    """Takes the variables of a checkpoint over."""
    status = tf.train.Checkpoint(variables=variables).read(str(folder / "variables"))
    status.assert_consumed()


class Checkpoint(Monitor):
    """Saves every so many steps, epochs or seconds, and keeps the newest `keep`.

    Monitors that stand in `remembered` keep their state in it.
    """

    def __init__(
        self,
        run: Run,
        remembered: Sequence[Monitor],
        *,
        keep: int,
        steps: int | None = None,
        epochs: int | None = None,
        seconds: float | None = None,
    ) -> None:
        self.run = run
        self.folder = run.folder / "checkpoints"
        self.remembered = remembered
        self.keep = keep
        self.steps = steps
        self.epochs = epochs
        self.seconds = seconds
        self.saved_at = time.monotonic()
        self.saved_step = -1

    def steps_until_due(self, training: Training) -> int | None:
        """Steps to the next one, if they are counted in steps."""
        return None if self.steps is None else self.steps - training.step % self.steps

    def after_steps(self, training: Training) -> None:
        """Saves if steps or time say so."""
        waited = time.monotonic() - self.saved_at
        by_steps = self.steps is not None and training.step % self.steps == 0
        if by_steps or (self.seconds is not None and waited >= self.seconds):
            self.save(training, "every")

    def after_epoch(self, training: Training) -> None:
        """Saves if epochs say so."""
        if self.epochs is not None and training.position.epoch % self.epochs == 0:
            self.save(training, "every")

    def at_end(self, training: Training) -> None:
        """Saves what came since the last one."""
        if training.step != self.saved_step:
            self.save(training, training.stop or "done")

    def save(self, training: Training, why: str) -> None:
        """Writes a checkpoint and drops those that are too old."""
        folder = self.folder / f"step-{training.step:09d}"
        position = training.position
        state = {
            "epoch": position.epoch,
            "step": position.step,
            "results": training.results,
            "stop": None if training.stop == "signal" else training.stop,
            "monitors": [monitor.state() for monitor in self.remembered],
        }
        write_aside(folder, variables_of(training), state)
        self.saved_at, self.saved_step = time.monotonic(), training.step
        for old in self.saved()[: -self.keep]:
            shutil.rmtree(old)
        self.run.reporter.event("saved", path=str(folder), step=training.step, why=why)

    def saved(self) -> list[pathlib.Path]:
        """The checkpoints that are there, the newest last."""
        return sorted(
            path
            for path in self.folder.glob("step-*")
            if re.fullmatch(r"step-\d+", path.name)
        )

    def restore_latest(self, training: Training) -> None:
        """Goes on where the newest checkpoint stands, or begins at the beginning."""
        saved = self.saved()
        if not saved:
            self.run.reporter.say("no checkpoint yet: starts from the beginning")
            return
        state = json.loads((saved[-1] / "state.json").read_text(encoding="utf-8"))
        read_variables(saved[-1], variables_of(training))
        training.position = Position(state["epoch"], state["step"])
        training.results, training.stop = state["results"], state["stop"]
        for monitor, remembered in zip(self.remembered, state["monitors"], strict=True):
            monitor.restore(remembered)
        self.saved_step = training.step
        self.run.reporter.decided("resume", str(saved[-1]), "the newest checkpoint")
