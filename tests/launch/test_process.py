"""The program's process: its flags, its signals, its end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tfpc.launch.folder import RunFolder
from tfpc.launch.outcome import Outcome
from tfpc.launch.process import Ended, run_program
from tfpc.launch.refusal import RefusedError

Make = Callable[[str], RunFolder]


def run(folder: RunFolder, *, resume: bool = False) -> tuple[Ended, list[Any]]:
    """Runs the program of a folder; how it ended, and its events."""
    told: list[Any] = []
    ended = run_program(
        folder, Path("data"), resume=resume, tell=told.append, say=lambda line: None
    )
    return ended, told


def test_the_program_gets_its_flags_and_its_own_session(folder_with: Make) -> None:
    folder = folder_with(
        """
        event("started", argv=sys.argv[1:], leads=os.getsid(0) == os.getpid())
        print("said"); print("complained", file=sys.stderr)
        print("input:", repr(sys.stdin.read()))
        sys.exit(3)
        """
    )
    folder.log.write_text("of an earlier start\n")
    ended, (started,) = run(folder, resume=True)
    assert ended == Ended(3)
    flags = ["--run-dir", str(folder.path), "--root", "data", "--resume"]
    assert started["argv"] == flags
    assert started["leads"]
    lines = folder.log.read_text().splitlines()
    assert lines == ["of an earlier start", "said", "complained", "input: ''"]


def test_the_environment_is_the_users(
    folder_with: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OF_THE_USER", "kept")
    folder = folder_with('event("started", value=os.environ["OF_THE_USER"])')
    _, (started,) = run(folder)
    assert started["value"] == "kept"


def test_only_new_events_are_told(folder_with: Make) -> None:
    folder = folder_with('event("new")')
    folder.events.write_text('{"event": "old"}\n{"event": "cut o')
    _, told = run(folder)
    assert [event["event"] for event in told] == ["new"]


def test_the_last_events_before_a_crash_are_told(folder_with: Make) -> None:
    folder = folder_with(
        'event("progress"); event("failed"); os.kill(os.getpid(), signal.SIGKILL)'
    )
    ended, told = run(folder)
    assert ended == Ended(-signal.SIGKILL)
    assert [event["event"] for event in told] == ["progress", "failed"]


CATCHES = """
caught = []
signal.signal(signal.SIGINT, lambda number, frame: caught.append(number))
signal.signal(signal.SIGTERM, lambda number, frame: caught.append(number))
event("ready", pid=os.getpid())
until(lambda: caught)
event("caught", numbers=caught)
"""

# `tfpc run` without the compiler: sends its events to standard output.
OUTER = """
import json, pathlib, sys
from tfpc.launch.folder import RunFolder
from tfpc.launch.outcome import Outcome
from tfpc.launch.process import run_program
outcome = Outcome()
def tell(event):
    outcome.tell(event)
    print(json.dumps(event), flush=True)
def say(line):
    print(json.dumps({"event": "said", "line": line}), flush=True)
folder = RunFolder(pathlib.Path(sys.argv[1]))
ended = run_program(folder, pathlib.Path("."), resume=False, tell=tell, say=say)
sys.exit(outcome.exit_code(ended))
"""


class Outer:
    """A process that runs the program of a folder."""

    def __init__(self, folder: RunFolder) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", OUTER, str(folder.path)],
            stdout=subprocess.PIPE,
            text=True,
        )

    def wait_for(self, name: str) -> Any:
        """The next event of a name."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            event = json.loads(line)
            if event["event"] == name:
                return event
        raise AssertionError(f"there was no event {name}")

    def rest(self) -> list[Any]:
        """All events to the end."""
        assert self.process.stdout is not None
        return [json.loads(line) for line in self.process.stdout]

    def send(self, number: int) -> None:
        """A signal."""
        self.process.send_signal(number)

    def code(self) -> int:
        """Its exit code."""
        try:
            return self.process.wait(20)
        finally:
            self.process.kill()
            self.process.communicate()


@pytest.mark.parametrize(
    ("sent", "arrives"),
    [
        (signal.SIGINT, signal.SIGINT),
        (signal.SIGTERM, signal.SIGTERM),
        (signal.SIGHUP, signal.SIGTERM),
    ],
)
def test_a_signal_is_passed_on_once(
    folder_with: Make, sent: signal.Signals, arrives: signal.Signals
) -> None:
    folder = folder_with(CATCHES + "time.sleep(0.3); sys.exit(128 + caught[0])")
    outer = Outer(folder)
    outer.wait_for("ready")
    outer.send(sent)
    told = {event["event"]: event for event in outer.rest()}
    assert told["caught"]["numbers"] == [arrives]
    assert "second signal" in told["said"]["line"]
    assert outer.code() == 128 + arrives


def test_a_second_signal_kills_what_the_program_started_too(folder_with: Make) -> None:
    folder = folder_with(
        CATCHES.replace('event("caught"', 'event("first"')
        + """
import subprocess
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
event("child", pid=child.pid)
time.sleep(60)
"""
    )
    outer = Outer(folder)
    outer.wait_for("ready")
    outer.send(signal.SIGTERM)
    child = outer.wait_for("child")["pid"]
    outer.send(signal.SIGINT)
    assert outer.code() == 128 + signal.SIGTERM
    assert gone(child)


def gone(pid: int) -> bool:
    """Whether a process ends within some seconds."""
    end = time.monotonic() + 10
    while time.monotonic() < end:
        try:
            os.kill(pid, 0)
            with open(f"/proc/{pid}/stat", encoding="ascii") as stream:
                if stream.read().rpartition(")")[2].split()[0] == "Z":
                    return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.02)
    return False


def test_a_program_that_does_not_catch_signals_yet_was_stopped(
    folder_with: Make,
) -> None:
    outer = Outer(folder_with('event("ready"); time.sleep(60)'))
    outer.wait_for("ready")
    outer.send(signal.SIGINT)
    assert outer.code() == 130


def test_what_was_ignored_stays_ignored(folder_with: Make) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        folder = folder_with("os.kill(os.getppid(), signal.SIGHUP); time.sleep(0.2)")
        ended, _ = run(folder)
        assert ended == Ended(0)
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_the_handlers_are_given_back(folder_with: Make) -> None:
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [signal.getsignal(number) for number in numbers]
    run(folder_with(""))
    assert [signal.getsignal(number) for number in numbers] == before


def test_a_failure_on_this_side_leaves_no_program_behind(folder_with: Make) -> None:
    folder = folder_with('event("ready", pid=os.getpid()); time.sleep(60)')
    pids = []

    def fail(event: Any) -> None:
        pids.append(event["pid"])
        raise RuntimeError("can't show it")

    with pytest.raises(RuntimeError, match="can't show it"):
        run_program(folder, Path(), resume=False, tell=fail, say=lambda line: None)
    assert gone(pids[0])


def test_a_run_that_still_goes_on_is_not_run_again(folder_with: Make) -> None:
    folder = folder_with('event("ready", pid=os.getpid()); time.sleep(60)')
    outer = Outer(folder)
    pid = outer.wait_for("ready")["pid"]
    try:
        # Even if nobody looks after the program any more.
        outer.process.kill()
        outer.process.wait()
        with pytest.raises(RefusedError, match="still going on"):
            run(folder)
    finally:
        os.kill(pid, signal.SIGKILL)
    assert gone(pid)
    outer.process.communicate()
    folder.program.write_text("")
    assert run(folder)[0] == Ended(0)


@pytest.mark.parametrize(
    ("ended", "code"),
    [
        (Ended(0), 0),
        (Ended(1), 1),
        (Ended(-9), 1),
        (Ended(-11), 1),
        (Ended(3), 1),
        (Ended(130), 130),
        (Ended(143), 143),
        (Ended(255), 1),
        (Ended(0, signal.SIGINT), 0),
        (Ended(-9, signal.SIGINT, forced=True), 130),
        (Ended(-15, signal.SIGTERM), 143),
    ],
)
def test_exit_codes(ended: Ended, code: int) -> None:
    assert Outcome().exit_code(ended) == code


def test_a_failure_while_stopping_is_a_failure() -> None:
    outcome = Outcome()
    outcome.tell({"event": "failed", "message": "no space"})
    assert outcome.exit_code(Ended(1, signal.SIGINT)) == 1
