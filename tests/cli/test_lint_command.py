"""`tfpc lint`: what it prints, and its exit code."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from tfpc.cli.spec import counted
from tfpc.diagnostics.codes import CODES
from tfpc.diagnostics.diagnostic import Diagnostic, Severity
from tfpc.rules.registry import RULES

Tfpc = Callable[..., Result]
BROKEN = "train classifier {\n  epochs: 3\n}\n"


@pytest.fixture
def warned(digits: str, tmp_path: Path) -> str:
    """A spec with a warning that is named `shuffle-buffer-too-small`."""
    text = Path(digits).read_text(encoding="utf-8")
    data = Path(digits).parent / "data"
    text = text.replace("    shuffle\n", "    shuffle(buffer = 8)\n")
    path = tmp_path / "warned.tfp"
    path.write_text(text.replace('"data/', f'"{data}/'), encoding="utf-8")
    return str(path)


def test_a_spec_without_errors(tfpc: Tfpc, digits: str) -> None:
    result = tfpc("lint", digits)
    assert result.exit_code == 0
    assert digits in result.output.splitlines()[-1]
    assert "error" not in result.output
    assert "\x1b" not in result.output


def test_errors_are_printed_and_counted(tfpc: Tfpc, tmp_path: Path) -> None:
    (tmp_path / "x.tfp").write_text(BROKEN)
    result = tfpc("lint", "x.tfp")
    assert result.exit_code == 1
    assert result.output.startswith("error[TFP003]")
    assert result.output.splitlines()[-1] == "1 error in x.tfp"


def test_several_specs_are_all_checked(tfpc: Tfpc, tmp_path: Path, digits: str) -> None:
    (tmp_path / "x.tfp").write_text(BROKEN)
    result = tfpc("lint", "gone.tfp", "x.tfp", digits)
    assert result.exit_code == 1
    assert "1 error in gone.tfp\n" in result.output
    assert "1 error in x.tfp\n" in result.output
    assert digits in result.output.splitlines()[-1]


def test_standard_input(tfpc: Tfpc) -> None:
    result = tfpc("lint", "-", stdin=BROKEN)
    assert result.exit_code == 1
    assert "--> -:2:9" in result.output


def test_json_is_one_list_with_all_that_was_found(tfpc: Tfpc, tmp_path: Path) -> None:
    (tmp_path / "x.tfp").write_text(BROKEN)
    result = tfpc("lint", "--output-format", "json", "gone.tfp", "x.tfp")
    assert result.exit_code == 1
    found = json.loads(result.output)
    assert [each["code"] for each in found] == ["TFP904", "TFP003"]
    assert (found[1]["file"], found[1]["line"]) == ("x.tfp", 2)


def test_json_of_nothing(tfpc: Tfpc, digits: str) -> None:
    result = tfpc("lint", "--output-format", "json", digits, "--fail-on", "warning")
    assert isinstance(json.loads(result.output), list)


def test_set_changes_the_spec(tfpc: Tfpc, digits: str) -> None:
    assert tfpc("lint", digits, "--set", "train.epochs=3").exit_code == 0
    result = tfpc("lint", digits, "--set", "train.epoch=3")
    assert result.exit_code == 1
    assert "epochs" in result.output


def test_data_is_not_looked_at_if_not_wanted(tfpc: Tfpc, digits: str) -> None:
    copy = Path("digits.tfp")
    copy.write_text(Path(digits).read_text(encoding="utf-8"), encoding="utf-8")
    assert tfpc("lint", "digits.tfp").exit_code == 1
    assert tfpc("lint", "--no-data", "digits.tfp").exit_code == 0


def test_which_severity_fails(tfpc: Tfpc, warned: str) -> None:
    slug = "shuffle-buffer-too-small"
    assert "warning[" in tfpc("lint", warned).output
    assert tfpc("lint", warned).exit_code == 0
    assert tfpc("lint", warned, "--fail-on", "warning").exit_code == 1
    as_error = tfpc("lint", warned, "--severity", f"{slug}=error")
    assert as_error.exit_code == 1
    assert "error[" in as_error.output
    as_note = ["--severity", f"{slug}=note", "--fail-on", "warning"]
    assert tfpc("lint", warned, *as_note).exit_code == 0


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("cache-after-randm=error", "did you mean `cache-after-random`?"),
        ("cache-after-random=fatal", "takes error, warning or note, not `fatal`"),
        ("cache-after-random", "as in --severity cache-after-random=warning"),
    ],
)
def test_severities_that_are_none(
    tfpc: Tfpc, digits: str, given: str, said: str
) -> None:
    result = tfpc("lint", digits, "--severity", given)
    assert result.exit_code == 2
    assert said in " ".join(result.output.split())


@pytest.mark.parametrize(
    "name",
    list(CODES)
    + [code.slug for code in CODES.values()]
    + [rule.code for rule in RULES]
    + [rule.slug for rule in RULES],
)
def test_every_code_and_rule_is_explained(tfpc: Tfpc, name: str) -> None:
    result = tfpc("lint", "--explain", name)
    assert result.exit_code == 0
    assert name in result.output.splitlines()[0]
    assert len(result.output.splitlines()) > 5


def test_a_code_is_found_however_it_is_written(tfpc: Tfpc) -> None:
    assert tfpc("lint", "--explain", "tfp901").exit_code == 0
    assert tfpc("lint", "--explain", "run_folder").exit_code == 0


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("cache-after-rand", "did you mean `cache-after-random`?"),
        ("TFP9O1", "did you mean `TFP901`?"),
        ("nothing like it at all", "messages name theirs in brackets"),
    ],
)
def test_what_is_not_known_is_not_explained(tfpc: Tfpc, name: str, said: str) -> None:
    result = tfpc("lint", "--explain", name)
    assert result.exit_code == 2
    assert said in " ".join(result.output.split())


def test_nothing_to_check_is_wrong_usage(tfpc: Tfpc) -> None:
    assert tfpc("lint").exit_code == 2


def test_counting() -> None:
    found = [
        Diagnostic("TFP001", "x", severity, "said")
        for severity in (
            Severity.NOTE,
            Severity.ERROR,
            Severity.WARNING,
            Severity.ERROR,
        )
    ]
    assert counted(found, "a.tfp") == "2 errors, 1 warning, 1 note in a.tfp"
    assert counted([], "a.tfp") == "a.tfp: no problems"
