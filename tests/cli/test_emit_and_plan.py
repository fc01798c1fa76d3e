"""`tfpc emit` and `tfpc plan`: what they write, and where."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Tfpc = Callable[..., Result]
BROKEN = "train classifier {\n  epochs: 3\n}\n"


def spec_folder(program: Path) -> Path:
    """The folder that a program takes for its spec's."""
    tree = ast.parse(program.read_text(encoding="utf-8"))
    (line,) = [
        ast.unparse(node)
        for node in tree.body
        if isinstance(node, ast.Assign)
        and ast.unparse(node.targets[0]) == "SPEC_FOLDER"
    ]
    code = f"import pathlib; __file__ = {str(program)!r}; {line}; print(SPEC_FOLDER)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    return Path(done.stdout.strip()).resolve()


def test_a_program_comes_alone_on_standard_output(tfpc: Tfpc, digits: str) -> None:
    result = tfpc("emit", digits)
    assert result.exit_code == 0
    ast.parse(result.stdout)
    assert "\r" not in result.stdout


@pytest.mark.parametrize("output", ["train.py", "below/train.py"])
def test_a_program_finds_the_data_from_where_it_is(
    tfpc: Tfpc, tmp_path: Path, digits: str, output: str
) -> None:
    (tmp_path / "below").mkdir()
    assert tfpc("emit", digits, "-o", output).exit_code == 0
    assert spec_folder(tmp_path / output) == Path(digits).parent.resolve()


def test_the_folder_of_a_spec_from_standard_input(tfpc: Tfpc, digits: str) -> None:
    (Path.cwd() / "data").symlink_to(Path(digits).parent / "data")
    text = Path(digits).read_text(encoding="utf-8")
    assert tfpc("emit", "-", "-o", "train.py", stdin=text).exit_code == 0
    assert spec_folder(Path("train.py").resolve()) == Path.cwd().resolve()


def test_a_spec_with_errors_gives_no_program(tfpc: Tfpc, tmp_path: Path) -> None:
    (tmp_path / "x.tfp").write_text(BROKEN)
    (tmp_path / "train.py").write_text("of before")
    for command in (["emit"], ["emit", "-o", "train.py"], ["plan"]):
        result = tfpc(*command, "x.tfp")
        assert result.exit_code == 1
        assert result.stdout == ""
        assert result.stderr.startswith("error[TFP003]")
    assert (tmp_path / "train.py").read_text() == "of before"


def test_a_spec_is_not_written_over(tfpc: Tfpc, tmp_path: Path) -> None:
    (tmp_path / "x.tfp").write_text(BROKEN)
    (tmp_path / "link.tfp").symlink_to("x.tfp")
    result = tfpc("emit", "x.tfp", "-o", "link.tfp")
    assert result.exit_code == 2
    assert "would write over the spec itself" in result.output
    assert (tmp_path / "x.tfp").read_text() == BROKEN


def test_a_program_that_cannot_be_written(tfpc: Tfpc, digits: str) -> None:
    result = tfpc("emit", digits, "-o", "gone/train.py")
    assert result.exit_code == 2
    assert "gone/train.py can't be written: No such file or directory" in result.output


def test_set_reaches_the_program(tfpc: Tfpc, digits: str) -> None:
    assert "EPOCHS = 3\n" in tfpc("emit", digits, "--set", "train.epochs=3").stdout


def test_a_plan_for_a_person(tfpc: Tfpc, digits: str) -> None:
    result = tfpc("plan", digits)
    assert result.exit_code == 0
    assert "pipeline images, train" in result.stdout


def test_a_plan_for_a_machine(tfpc: Tfpc, digits: str) -> None:
    result = tfpc("plan", digits, "--json", "--set", "train.epochs=3")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["train"]["epochs"] == 3
