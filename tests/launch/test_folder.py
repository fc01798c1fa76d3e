"""Run folders: where they are, what is in them, what is never written over."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tfpc.diagnostics.span import Source
from tfpc.driver import Compiled, Options, compile_spec
from tfpc.launch.folder import (
    RunFolder,
    default_path,
    fill,
    new_folder,
    spec_copy,
    way_to,
)
from tfpc.launch.refusal import RefusedError
from tfpc.launch.resuming import by_time, folder_to_resume, latest, meaning, named

SPECS = Path(__file__).parents[2] / "specs"
DIGITS = SPECS / "digits.tfp"


def compiled(text: str, *settings: str) -> Compiled:
    """The digits spec with another text."""
    source = Source(str(DIGITS), text)
    done = compile_spec(source, Options(settings), "../specs")
    assert done.program is not None, done.diagnostics
    return done


@pytest.fixture(scope="module")
def text() -> str:
    return DIGITS.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def digits(text: str) -> Compiled:
    return compiled(text)


@pytest.fixture(autouse=True)
def below(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run_of(done: Compiled, path: str, *settings: str, step: int | None = 5) -> None:
    """A run that has been started, with a checkpoint if a step is given."""
    folder = new_folder(Path(path), chosen=True)
    fill(folder, done, Options(settings))
    if step is not None:
        (folder.path / "checkpoints" / f"step-{step:06}").mkdir(parents=True)


def test_all_that_repeats_a_run_is_in_its_folder(digits: Compiled, text: str) -> None:
    folder = new_folder(default_path("digits"), chosen=False)
    fill(folder, digits, Options(("train.epochs=2",), ("smoke",)))
    assert folder.path.parent == Path("runs/digits")
    assert folder.program.read_text(encoding="utf-8") == digits.program
    assert (folder.spec / "digits.tfp").read_text(encoding="utf-8") == text
    assert json.loads(folder.plan.read_text())["name"] == "digits"
    flags = json.loads(folder.flags.read_text())
    assert flags["settings"] == ["train.epochs=2"]
    assert flags["profiles"] == ["smoke"]
    assert flags["folder"] == str(Path.cwd())
    assert {"arguments", "versions", "python", "executable", "spec"} <= set(flags)


def test_runs_of_one_second_have_folders_of_their_own() -> None:
    path = Path("runs/x/2030-01-01T00-00-00")
    made = [new_folder(path, chosen=False).path.name for _ in range(12)]
    assert len(set(made)) == 12
    assert sorted(made, key=lambda name: by_time(Path(name))) == made


def test_many_processes_never_share_a_folder() -> None:
    code = (
        "import pathlib; from tfpc.launch.folder import new_folder\n"
        "print(new_folder(pathlib.Path('runs/x/t'), chosen=False).path)"
    )
    started = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
        for _ in range(4)
    ]
    printed = [process.communicate()[0] for process in started]
    assert len(set(printed)) == 4


@pytest.mark.parametrize(
    "taken", ["program.py", "log.txt", "events.jsonl", "spec", "checkpoints"]
)
def test_files_of_the_user_are_not_written_over(taken: str) -> None:
    (Path("mine") / taken).mkdir(parents=True)
    with pytest.raises(RefusedError, match=f"already has a {taken}"):
        new_folder(Path("mine"), chosen=True)


@pytest.mark.parametrize("place", ["below/layers.tfp", "../layers.tfp"])
def test_imports_keep_their_places(text: str, tmp_path: Path, place: str) -> None:
    home = tmp_path / "home"
    (home / place).parent.mkdir(parents=True, exist_ok=True)
    (home / place).write_text("let epochs = 3\n")
    spec = f'import "{place}" as layers\n\n' + text.replace(
        "epochs = 15", "epochs = layers.epochs"
    )
    source = Source(str(home / "spec.tfp"), spec)
    done = compile_spec(source, Options(look_at_data=False), "..")
    assert done.program is not None, done.diagnostics
    folder = new_folder(Path("run"), chosen=True)
    fill(folder, done, Options())
    copy = spec_copy(folder, done)
    again = Source(str(copy), copy.read_text(encoding="utf-8"))
    repeated = compile_spec(again, Options(look_at_data=False), "..")
    assert repeated.program == done.program
    assert len(list(folder.spec.rglob("*.tfp"))) == 2


def test_a_folder_with_a_run_is_not_taken(digits: Compiled) -> None:
    run_of(digits, "first")
    with pytest.raises(RefusedError, match="first already holds a run") as raised:
        new_folder(Path("first"), chosen=True)
    assert "--resume" in str(raised.value.problem.fix)


def test_an_empty_folder_that_is_there_is_taken() -> None:
    Path("empty").mkdir()
    assert new_folder(Path("empty"), chosen=True).path == Path("empty")


def test_who_writes_the_program_first_has_the_folder(digits: Compiled) -> None:
    first, second = (new_folder(Path("both"), chosen=True) for _ in range(2))
    fill(first, digits, Options())
    other = dataclasses.replace(digits, program="OTHER = True\n")
    with pytest.raises(RefusedError, match="another run has taken both"):
        fill(second, other, Options())
    assert first.program.read_text(encoding="utf-8") == digits.program


@pytest.mark.parametrize("path", ["file", "file/below"])
def test_a_file_in_the_way_is_named(path: str) -> None:
    Path("file").write_text("")
    with pytest.raises(RefusedError, match=f"the folder {path} can't be made"):
        new_folder(Path(path), chosen=True)


def test_the_way_to_the_spec_follows_links() -> None:
    Path("elsewhere/deep/disk").mkdir(parents=True)
    Path("specs").mkdir()
    Path("runs").symlink_to("elsewhere/deep/disk")
    program = Path("runs/x/t")
    way = way_to(Path("specs"), program)
    program.mkdir(parents=True)
    assert (program.resolve() / way).resolve() == Path("specs").resolve()
    # `..` of the link's folder is not where the link stands.
    Path("elsewhere/deep/specs").mkdir()
    assert way_to(Path("runs/../specs"), Path()) == "elsewhere/deep/specs"
    assert way_to(Path(), Path()) == "."
    assert way_to(Path("specs"), Path()) == "specs"


def test_the_latest_run_with_a_checkpoint_is_resumed(digits: Compiled) -> None:
    run_of(digits, "runs/digits/2030-01-01T00-00-00-9")
    run_of(digits, "runs/digits/2030-01-01T00-00-00-10")
    run_of(digits, "runs/digits/2030-01-01T00-00-01", step=None)
    Path("runs/digits/notes.txt").write_text("")
    assert latest("digits").path.name == "2030-01-01T00-00-00-10"
    assert folder_to_resume(digits, None, Options()) == latest("digits")
    with pytest.raises(RefusedError, match="no run in runs/other has a checkpoint"):
        latest("other")


def test_a_checkpoint_that_was_not_finished_is_none(digits: Compiled) -> None:
    run_of(digits, "runs/digits/a", step=None)
    for name in (".step-000005.new", "step-000005.new", "best"):
        Path("runs/digits/a/checkpoints", name).mkdir(parents=True)
    assert RunFolder(Path("runs/digits/a")).checkpoints == []


def test_a_chosen_run_needs_no_checkpoint_yet(digits: Compiled) -> None:
    run_of(digits, "chosen", step=None)
    assert folder_to_resume(digits, "chosen", Options()).path == Path("chosen")
    with pytest.raises(RefusedError, match="nowhere holds no run"):
        named("nowhere")


def test_a_spec_without_checkpoints_is_not_resumed(text: str) -> None:
    lines = [line for line in text.splitlines(True) if "checkpoint(" not in line]
    with pytest.raises(RefusedError, match="keeps no checkpoints") as raised:
        folder_to_resume(compiled("".join(lines)), None, Options())
    assert "`observe`" in str(raised.value.problem.fix)


def test_a_changed_spec_is_refused_with_the_change(digits: Compiled, text: str) -> None:
    run_of(digits, "run")
    changed = compiled(text.replace("epochs = 15", "epochs = 20"))
    with pytest.raises(RefusedError, match="another program") as raised:
        folder_to_resume(changed, "run", Options())
    lines = raised.value.detail.splitlines()
    assert "-  epochs = 15" in lines
    assert "+  epochs = 20" in lines


def test_changed_flags_are_refused_by_name(digits: Compiled, text: str) -> None:
    run_of(compiled(text, "train.epochs=3"), "run", "train.epochs=3")
    with pytest.raises(RefusedError) as raised:
        folder_to_resume(digits, "run", Options())
    expected = "then: --set train.epochs=3\nnow:  no --set"
    assert raised.value.detail == expected


def test_comments_and_blank_lines_do_not_stop_a_resume(
    digits: Compiled, text: str
) -> None:
    run_of(digits, "run")
    same = compiled("# A remark.\n\n\n" + text.replace("shuffle\n", "shuffle  # !\n"))
    assert same.program != digits.program
    assert folder_to_resume(same, "run", Options()).path == Path("run")


def test_another_tfpc_is_named(digits: Compiled) -> None:
    run_of(digits, "run")
    folder = RunFolder(Path("run"))
    record = json.loads(folder.flags.read_text())
    record["versions"]["tfpc"] = "0.0.1"
    folder.flags.write_text(json.dumps(record))
    folder.program.write_text("SEED = 1\n")
    with pytest.raises(RefusedError) as raised:
        folder_to_resume(digits, "run", Options())
    assert "then: tfpc 0.0.1" in raised.value.detail


def test_flags_that_cannot_be_read_do_not_fail(digits: Compiled) -> None:
    run_of(digits, "run")
    folder = RunFolder(Path("run"))
    folder.flags.write_text("{")
    folder.program.write_text("def broken(")
    with pytest.raises(RefusedError, match="another program"):
        folder_to_resume(digits, "run", Options())


def test_what_a_program_means() -> None:
    first = 'SPEC_DIGEST = "a"\nx = f(1, "digits.tfp:3:4")  # why\n'
    second = 'SPEC_DIGEST = "b"\nx = f(\n    1,\n    "other.tfp:30:40",\n)\n'
    assert meaning(first) == meaning(second)
    assert meaning(first) != meaning(second.replace("1,", "2,"))
    assert meaning("a = 'x'") != meaning("a = 'y'")
