"""Reads the events of a program while it writes them."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Iterator
from typing import Any, TypeAlias

# Events are JSON objects that only ever grow: what is not known is passed over.
Event: TypeAlias = "dict[str, Any]"


class EventFile:
    """Follows a file of events, from its present end on."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path = path
        self.position = path.stat().st_size if path.exists() else 0
        self.rest = b""

    def new(self) -> Iterator[Event]:
        """The events that were written since the last call; a half line waits."""
        if not self.path.exists():
            return
        with open(self.path, "rb") as stream:
            stream.seek(self.position)
            data = stream.read()
        self.position += len(data)
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            try:
                event = json.loads(line)
            except ValueError:
                continue
            if isinstance(event, dict) and isinstance(event.get("event"), str):
                yield event


def number(value: object) -> float | None:
    """A number of an event; text such as "nan" stands for what is none."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return float(value)
    except ValueError:
        return None
