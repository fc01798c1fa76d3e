"""Signals: before there is a step to finish, during training, and a second one."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

PROGRAM = """
import os, signal, sys, time
from tfpc.program.interrupt import Interrupt
interrupt = Interrupt()
interrupt.patient = {patient}
for _ in range({count}):
    os.kill(os.getpid(), signal.{name})
    time.sleep(0.05)
print("remembered", interrupt.signal == signal.{name})
"""


def ended(**values):
    program = PROGRAM.format(**values)
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(("name", "code"), [("SIGTERM", 143), ("SIGINT", 130)])
def test_while_data_is_read_it_ends_at_once(name, code):
    result = ended(patient=False, count=1, name=name)
    assert result.returncode == code
    assert "remembered" not in result.stdout


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
def test_while_training_it_is_remembered(name):
    result = ended(patient=True, count=1, name=name)
    assert result.returncode == 0
    assert "remembered True" in result.stdout


def test_a_second_one_ends_at_once():
    result = ended(patient=True, count=2, name="SIGTERM")
    assert result.returncode == -signal.SIGTERM
