"""`tfpc run` with a program that needs no TensorFlow."""

from __future__ import annotations

import dataclasses
import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from tfpc import driver

Tfpc = Callable[..., Result]
EVENT = """\
import json, os, pathlib, signal, sys, time
def event(name, **carried):
    with open(os.environ["TFPC_EVENTS"], "a") as file:
        file.write(json.dumps({"event": name, **carried}) + "\\n")
event("started")
"""
TRAINS = """\
event("epoch", epoch=1, epochs=1, metrics={"train.loss": 0.5})
event("finished", reason="done", epochs=1, steps=44, seconds=1.5,
      examples_per_s=900.0, input_wait=0.3, metrics={"train.loss": 0.5})
"""


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Has the compiler make another program."""
    compile_spec = driver.compile_spec

    def use(text: str) -> None:
        def compiled(*arguments: Any) -> driver.Compiled:
            done = compile_spec(*arguments)
            begin = f"{EVENT}SETTINGS = {arguments[1].settings}\n"
            return dataclasses.replace(done, program=done.program and begin + text)

        monkeypatch.setattr(driver, "compile_spec", compiled)

    return use


def only_run() -> Path:
    """The folder of the only run."""
    (folder,) = Path("runs/digits").iterdir()
    return folder


def test_a_run_from_start_to_end(
    tfpc: Tfpc, program: Callable[[str], None], digits: str
) -> None:
    program(TRAINS)
    result = tfpc("run", digits, "--set", "train.epochs=2")
    assert result.exit_code == 0, result.output
    folder = only_run()
    assert result.stdout.splitlines() == [
        f"run folder: {folder}",
        "epoch 1/1  train.loss 0.5000",
        "",
        "done: 1 epoch, 44 steps, 1.5 s of training, 900 examples/s",
        "  train.loss  0.5000",
        "waited for input 30% of the time: reading and preparing examples was the "
        "limit (`tfpc plan` shows what is done where)",
        f"run folder: {folder}",
    ]
    flags = json.loads((folder / "flags.json").read_text())
    assert flags["settings"] == ["train.epochs=2"]


def test_quiet_says_only_how_it_ended(
    tfpc: Tfpc, program: Callable[[str], None], digits: str
) -> None:
    program(TRAINS)
    assert tfpc("run", digits, "--quiet").stdout.lstrip().startswith("done: 1 epoch")


def test_the_program_gets_folder_and_root(
    tfpc: Tfpc, program: Callable[[str], None], digits: str
) -> None:
    program('pathlib.Path("argv.json").write_text(json.dumps(sys.argv[1:]))')
    assert tfpc("run", digits, "--run-dir", "mine").exit_code == 0
    argv = json.loads(Path("argv.json").read_text())
    assert argv == ["--run-dir", "mine", "--root", str(Path(digits).parent)]


def test_a_spec_with_errors_makes_no_folder(tfpc: Tfpc) -> None:
    Path("x.tfp").write_text("train classifier {\n  epochs: 3\n}\n")
    result = tfpc("run", "x.tfp", "--run-dir", "mine")
    assert result.exit_code == 1
    assert result.stderr.startswith("error[TFP003]")
    assert not Path("mine").exists()
    assert not Path("runs").exists()


def test_input_that_cannot_be_read_is_shown_where_it_is_named(
    tfpc: Tfpc, program: Callable[[str], None], digits: str
) -> None:
    text = Path(digits).read_text(encoding="utf-8")
    line = text[: text.index("tfrecord(")].count("\n") + 1
    program(
        f'event("failed", code="input", message="a.tfrecord is cut off", '
        f'file="a.tfrecord", place="digits.tfp:{line}:11")\nsys.exit(1)'
    )
    result = tfpc("run", digits)
    assert result.exit_code == 1
    assert "error[TFP901]: a.tfrecord is cut off" in result.stderr
    assert f"{digits}:{line}:11" in result.stderr
    assert "^^^^^^^^" in result.stderr
    assert f"log: {only_run()}/log.txt" in result.stderr
    assert "failed before the first step" in result.stdout


def test_a_program_that_crashes_leaves_no_traceback_on_the_screen(
    tfpc: Tfpc, program: Callable[[str], None], digits: str
) -> None:
    program('raise RuntimeError("shapes differ")')
    result = tfpc("run", digits)
    assert result.exit_code == 1
    assert "the program failed: RuntimeError: shapes differ" in result.stderr
    assert "Traceback" not in result.output
    assert "Traceback" in (only_run() / "log.txt").read_text()


def test_a_run_folder_is_not_used_twice(
    tfpc: Tfpc, program: Callable[[str], None], digits: str
) -> None:
    program(TRAINS)
    assert tfpc("run", digits, "--run-dir", "mine").exit_code == 0
    again = tfpc("run", digits, "--run-dir", "mine")
    assert again.exit_code == 1
    assert "error[TFP905]: mine already holds a run" in again.stderr


def test_a_killed_run_says_how_to_go_on_and_does(
    tfpc: Tfpc, program: Callable[[str], None], digits: str
) -> None:
    program(
        "folder = pathlib.Path(sys.argv[2]) / 'checkpoints' / 'step-000044'\n"
        "if '--resume' not in sys.argv:\n"
        "    folder.mkdir(parents=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n" + TRAINS
    )
    killed = tfpc("run", digits, "--set", "train.epochs=2")
    assert killed.exit_code == 1
    assert "error[TFP902]: the program was killed" in killed.stderr
    way = killed.stdout.splitlines()[-1]
    command = f"tfpc run {digits} --run-dir {only_run()} --resume --set train.epochs=2"
    assert way == f"to go on from step 44: {command}"
    resumed = tfpc(*command.split()[1:])
    assert resumed.exit_code == 0, resumed.output
    assert "done: 1 epoch" in resumed.stdout
    other = tfpc("run", digits, "--resume")
    assert other.exit_code == 1
    assert "was started with another program" in other.stderr
    assert "now:  no --set" in other.stderr


def test_a_resume_shows_lines_of_the_spec_that_the_run_began_with(
    tfpc: Tfpc, program: Callable[[str], None], digits: str
) -> None:
    text = Path(digits).read_text(encoding="utf-8")
    data = Path(digits).parent / "data"
    Path("digits.tfp").write_text(text.replace('"data/', f'"{data}/'))
    place = text[: text.index("tfrecord(")].count("\n") + 1
    program(
        f'event("failed", code="input", message="bad", place="digits.tfp:{place}:11")\n'
        "sys.exit(1)"
    )
    tfpc("run", "digits.tfp")
    (only_run() / "checkpoints" / "step-000044").mkdir(parents=True)
    Path("digits.tfp").write_text("# New.\n\n" + Path("digits.tfp").read_text())
    result = tfpc("run", "digits.tfp", "--resume")
    assert "another program" not in result.stderr
    assert f"{place} |   train = tfrecord(" in result.stderr


def test_nothing_to_resume(
    tfpc: Tfpc, program: Callable[[str], None], digits: str
) -> None:
    program(TRAINS)
    result = tfpc("run", digits, "--resume")
    assert result.exit_code == 1
    assert "no run in runs/digits has a checkpoint" in result.stderr
    assert not Path("runs").exists()


# `tfpc run` in a process of its own, with the compiler making another program.
OUTER = """\
import dataclasses, sys
from tfpc import driver
compile_spec = driver.compile_spec
def compiled(*arguments):
    return dataclasses.replace(compile_spec(*arguments), program=PROGRAM)
driver.compile_spec = compiled
from tfpc.cli import main
main()
"""
SAVES = """\
caught = []
for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, lambda number, frame: caught.append(number))
event("logged", line="ready")
while not caught:
    time.sleep(0.01)
time.sleep(0.5)
(pathlib.Path(sys.argv[2]) / "checkpoints" / "step-000007").mkdir(parents=True)
event("finished", reason="signal", epochs=0, steps=7, seconds=1, examples_per_s=2,
      input_wait="nan", metrics={})
sys.exit(128 + caught[0])
"""


LONG = """\
for epoch in range(5):
    event("epoch", epoch=epoch, epochs=5, metrics={})
    time.sleep(0.2)
"""


@pytest.mark.usefixtures("buffered")
def test_a_reader_that_has_gone_ends_no_training(tmp_path: Path, digits: str) -> None:
    code = f"PROGRAM = {EVENT + LONG + TRAINS!r}\n{OUTER}"
    shell = '("$0" -c "$1" run "$2"; echo $? >code) 2>errors | head -n 1'
    piped = subprocess.run(
        ["sh", "-c", shell, sys.executable, code, digits],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert piped.stdout.startswith("run folder: ")
    assert (tmp_path / "code").read_text() == "0\n"
    assert "BrokenPipe" not in (tmp_path / "errors").read_text()
    (events,) = tmp_path.glob("runs/digits/*/events.jsonl")
    assert '"finished"' in events.read_text()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_saves_and_ends_with_its_code(
    tmp_path: Path, digits: str, number: signal.Signals
) -> None:
    outer = subprocess.Popen(
        [
            sys.executable,
            "-c",
            f"PROGRAM = {EVENT + SAVES!r}\n{OUTER}",
            *("run", digits),
        ],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert outer.stdout is not None
        while outer.stdout.readline() != "ready\n":
            assert outer.poll() is None
        outer.send_signal(number)
        out, err = outer.communicate(timeout=20)
    finally:
        outer.kill()
    assert outer.returncode == 128 + number
    assert "error" not in err
    assert "stopping after this step" in out
    assert "stopped by a signal: 0 epochs, 7 steps" in out
    assert "to go on from step 7: tfpc run" in out
