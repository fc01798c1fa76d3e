"""Starts the program in a session of its own, follows it, passes signals on."""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys
from collections.abc import Callable
from types import FrameType

from tfpc.launch.events import Event, EventFile
from tfpc.launch.folder import RunFolder

SECONDS_BETWEEN_LOOKS = 0.1


class Passing:
    """Passes signals on: the first as it is, a second one ends the program at once."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.count = 0
        self.before = {
            number: signal.signal(number, self.receive)
            for number in (signal.SIGINT, signal.SIGTERM)
        }

    def receive(self, number: int, frame: FrameType | None) -> None:
        """One signal."""
        self.count += 1
        try:
            if self.count == 1:
                self.process.send_signal(number)
            else:
                os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return

    def stop(self) -> None:
        """Gives the signals back to whoever had them."""
        for number, handler in self.before.items():
            signal.signal(number, handler)


def run_program(
    folder: RunFolder,
    root: pathlib.Path,
    *,
    resume: bool,
    tell: Callable[[Event], None],
) -> int:
    """Runs the program of a folder to its end and returns its exit code.

    tell is called with each of its events. A negative code is the signal that killed
    it, as in `subprocess`.
    """
    events = EventFile(folder.events)
    command = [sys.executable, str(folder.program), "--run-dir", str(folder.path)]
    command += ["--root", str(root)]
    if resume:
        command.append("--resume")
    environment = {**os.environ, "TFPC_EVENTS": str(folder.events)}
    environment.setdefault("PYTHONUNBUFFERED", "1")
    with open(folder.log, "ab") as log:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            env=environment,
            start_new_session=True,
        )
        passing = Passing(process)
        try:
            while True:
                ended = wait(process)
                for event in events.new():
                    tell(event)
                if ended is not None:
                    return (
                        128 + signal.SIGINT
                        if ended == -9 and passing.count > 1
                        else ended
                    )
        finally:
            passing.stop()


def wait(process: subprocess.Popen[bytes]) -> int | None:
    """The exit code, or None if the program still runs after a short while."""
    try:
        return process.wait(SECONDS_BETWEEN_LOOKS)
    except subprocess.TimeoutExpired:
        return None
