"""Starts the program in a session of its own, follows it, passes signals on."""

from __future__ import annotations

import fcntl
import os
import pathlib
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType
from typing import IO

from tfpc.launch.events import Event, EventFile, end_of
from tfpc.launch.folder import RunFolder
from tfpc.launch.refusal import RefusedError

SECONDS_BETWEEN_LOOKS = 0.1
# A terminal that is closed asks the program to save and end, as SIGTERM does.
PASSED_AS = {
    signal.SIGINT: signal.SIGINT,
    signal.SIGTERM: signal.SIGTERM,
    signal.SIGHUP: signal.SIGTERM,
}


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program ended.

    code: as in `subprocess`, negative for a signal; asked: the signal that was passed
    on to it first; forced: whether a second one killed it.
    """

    code: int
    asked: int | None = None
    forced: bool = False


class Signals:
    """Passes signals on: the first one as it is, a second one kills the program.

    The program has a session of its own, so a Ctrl-C reaches it only from here, and
    once. A signal that is ignored (`nohup`) stays ignored.
    """

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.received: list[int] = []

    def __enter__(self) -> Signals:
        self.before = {
            number: signal.signal(number, self.receive)
            for number in PASSED_AS
            if signal.getsignal(number) is not signal.SIG_IGN
        }
        return self

    def __exit__(self, *raised: object) -> None:
        for number, handler in self.before.items():
            signal.signal(number, handler)

    def receive(self, number: int, frame: FrameType | None) -> None:
        """One signal."""
        self.received.append(PASSED_AS[signal.Signals(number)])
        if self.process is not None:
            self.pass_on(self.process)

    def watch(self, process: subprocess.Popen[bytes]) -> None:
        """Takes the program, and passes on what came before it had started."""
        self.process = process
        if self.received:
            self.pass_on(process)

    def pass_on(self, process: subprocess.Popen[bytes]) -> None:
        """The latest signal, to a program that may be gone."""
        if len(self.received) == 1:
            process.send_signal(self.received[0])
        else:
            kill_group(process)


def run_program(
    folder: RunFolder,
    root: pathlib.Path,
    *,
    resume: bool,
    tell: Callable[[Event], None],
    say: Callable[[str], None],
) -> Ended:
    """Runs the program of a folder to its end.

    tell is called with each of its events, say with lines of this side. Raises
    RefusedError if the run is still going on.
    """
    command = [sys.executable, str(folder.program), "--run-dir", str(folder.path)]
    command += ["--root", str(root), *(["--resume"] if resume else [])]
    environment = {**os.environ, "TFPC_EVENTS": str(folder.events)}
    environment.setdefault("PYTHONUNBUFFERED", "1")
    with open(folder.log, "ab") as log, Signals() as signals:
        lock(log, folder)
        events = EventFile(folder.events, end_of(folder.events))
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            env=environment,
            start_new_session=True,
        )
        signals.watch(process)
        try:
            return follow(process, signals, events, tell, say)
        finally:
            # Only if following failed: nothing is to go on that nobody looks after.
            if process.poll() is None:
                kill_group(process)
                process.wait()


def follow(
    process: subprocess.Popen[bytes],
    signals: Signals,
    events: EventFile,
    tell: Callable[[Event], None],
    say: Callable[[str], None],
) -> Ended:
    """Tells of the program's events until it has ended."""
    announced = False
    while True:
        code = wait(process)
        for event in events.new():
            tell(event)
        received = signals.received
        if code is not None:
            asked = received[0] if received else None
            return Ended(code, asked, forced=len(received) > 1)
        if received and not announced:
            announced = True
            say("stopping after this step; a second signal (Ctrl-C) ends it at once")


def wait(process: subprocess.Popen[bytes]) -> int | None:
    """The exit code, or None if the program still runs after a short while."""
    try:
        return process.wait(SECONDS_BETWEEN_LOOKS)
    except subprocess.TimeoutExpired:
        return None


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Ends the program and all that it has started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def lock(log: IO[bytes], folder: RunFolder) -> None:
    """Takes the run for this process and the program, which inherits the file.

    So two resumes can't write into one run, nor one beside a program whose `tfpc` was
    killed. The system takes the lock away with the last of them.
    """
    try:
        fcntl.flock(log, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise RefusedError(
            "TFP906",
            f"the run in {folder.path} is still going on",
            "wait until it has ended, or stop it, then resume it",
        ) from None
    except OSError:
        return  # A file system without locks: it goes without.
