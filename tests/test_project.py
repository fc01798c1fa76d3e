"""What holds for the repository as a whole: its top level, imports and paths."""

from __future__ import annotations

import ast
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TOP_LEVEL = {
    "LICENSE",
    "README.md",
    "grammar",
    "pyproject.toml",
    "specs",
    "tests",
    "tfpc",
}
# Put together here, so that this file does not hold what it looks for.
MACHINE_PATHS = ["/" + name + "/" for name in ("work", "root", "home")]


@pytest.fixture(scope="module")
def files() -> list[str]:
    """Every file that git tracks, or would track with the next `git add`."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    names = sorted(set(listed.stdout.decode().split("\0")) - {""})
    assert "pyproject.toml" in names
    return [name for name in names if (ROOT / name).is_file()]


def imported_packages(text: str) -> set[str]:
    """The first names of all absolute imports, wherever they stand."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.split(".")[0])
    return found


def machine_paths(text: str) -> list[str]:
    return [path for path in MACHINE_PATHS if path in text]


def test_top_level_holds_only_what_belongs_there(files):
    top = {name.split("/")[0] for name in files}
    assert {name for name in top if not name.startswith(".")} == TOP_LEVEL


def test_only_the_program_imports_tensorflow(files):
    modules = [n for n in files if n.startswith("tfpc/") and n.endswith(".py")]
    importing = [
        name
        for name in modules
        if imported_packages((ROOT / name).read_text("utf-8")) & {"tensorflow", "keras"}
    ]
    assert [n for n in importing if not n.startswith("tfpc/program/")] == []
    assert importing, "tfpc/program imports TensorFlow; the search is broken"


def test_no_file_names_a_path_of_one_machine(files):
    found = {
        name: machine_paths((ROOT / name).read_text("utf-8", errors="replace"))
        for name in files
    }
    assert {name: paths for name, paths in found.items() if paths} == {}


@pytest.mark.parametrize(
    ("text", "packages"),
    [
        ("import tensorflow as tf", {"tensorflow"}),
        ("def f():\n    from keras.layers import Dense", {"keras"}),
        ("text = 'import tensorflow'", set()),
        ("from .keras import x", set()),
    ],
)
def test_imports_are_found_wherever_they_stand(text, packages):
    assert imported_packages(text) == packages


def test_machine_paths_are_found():
    assert machine_paths(f"data = {MACHINE_PATHS[0]}data") == [MACHINE_PATHS[0]]
