"""What the program tells: lines for a person, and events for the process that watches."""

from __future__ import annotations

import json
import math
import os
import time

EVENTS_VERSION = 1


def plain(value: object) -> object:
    """A value as JSON can hold it; numbers that are none become text."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def in_words(metrics: dict[str, float]) -> str:
    """Metrics on one line: `train.loss 0.0123  train.accuracy 0.9876`."""
    return "  ".join(f"{name} {value:.4f}" for name, value in metrics.items())


class Reporter:
    """Writes lines to standard output and, where `TFPC_EVENTS` names a file, events.

    `TFPC_EVENTS` is a path, or `fd:N` for an open file descriptor.
    """

    def __init__(self) -> None:
        target = os.environ.get("TFPC_EVENTS", "")
        self.events: int | None = None
        if target.startswith("fd:"):
            self.events = int(target[3:])
        elif target:
            self.events = os.open(target, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)

    def event(self, name: str, **carried: object) -> None:
        """Writes one event, a JSON object on a line of its own, in one go."""
        if self.events is None:
            return
        record = {"event": name, "time": time.time(), **carried}
        line = json.dumps(plain(record), allow_nan=False) + "\n"
        os.write(self.events, line.encode())

    def say(self, line: str) -> None:
        """Writes one line for a person."""
        print(line, flush=True)

    def note(self, line: str) -> None:
        """Writes one line for a person, wherever that person looks."""
        self.event("logged", line=line)
        self.say(line)

    def decided(self, what: str, value: object, why: str) -> None:
        """Tells what was decided at start, on this machine."""
        self.event("decided", what=what, value=value, why=why)
        self.say(f"{what}: {value} ({why})")

    def warn(self, code: str, message: str, **carried: object) -> None:
        """Tells of something that does not stop the run."""
        self.event("warned", code=code, message=message, **carried)
        self.say(f"warning: {message}")

    def loading(self, what: str, done: int, count: int) -> None:
        """Tells how far a split is read into memory."""
        self.event("loading", what=what, done=done, count=count)

    def loaded(self, what: str, count: int, size: int, seconds: float) -> None:
        """Tells that a split is in memory; size in bytes."""
        self.event("loaded", what=what, count=count, bytes=size, seconds=seconds)
        self.say(
            f"{what}: {count:,} examples in memory, {size / 2**20:,.0f} MiB, "
            f"read in {seconds:.1f} s"
        )
