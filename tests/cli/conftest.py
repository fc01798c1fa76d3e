"""Commands in this process, and `tfpc` in one of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tfpc.cli.main import group

SPECS = Path(__file__).parents[2] / "specs"


@pytest.fixture
def digits() -> str:
    """The path of a spec that has no errors."""
    return str(SPECS / "digits.tfp")


@pytest.fixture
def buffered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has processes write when their buffer is full, whatever is set here."""
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)


@pytest.fixture
def tfpc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Runs a command in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str, stdin: str | bytes | None = None) -> Result:
        result = CliRunner().invoke(group, arguments, input=stdin)
        if result.exception is not None and not isinstance(
            result.exception, SystemExit
        ):
            raise result.exception
        return result

    return call


@pytest.fixture
def process(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs `tfpc` as a user does; first comes Python that is run before it."""

    def call(
        before: str, *arguments: str, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        code = f"{before}\nfrom tfpc.cli import main\nmain()"
        return subprocess.run(
            [sys.executable, "-c", code, *arguments],
            cwd=tmp_path,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    return call
