"""Whatever fix the messages of wrong specs offer, it mends them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tfpc.cli.lint_fix import mended
from tfpc.diagnostics.diagnostic import Severity
from tfpc.diagnostics.span import Source
from tfpc.driver import Options, check
from tfpc.rules.standard import whole_spec

TESTS = Path(__file__).parents[1]
CASES = sorted(
    path
    for folder in ("wrong_specs/cases", "syntax/messages", "spec/messages")
    for path in (TESTS / folder).glob("*.tfp")
    if "[--fix" in path.with_suffix(".txt").read_text(encoding="utf-8")
)


@pytest.mark.parametrize(
    "case", CASES, ids=lambda path: f"{path.parts[-3]}-{path.stem}"
)
def test_every_fix_that_a_message_offers_mends_it(case: Path) -> None:
    text = case.read_bytes().decode("utf-8")
    is_whole = text.startswith("# whole") or "syntax" in case.parts
    source = Source("x.tfp", text if is_whole else whole_spec(text))
    options = Options(look_at_data=False)
    before = check(source, options)
    done = mended(source, options, unsafe=True)
    assert done.fixed
    assert not done.refused
    assert done.checked.stage >= before.stage
    if done.checked.stage == before.stage:
        errors = [e for e in done.checked.problems if e.severity is Severity.ERROR]
        assert len(errors) < len(before.diagnostics)
