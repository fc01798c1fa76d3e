"""Plans and programs as they are now: a change that means nothing leaves them alone.

`pytest --update-goldens` writes them anew; read the difference.
"""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys

import pytest

from tfpc.diagnostics.span import Source
from tfpc.diagnostics.text import render_all
from tfpc.driver import Options, compile_spec
from tfpc.plan.as_json import as_json
from tfpc.plan.show import render

HERE = pathlib.Path(__file__).parent
REPOSITORY = HERE.parents[1]
SPECS = [
    *sorted((REPOSITORY / "specs").glob("*.tfp")),
    *sorted((HERE / "specs").glob("*.tfp")),
]
specs = pytest.mark.parametrize("spec", SPECS, ids=lambda path: path.stem)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """Folders of pictures in the numbers that the specs need; nothing opens them."""
    folder = tmp_path_factory.mktemp("data")
    (folder / "layers").symlink_to(REPOSITORY / "specs" / "layers")
    for place, classes, count in (
        ("data/cifar10/train", 10, 500),
        ("data/cifar10/test", 10, 100),
        ("data/flowers", 3, 60),
        ("photos", 2, 40),
    ):
        for label in range(classes):
            path = folder / place / f"class_{label}"
            path.mkdir(parents=True)
            for number in range(count // classes):
                (path / f"{number}.jpg").touch()
    (folder / "own").symlink_to(REPOSITORY / "specs" / "own")
    return folder


def compiled(spec, data):
    """A spec, compiled where its data is; records are told by their schema alone."""
    text = spec.read_text()
    look = "image_folder" in text
    options = Options(look_at_data=look)
    done = compile_spec(Source(str(data / spec.name), text), options, ".")
    assert done.program is not None, render_all(done.diagnostics)
    return done


@specs
def test_the_plan(spec, data, golden):
    plan = compiled(spec, data).plan
    golden(HERE / "plans" / f"{spec.stem}.txt", render(plan) + "\n")
    text = json.dumps(as_json(plan), indent=2).replace(str(data) + "/", "")
    golden(HERE / "plans" / f"{spec.stem}.json", text + "\n")


@specs
def test_the_program(spec, data, golden):
    golden(HERE / "programs" / f"{spec.stem}.py", compiled(spec, data).program)


@specs
def test_the_same_spec_gives_the_same_program(spec, data):
    assert compiled(spec, data).program == compiled(spec, data).program


def test_programs_are_formatted_and_clean(data, tmp_path):
    for spec in SPECS:
        (tmp_path / f"{spec.stem}.py").write_text(compiled(spec, data).program)
    for command in (["check"], ["format", "--diff"]):
        result = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--isolated", str(tmp_path)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert result.returncode == 0, result.stdout + result.stderr
