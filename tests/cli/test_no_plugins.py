"""Commands look for no plugins of pydantic, and leave its switch to the user."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

CODE = """
import sys
import tfpc.cli
from tfpc.vocabulary.dense import Dense
assert Dense.model_validate({"units": 3}).units == 3
print("importlib.metadata" in sys.modules)
"""


@pytest.mark.parametrize(("switch", "looked"), [(None, "False"), ("nothing", "True")])
def test_the_switch(switch: str | None, looked: str) -> None:
    environment = dict(os.environ)
    environment.pop("PYDANTIC_DISABLE_PLUGINS", None)
    if switch is not None:
        environment["PYDANTIC_DISABLE_PLUGINS"] = switch
    done = subprocess.run(
        [sys.executable, "-c", CODE],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == looked
