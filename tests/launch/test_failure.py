"""A failed run says which file, which line of the spec, or what was said last."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import pytest

from tfpc.diagnostics.span import Source
from tfpc.diagnostics.text import render
from tfpc.launch.failure import failure, last_words, span_of
from tfpc.launch.folder import RunFolder

SPEC = """\
data flowers {
  train = image_folder("a (b)/train")  # the (old) ones
  label = x
}
"""
SOURCE = Source("specs/x.tfp", SPEC)
TRACEBACK = """\
Traceback (most recent call last):
  File "program.py", line 3, in <module>
    raise ValueError("x")
ValueError: shapes (3,) and (4,) differ
"""


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    return RunFolder(tmp_path)


def told(
    folder: RunFolder, code: int, failed: dict[str, Any] | None = None, start: int = 0
) -> str:
    """The message."""
    return render(failure(failed, folder, SOURCE, code, start))


def test_a_file_that_cannot_be_read_and_the_line_that_reads_it(
    folder: RunFolder,
) -> None:
    failed = {
        "event": "failed",
        "code": "input",
        "message": "flowers/1.jpg can't be read: not a JPEG",
        "place": "x.tfp:2:11",
        "file": "flowers/1.jpg",
    }
    assert told(folder, 1, failed) == (
        "error[TFP901]: flowers/1.jpg can't be read: not a JPEG\n"
        " --> specs/x.tfp:2:11\n"
        "  |\n"
        '2 |   train = image_folder("a (b)/train")  # the (old) ones\n'
        "  |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^ read here\n"
        "  |\n"
        "  = fix: replace or remove flowers/1.jpg, then start again\n"
        "  = docs: tfpc lint --explain TFP901"
    )


def test_input_without_a_file(folder: RunFolder) -> None:
    failed = {"code": "input", "message": "8 examples do not fill one batch of 32"}
    text = told(folder, 1, {**failed, "place": "x.tfp:2:11"})
    assert text.startswith("error[TFP901]: 8 examples do not fill one batch of 32")
    assert "-->" in text
    assert "-->" not in told(folder, 1, failed)


def test_a_file_that_the_message_does_not_name(folder: RunFolder) -> None:
    failed = {"code": "input", "message": "it is empty", "file": "a.tfrecord"}
    assert told(folder, 1, failed).startswith("error[TFP901]: a.tfrecord: it is empty")


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("x.tfp:2:3", 'train = image_folder("a (b)/train")'),
        ("C:/specs/x.tfp:2:11", 'image_folder("a (b)/train")'),
        ("x.tfp:1:1", "data"),
        ("x.tfp:3:11", "x"),
    ],
)
def test_places(place: str, text: str) -> None:
    span = span_of(SOURCE, place)
    assert span is not None
    assert span.text == text


@pytest.mark.parametrize("place", ["", "x.tfp", "x.tfp:99:1", "x.tfp:0:1", "None"])
def test_places_that_are_not_in_the_spec(place: str) -> None:
    assert span_of(SOURCE, place) is None


def test_killed_without_a_word(folder: RunFolder) -> None:
    text = told(folder, -signal.SIGKILL)
    assert text.startswith("error[TFP902]: the program was killed from outside")
    assert "memory" in text


@pytest.mark.parametrize(
    ("number", "name"),
    [(signal.SIGSEGV, "SIGSEGV"), (signal.SIGABRT, "SIGABRT"), (64 + 3, "signal 67")],
)
def test_crashed(folder: RunFolder, number: int, name: str) -> None:
    folder.log.write_text("starts\nF0000 00:00:17 x.cc:1] Check failed: a == b\n  at\n")
    text = " ".join(told(folder, -number).split())
    assert text.startswith(f"error[TFP902]: the program was ended by {name}")
    assert "Check failed: a == b" in text
    assert str(folder.log) in text


def test_an_exception_is_told_by_its_last_line(folder: RunFolder) -> None:
    folder.log.write_text(f"starts\n{TRACEBACK}cleaning up\n")
    text = told(folder, 1)
    headline = "the program failed: ValueError: shapes (3,) and (4,) differ"
    assert text.startswith(f"error[TFP903]: {headline}\n")
    assert "Traceback" not in text


def test_a_failure_that_was_told_goes_before_the_log(folder: RunFolder) -> None:
    folder.log.write_text(TRACEBACK)
    failed = {"code": "program", "message": "KeyError: 'a'\nmore", "place": None}
    assert "the program failed: KeyError: 'a'\n" in told(folder, 1, failed)


def test_only_this_start_of_a_resumed_run_counts(folder: RunFolder) -> None:
    folder.log.write_text(TRACEBACK)
    start = folder.log.stat().st_size
    with open(folder.log, "a") as stream:
        stream.write("no run below runs/x has a checkpoint\n")
    assert "no run below runs/x has a checkpoint" in told(folder, 1, start=start)


def test_a_program_that_says_nothing(folder: RunFolder) -> None:
    assert "ended with exit code 7 and did not say why" in told(folder, 7)
    assert last_words(folder, 0) == ""
    folder.log.write_bytes(b"\xff\xfe\n\n")
    assert last_words(folder, 0) == "\ufffd\ufffd"


@pytest.mark.parametrize(
    ("message", "advice"),
    [
        ("ResourceExhaustedError: OOM when allocating tensor", "smaller batch"),
        ("MemoryError: Unable to allocate 3 TiB", "smaller batch"),
        ("OSError: [Errno 28] No space left on device: 'x'", "free some space"),
    ],
)
def test_a_machine_that_is_too_small(
    folder: RunFolder, message: str, advice: str
) -> None:
    assert advice in told(folder, 1, {"code": "program", "message": message})


def test_a_message_without_end_is_cut(folder: RunFolder) -> None:
    failed = {"code": "program", "message": "ValueError: " + "x" * 5000}
    assert len(told(folder, 1, failed)) < 1000
