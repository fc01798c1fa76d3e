"""`--profile` for every command that reads a spec, and imports in a run folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Tfpc = Callable[..., Result]

PROFILES = """
profile smoke {
  train.epochs = 3
}

profile tiny {
  data.digits.limit = 64
  train.epochs = 2
}
"""


@pytest.fixture
def spec(tmp_path: Path, digits: str) -> str:
    """The digits with two profiles, in the current folder."""
    text = Path(digits).read_text(encoding="utf-8")
    (tmp_path / "data").symlink_to(Path(digits).parent / "data")
    (tmp_path / "profiled.tfp").write_text(text + PROFILES, encoding="utf-8")
    return "profiled.tfp"


@pytest.mark.parametrize(
    ("flags", "epochs"),
    [
        ((), 15),
        (("--profile", "smoke"), 3),
        (("--profile", "smoke", "--profile", "tiny"), 2),
        (("--set", "train.epochs=9", "--profile", "smoke"), 9),
    ],
)
def test_the_plan_and_the_program_follow(
    tfpc: Tfpc, spec: str, flags: tuple[str, ...], epochs: int
) -> None:
    planned = tfpc("plan", spec, "--json", *flags)
    assert json.loads(planned.stdout)["train"]["epochs"] == epochs
    assert f"EPOCHS = {epochs}\n" in tfpc("emit", spec, *flags).stdout


@pytest.mark.parametrize("command", ["lint", "plan", "emit", "run"])
def test_a_profile_that_is_not_there(tfpc: Tfpc, spec: str, command: str) -> None:
    result = tfpc(command, spec, "--profile", "smok")
    assert result.exit_code == 1
    assert "no profile named `smok`" in result.output
    assert "did you mean `smoke`?" in result.output


def test_a_profile_that_is_not_used_is_checked(tfpc: Tfpc, tmp_path: Path) -> None:
    (tmp_path / "x.tfp").write_text("profile smoke {\n  train.epochs = 1\n}\n")
    result = tfpc("lint", "x.tfp")
    assert result.exit_code == 1
    assert "x.tfp:2:3" in result.stdout
