"""`tfpc fmt`, `--check` and `--diff`."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.testing import Result

from tfpc.cli.fmt import fmt
from tfpc.syntax.formatting.format import ChangedMeaningError

Tfpc = Callable[..., Result]
LOOSE = "let a=1  \nlet b = [ 1,2 ] # c"
TIGHT = "let a = 1\nlet b = [1, 2]  # c\n"


def test_a_file_is_written_anew(tfpc: Tfpc, tmp_path: Path) -> None:
    path = tmp_path / "x.tfp"
    path.write_text(LOOSE)
    path.chmod(0o640)
    result = tfpc("fmt", "x.tfp")
    assert result.exit_code == 0
    assert result.output.splitlines() == ["formatted x.tfp", "1 spec formatted"]
    assert path.read_text() == TIGHT
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["x.tfp"]
    again = tfpc("fmt", "x.tfp")
    assert again.output == "1 is formatted already\n"


def test_check_writes_nothing(tfpc: Tfpc, tmp_path: Path) -> None:
    path = tmp_path / "x.tfp"
    path.write_text(LOOSE)
    (tmp_path / "y.tfp").write_text(TIGHT)
    result = tfpc("fmt", "--check", "x.tfp", "y.tfp")
    assert result.exit_code == 1
    assert result.output.splitlines() == [
        "would format x.tfp",
        "1 spec would be formatted, 1 is formatted already",
    ]
    assert path.read_text() == LOOSE
    assert tfpc("fmt", "--check", "y.tfp").exit_code == 0


def test_a_difference_is_shown(tfpc: Tfpc, tmp_path: Path) -> None:
    path = tmp_path / "x.tfp"
    path.write_text(LOOSE)
    result = tfpc("fmt", "--diff", "x.tfp")
    assert result.exit_code == 0
    assert "-let a=1  \n" in result.stdout
    assert "+let a = 1\n" in result.stdout
    assert path.read_text() == LOOSE
    assert tfpc("fmt", "--diff", "--check", "x.tfp").exit_code == 1


def test_line_ends_and_a_byte_order_mark_go(tfpc: Tfpc, tmp_path: Path) -> None:
    path = tmp_path / "x.tfp"
    path.write_bytes(b"\xef\xbb\xbf" + TIGHT.encode())
    assert tfpc("fmt", "--check", "x.tfp").exit_code == 1
    path.write_bytes(b"\xef\xbb\xbf" + TIGHT.replace("\n", "\r\n").encode())
    tfpc("fmt", "x.tfp")
    assert path.read_bytes() == TIGHT.encode()


def test_folders_and_their_folders(tfpc: Tfpc, tmp_path: Path) -> None:
    for name in ("a/x.tfp", "a/b/y.tfp", "a/.git/z.tfp"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(LOOSE)
    (tmp_path / "a" / "notes.txt").write_text(LOOSE)
    result = tfpc("fmt", "a")
    assert "2 specs formatted" in result.output
    assert (tmp_path / "a/.git/z.tfp").read_text() == LOOSE
    (tmp_path / "empty").mkdir()
    none = tfpc("fmt", "empty")
    assert none.exit_code == 1
    assert "no .tfp file is in empty" in none.output


def test_standard_input_goes_to_standard_output(tfpc: Tfpc) -> None:
    result = tfpc("fmt", "-", stdin=LOOSE)
    assert result.exit_code == 0
    assert result.stdout == TIGHT
    assert result.stderr == ""
    assert tfpc("fmt", "--check", "-", stdin=LOOSE).exit_code == 1
    assert tfpc("fmt", "--check", "-", stdin=TIGHT).exit_code == 0


def test_what_cant_be_read_is_told_and_the_rest_is_formatted(
    tfpc: Tfpc, tmp_path: Path
) -> None:
    (tmp_path / "wrong.tfp").write_text("a b c (")
    (tmp_path / "x.tfp").write_text(LOOSE)
    result = tfpc("fmt", "wrong.tfp", "nowhere.tfp", "x.tfp")
    assert result.exit_code == 1
    assert "wrong.tfp:1:5" in result.stderr
    assert "there is no file nowhere.tfp" in result.stderr
    assert "1 spec formatted, 2 can't be read" in result.stderr
    assert (tmp_path / "wrong.tfp").read_text() == "a b c ("
    assert (tmp_path / "x.tfp").read_text() == TIGHT


def test_a_file_that_may_not_be_written_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.tfp").write_text(LOOSE)

    def refuse(path: Path, data: bytes) -> None:
        raise PermissionError(None, "it is read-only")

    monkeypatch.setattr("tfpc.cli.fmt.replace_bytes", refuse)
    with pytest.raises(click.UsageError, match="can't be written: it is read-only"):
        fmt.main(["x.tfp"], standalone_mode=False)


def test_a_mistake_of_the_formatter_writes_nothing(
    tfpc: Tfpc, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.tfp"
    path.write_text(LOOSE)
    lost = "tfpc.syntax.formatting.layout.flat"
    monkeypatch.setattr(lost, lambda pieces: "[3]")
    with pytest.raises(ChangedMeaningError):
        tfpc("fmt", "x.tfp")
    assert path.read_text() == LOOSE
