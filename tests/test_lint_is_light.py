"""Lint, plan and emit never start TensorFlow, nor what a user's folder holds."""

from __future__ import annotations

import pathlib
import subprocess
import sys

import pytest

DIGITS = pathlib.Path(__file__).parents[1] / "specs" / "digits.tfp"
PROBE = """
import sys
from tfpc.cli.main import main
sys.argv = ["tfpc", *{arguments!r}]
try:
    main()
except SystemExit as end:
    assert end.code in (0, None), end.code
heavy = {{"tensorflow", "keras", "numpy", "rich", "tensorboard", "jax", "torch"}}
print("loaded:", sorted(heavy & set(sys.modules)), file=sys.stderr)
"""


@pytest.mark.parametrize("command", ["lint", "plan", "emit"])
def test_nothing_heavy_is_imported(command, tmp_path):
    (tmp_path / "tensorflow.py").write_text("open('was_imported', 'w')\n")
    program = PROBE.format(arguments=[command, str(DIGITS)])
    result = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert result.stderr.strip().endswith("loaded: []")
    assert not (tmp_path / "was_imported").exists()
