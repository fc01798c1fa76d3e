"""A run folder with a program that needs no TensorFlow."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from tfpc.launch.folder import RunFolder

# The running side's manners: events into a file, lines to standard output.
PROGRAM = """\
import json, os, signal, sys, time
def event(name, **carried):
    with open(os.environ["TFPC_EVENTS"], "a") as file:
        file.write(json.dumps({"event": name, "time": time.time(), **carried}) + "\\n")
def until(condition):
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.01)
"""


@pytest.fixture
def folder_with(tmp_path: Path) -> Callable[[str], RunFolder]:
    """Makes a run folder whose program does what a piece of Python says."""

    def make(does: str) -> RunFolder:
        folder = RunFolder(tmp_path / "run")
        folder.path.mkdir()
        folder.program.write_text(PROGRAM + textwrap.dedent(does), encoding="utf-8")
        return folder

    return make
