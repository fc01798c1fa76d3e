"""Reads the events of a program while it writes them."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Iterator
from typing import Any, TypeAlias

# Events are JSON objects that only ever grow: what is not known is passed over.
Event: TypeAlias = "dict[str, Any]"


class EventFile:
    """Follows a file of events from a position on, in bytes."""

    def __init__(self, path: pathlib.Path, position: int = 0) -> None:
        self.path = path
        self.position = position
        self.rest = b""

    def new(self) -> Iterator[Event]:
        """The events that were written since the last call; half a line waits."""
        if not self.path.exists():
            return
        with open(self.path, "rb") as stream:
            stream.seek(self.position)
            data = stream.read()
        self.position += len(data)
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            event = parsed(line)
            if event is not None:
                yield event


def parsed(line: bytes) -> Event | None:
    """The event on a line; None for one that was cut off or that is something else."""
    try:
        event = json.loads(line)
    except ValueError:
        return None
    if isinstance(event, dict) and isinstance(event.get("event"), str):
        return event
    return None


def end_of(path: pathlib.Path) -> int:
    """The size of a file of lines, after a last one that was cut off is ended.

    A program that was killed may have left half a line, and the next one would be
    written behind it.
    """
    if not path.exists():
        return 0
    with open(path, "rb+") as stream:
        size = stream.seek(0, 2)
        if size:
            stream.seek(size - 1)
            if stream.read() != b"\n":
                stream.write(b"\n")
        return stream.seek(0, 2)


def number(value: object) -> float | None:
    """A number of an event; text such as "nan" stands for one that is none."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return float(value)
    except ValueError:
        return None
