"""`tfpc` itself: its help, its exit codes, and what happens when it fails."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import pytest
from click.testing import Result

Tfpc = Callable[..., Result]
Process = Callable[..., "subprocess.CompletedProcess[str]"]


def test_help_lists_the_commands_and_imports_none(process: Process) -> None:
    done = process(
        "import atexit, sys\n"
        "atexit.register(lambda: print(sorted(m for m in sys.modules if 'tfpc' in m)))",
        "--help",
    )
    assert done.returncode == 0
    for name in ("run", "lint", "emit", "plan"):
        assert f"\n  {name} " in done.stdout
    imported = done.stdout.splitlines()[-1]
    assert imported == "['tfpc', 'tfpc.cli', 'tfpc.cli.main', 'tfpc.cli.no_plugins']"


def test_version(tfpc: Tfpc) -> None:
    assert version("tfpc") in tfpc("--version").output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["lnit"], "there is no command `lnit`; did you mean `lint`?"),
        (["x.tfp"], "did you mean `tfpc run x.tfp`?"),
        (["run"], "Missing argument 'SPEC'"),
        (["lint", "--fail-on", "never"], "'never' is not one of"),
        (["plan", "--jsn"], "--json"),
    ],
)
def test_wrong_usage_is_2(tfpc: Tfpc, arguments: list[str], said: str) -> None:
    result = tfpc(*arguments)
    assert result.exit_code == 2
    assert said in result.output


@pytest.mark.parametrize("command", ["lint", "emit", "plan", "run"])
@pytest.mark.parametrize(
    ("spec", "said", "fix"),
    [
        ("digit.tfp", "there is no file digit.tfp", "did you mean `digits.tfp`?"),
        ("digits", "there is no file digits", "did you mean `digits.tfp`?"),
        ("other.tfp", "there is no file other.tfp", "as in `digits.tfp`"),
        ("no/x.tfp", "there is no file no/x.tfp", "there is no folder no either"),
        ("folder", "folder is a folder, not a spec", "name a .tfp file"),
        ("junk.tfp", "this file is not UTF-8", "save it as UTF-8"),
    ],
)
def test_a_spec_that_cannot_be_read(
    tfpc: Tfpc, tmp_path: Path, command: str, spec: str, said: str, fix: str
) -> None:
    (tmp_path / "digits.tfp").write_text("")
    (tmp_path / "folder").mkdir()
    (tmp_path / "junk.tfp").write_bytes(b"\x89PNG\r\n\x1a\n\x00\xff\xfe")
    result = tfpc(command, spec)
    assert result.exit_code == 1
    words = " ".join(result.output.split())
    assert said in words
    assert fix in words
    assert "Traceback" not in words


def test_a_file_that_is_too_large_for_a_spec(tfpc: Tfpc, tmp_path: Path) -> None:
    with open(tmp_path / "data.tfrecord", "wb") as stream:
        stream.truncate(1 << 40)
    result = tfpc("lint", "data.tfrecord")
    assert result.exit_code == 1
    assert "more than 32 MiB" in result.output


BUG = """
import tfpc.driver
def fail(*arguments):
    raise KeyError("a\\nb")
tfpc.driver.check = fail
"""


def test_a_bug_is_told_shortly_and_kept_whole(
    process: Process, tmp_path: Path, digits: str
) -> None:
    done = process(BUG, "lint", digits, TMPDIR=str(tmp_path))
    assert done.returncode == 1
    assert "tfpc itself failed: KeyError: " in done.stderr
    assert "Traceback" not in done.stderr
    (kept,) = tmp_path.glob("tfpc-*.txt")
    assert str(kept) in done.stderr
    text = kept.read_text(encoding="utf-8")
    assert text.startswith("Traceback")
    assert "in fail" in text


def test_a_bug_in_full_if_asked(process: Process, digits: str) -> None:
    done = process(BUG, "lint", digits, TFPC_TRACEBACK="1")
    assert done.returncode == 1
    assert done.stderr.startswith("Traceback")


def test_ctrl_c_while_compiling_is_130(process: Process, digits: str) -> None:
    stop = BUG.replace('KeyError("a\\nb")', "KeyboardInterrupt")
    done = process(stop, "lint", digits)
    assert done.returncode == 130
    assert "Traceback" not in done.stderr


@pytest.mark.usefixtures("buffered")
def test_a_reader_that_has_gone(digits: str) -> None:
    code = "from tfpc.cli import main; main()"
    shell = '("$0" -c "$1" plan "$2"; echo "code $?" >&2) | :'
    piped = subprocess.run(
        ["sh", "-c", shell, sys.executable, code, digits],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert piped.stderr.splitlines()[-1] == "code 1"
    assert "Traceback" not in piped.stderr
    assert "BrokenPipe" not in piped.stderr


def test_output_that_the_encoding_lacks(process: Process, tmp_path: Path) -> None:
    done = process("", "lint", "ж.tfp", PYTHONIOENCODING="latin-1")
    assert done.returncode == 1
    assert "there is no file \\u0436.tfp" in done.stdout


@pytest.mark.parametrize("command", ["lint", "emit", "plan", "run"])
def test_tensorflow_is_never_imported(
    process: Process, tmp_path: Path, digits: str, command: str
) -> None:
    before = (
        "import atexit, subprocess, sys\n"
        "heavy = {'tensorflow', 'keras', 'numpy'}\n"
        "atexit.register(lambda: print('heavy:', sorted(heavy & set(sys.modules))))\n"
    )
    if command == "run":
        before += "import tfpc.launch.run\ntfpc.launch.run.launch = lambda *a, **k: 0\n"
    done = process(before, command, digits)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "heavy: []"
