"""Each `.tfp` file in `messages/` has what is said of it beside it.

Its blocks replace those of the standard spec; a line `# --set path=value` adds an
override, `# --profile NAME` a profile. `pytest --update-goldens` writes the messages anew.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tfpc.diagnostics.codes import CODES
from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.diagnostics.fixes import settled
from tfpc.diagnostics.reached import with_uses
from tfpc.diagnostics.span import Source
from tfpc.diagnostics.text import render_all
from tfpc.rules.standard import whole_spec

CASES = sorted((Path(__file__).parent / "messages").glob("*.tfp"))


@pytest.fixture
def problems(resolve_text, monkeypatch) -> Callable[[Path], list[Diagnostic]]:
    """What is said of a case; the data of none has a size."""
    monkeypatch.delenv("TFPC_SURELY_NOT_SET", raising=False)
    monkeypatch.chdir(Path(__file__).parent / "messages")

    def run(path: Path) -> list[Diagnostic]:
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines()
        settings = [
            x.removeprefix("# --set ") for x in lines if x.startswith("# --set ")
        ]
        profiles = [x.split()[-1] for x in lines if x.startswith("# --profile ")]
        source = Source("spec.tfp", whole_spec(text))
        found = resolve_text(
            source, *settings, facts={"classes": 10}, profiles=profiles
        )[1]
        return [settled(with_uses(each), source) for each in found]

    return run


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_resolve_message(path, problems, golden):
    golden(path.with_suffix(".txt"), render_all(problems(path)) + "\n")


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_every_problem_says_where_and_what_to_type(path, problems):
    found = problems(path)
    assert found
    for problem in found:
        assert problem.code in CODES
        assert problem.span is not None
        assert problem.fix is not None
        assert problem.fix.text


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_no_problem_is_told_twice(path, problems):
    found = [(problem.headline, problem.span) for problem in problems(path)]
    assert len(found) == len(set(found))
