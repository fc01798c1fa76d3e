"""Events are read while they are written, whatever else is in the file."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from tfpc.launch.events import EventFile, end_of, number


def test_a_line_counts_once_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    events = EventFile(path)
    assert list(events.new()) == []
    with open(path, "wb", buffering=0) as stream:
        stream.write(b'{"event": "sta')
        assert list(events.new()) == []
        stream.write(b'rted"}\n{"event": "progress"')
        assert list(events.new()) == [{"event": "started"}]
        stream.write(b"}\n")
        assert list(events.new()) == [{"event": "progress"}]
    assert list(events.new()) == []


def test_what_is_no_event_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    lines = [b"not JSON", b"[1]", b'{"time": 1}', b'{"event": 3}', b"\xff\xfe", b""]
    new = {"event": "of a later version", "with": {"more": [1, 2]}}
    path.write_bytes(b"\n".join([*lines, json.dumps(new).encode(), b""]))
    assert list(EventFile(path).new()) == [new]


def test_half_a_line_of_a_killed_program_does_not_swallow_the_next(
    tmp_path: Path,
) -> None:
    path = tmp_path / "events.jsonl"
    path.write_bytes(b'{"event": "epoch"}\n{"event": "prog')
    events = EventFile(path, end_of(path))
    with open(path, "ab") as stream:
        stream.write(b'{"event": "started"}\n')
    assert list(events.new()) == [{"event": "started"}]
    whole = [event["event"] for event in EventFile(path).new()]
    assert whole == ["epoch", "started"]


def test_a_file_that_is_not_there_ends_at_its_beginning(tmp_path: Path) -> None:
    assert end_of(tmp_path / "events.jsonl") == 0
    assert not (tmp_path / "events.jsonl").exists()


@pytest.mark.parametrize(
    ("value", "expected"),
    [(3, 3.0), (0.5, 0.5), ("inf", math.inf), ("x", None), (None, None), (True, None)],
)
def test_numbers_are_read_leniently(value: object, expected: float | None) -> None:
    assert number(value) == expected


def test_a_number_that_is_none_is_read_as_such() -> None:
    assert math.isnan(number("nan") or 0.0)
