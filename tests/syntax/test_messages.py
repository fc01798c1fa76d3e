"""Each `.tfp` file in `messages/` has the message that it causes beside it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tfpc.diagnostics.codes import CODES
from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.diagnostics.span import Source
from tfpc.diagnostics.text import render_all
from tfpc.syntax.parser import parse

CASES = sorted((Path(__file__).parent / "messages").glob("*.tfp"))
JARGON = ("token", "terminal", "Unexpected", "__", "$END", "LPAR", "parse", "invalid")


def problems(path: Path) -> list[Diagnostic]:
    text = path.read_text(encoding="utf-8")
    document, found = parse(Source(f"specs/{path.name}", text))
    assert document is None
    assert found
    return found


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_message(path: Path, golden: Callable[[Path, str], None]) -> None:
    golden(path.with_suffix(".txt"), render_all(problems(path)) + "\n")


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_no_jargon(path: Path) -> None:
    for problem in problems(path):
        said = (problem.headline, problem.why, problem.fix.text if problem.fix else "")
        assert not [word for word in JARGON if word in " ".join(said)]


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_safe_fixes_come_to_an_end(path: Path) -> None:
    """Fixing again and again, as `--fix` does, leaves only what asks for a person."""
    text = path.read_text(encoding="utf-8")
    for _ in range(10):
        _, found = parse(Source("fixed.tfp", text))
        edits = [
            edit
            for item in found
            if item.fix and item.fix.safe
            for edit in item.fix.edits
        ]
        if not edits:
            return
        edits.sort(key=lambda edit: edit.span.start, reverse=True)
        for edit in edits:
            text = text[: edit.span.start] + edit.replacement + text[edit.span.end :]
    pytest.fail(f"still something to fix in {text!r}")


def test_every_code_of_syntax_is_shown() -> None:
    """No code without a case: a mistake that nobody can make needs no explanation."""
    shown = {problem.code for path in CASES for problem in problems(path)}
    # Tested elsewhere: a unit that does not exist is not a question of syntax, a
    # file of bytes is not a text, and depth has no place in a small file.
    elsewhere = {"TFP019", "TFP023"}
    codes = {code for code in CODES if code.startswith("TFP0")}
    assert codes - shown == elsewhere
