"""Runs `tfpc` and emitted programs as a user does: as processes."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys

import pytest

REPOSITORY = pathlib.Path(__file__).parents[2]
DIGITS = REPOSITORY / "specs" / "digits.tfp"


@pytest.fixture(scope="session")
def repository():
    return REPOSITORY


@pytest.fixture(scope="session")
def digits():
    return DIGITS


def environment():
    return {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONHASHSEED": "0"}


@pytest.fixture(scope="session")
def tfpc():
    """Runs a command line of tfpc in a folder; returns the finished process."""

    def run(*arguments, cwd, check=True, **options):
        process = subprocess.run(
            [sys.executable, "-m", "tfpc", *map(str, arguments)],
            cwd=cwd,
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
            **options,
        )
        if check:
            assert process.returncode == 0, process.stdout + process.stderr
        return process

    return run


@pytest.fixture(scope="session")
def python():
    """Runs a program in a folder; returns the finished process."""

    def run(program, *arguments, cwd, check=True):
        process = subprocess.run(
            [sys.executable, str(program), *map(str, arguments)],
            cwd=cwd,
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        if check:
            assert process.returncode == 0, process.stdout + process.stderr
        return process

    return run


@pytest.fixture(scope="session")
def events():
    """The events of a run folder."""

    def read(folder):
        text = (pathlib.Path(folder) / "events.jsonl").read_text()
        return [json.loads(line) for line in text.splitlines()]

    return read


@pytest.fixture(scope="session")
def variables():
    """All variables of a checkpoint by name, as arrays."""

    def read(folder):
        import tensorflow as tf

        reader = tf.train.load_checkpoint(str(pathlib.Path(folder) / "variables"))
        shapes = reader.get_variable_to_shape_map()
        return {
            name: reader.get_tensor(name)
            for name in sorted(shapes)
            if name.startswith("variables/")
        }

    return read
