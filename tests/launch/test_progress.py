"""What is shown while a program runs, on a terminal and elsewhere."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest

from tfpc.launch.figures import counted, duration, share, whole
from tfpc.launch.live import TimeLeft, standing
from tfpc.launch.progress import Progress, line_of

CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")
PROGRESS = {
    "event": "progress",
    "time": 1000.0,
    "epoch": 2,
    "epochs": 4,
    "step": 10,
    "steps_per_epoch": 40,
    "batch": 32,
    "examples": 1600,
    "examples_per_s": 12345.6,
    "metrics": {
        "train.loss": 0.51234,
        "train.accuracy": 0.87,
        "validation.loss": 0.6,
    },
    "input_wait": 0.034,
}
EVENTS: list[dict[str, Any]] = [
    {"event": "started", "time": 990.0},
    {"event": "decided", "what": "device", "value": "CPU", "why": "no GPU"},
    {"event": "loading", "what": "train", "done": 256, "count": 1438},
    {
        "event": "loaded",
        "what": "train",
        "count": 1438,
        "bytes": 103536,
        "seconds": 0.5,
    },
    PROGRESS,
    {"event": "logged", "line": "step 50/160  train.loss 0.5"},
    {"event": "epoch", "epoch": 2, "epochs": 4, "metrics": {"train.loss": 0.5}},
    {"event": "warned", "code": "x", "message": "one replica is idle"},
    {"event": "saved", "path": "p", "step": 80, "why": "every"},
    {"event": "finished", "reason": "done"},
    {"event": "of a later version", "more": []},
]
LINES = [
    "device: CPU (no GPU)",
    "train: 1,438 examples in memory, 101.1 KiB, read in 0.5 s",
    "step 50/160  train.loss 0.5",
    "epoch 2/4  train.loss 0.5000",
    "warning: one replica is idle",
]


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def ordinary_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.delenv("NO_COLOR", raising=False)


def shown(stream: io.StringIO, events: list[dict[str, Any]], **flags: bool) -> str:
    """All that is written for some events."""
    progress = Progress(stream=stream, **flags)
    for event in events:
        progress.tell(event)
        if progress.live is not None:
            progress.live.live.refresh()
    progress.close()
    return stream.getvalue()


def test_plain_lines_where_there_is_no_terminal() -> None:
    assert shown(io.StringIO(), EVENTS).splitlines() == LINES


def test_plain_lines_on_a_terminal_if_asked() -> None:
    assert shown(Terminal(), EVENTS, plain=True).splitlines() == LINES


def test_plain_lines_on_a_terminal_that_can_do_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    assert shown(Terminal(), EVENTS).splitlines() == LINES


def test_nothing_if_quiet() -> None:
    assert shown(Terminal(), EVENTS, quiet=True) == ""


def test_a_terminal_has_a_live_line_and_the_same_lines_above() -> None:
    text = shown(Terminal(), EVENTS)
    lines = [line.strip() for line in CONTROL.sub("\n", text).splitlines()]
    assert [line for line in lines if line in LINES] == LINES
    plain = CONTROL.sub("", text)
    assert "starting TensorFlow" in plain
    assert "reading train" in plain
    assert "256/1,438 examples" in plain
    assert "epoch 2/4  step 10/40  12,346 examples/s  loss 0.5123" in plain
    assert "input wait 3%" in plain
    # The line is gone in the end, and the cursor is there again.
    assert text.rstrip("\r").endswith("\x1b[2K")
    assert text.count("\x1b[?25l") == text.count("\x1b[?25h") == 1


def test_control_characters_from_data_are_not_obeyed() -> None:
    event = {"event": "warned", "message": "class \x1b[31mred\x07 is empty"}
    text = shown(io.StringIO(), [event])
    assert "\x1b" not in text
    assert "\x07" not in text
    assert "red" in text


def test_markup_in_a_message_is_text() -> None:
    event = {"event": "warned", "message": "[red]no[/red] [/] [image]"}
    assert "[red]no[/red] [/] [image]" in CONTROL.sub("", shown(Terminal(), [event]))


@pytest.mark.parametrize(
    "kind", ["started", "decided", "loading", "loaded", "progress", "epoch", "logged"]
)
def test_events_that_lack_everything_are_shown(kind: str) -> None:
    assert isinstance(shown(Terminal(), [{"event": kind}]), str)
    line = line_of({"event": kind, "count": None, "metrics": 3, "bytes": "many"})
    assert line is None or line


class Gone(io.StringIO):
    """A stream whose reader has gone."""

    def write(self, text: str) -> int:
        raise BrokenPipeError

    def isatty(self) -> bool:
        return False


def test_a_reader_that_has_gone_ends_no_training() -> None:
    progress = Progress(stream=Gone())
    for event in EVENTS:
        progress.tell(event)
    assert progress.silent
    progress.close()


def test_the_time_left_is_at_the_pace_since_the_first_progress() -> None:
    left = TimeLeft()
    assert left.after(PROGRESS) is None
    later = {**PROGRESS, "time": 1010.0, "step": 20, "examples": 1600 + 320}
    # 32 examples a second; 20 steps are left of this epoch and 80 of two others.
    assert left.after(later) == pytest.approx(100 * 32 / 32)
    end = {**later, "epoch": 4, "step": 40, "time": 1110.0, "examples": 5120}
    assert left.after(end) == 0
    assert left.after({**end, "batch": None}) is None


def test_what_was_not_measured_is_not_shown() -> None:
    line = standing({**PROGRESS, "input_wait": "nan"}, None)
    assert line.endswith("loss 0.5123  accuracy 0.8700")
    assert standing(PROGRESS, 75).endswith("input wait 3%  1 min 15 s left")


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.04, "0.0 s"),
        (9.94, "9.9 s"),
        (9.96, "10 s"),
        (59.4, "59 s"),
        (59.6, "1 min 0 s"),
        (3599.7, "1 h 0 min"),
        (7800, "2 h 10 min"),
    ],
)
def test_durations(seconds: float, said: str) -> None:
    assert duration(seconds) == said


def test_counts_and_shares() -> None:
    assert (whole(1234567), whole(None), whole("inf")) == ("1,234,567", "?", "?")
    assert (counted(1, "epoch"), counted(0, "epoch")) == ("1 epoch", "0 epochs")
    assert (share(0.345), share("nan"), share(None)) == ("34%", "", "")
