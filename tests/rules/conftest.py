"""The data that the examples of rules look at."""

from __future__ import annotations

import pytest

from tfpc.rules.registry import RULES

MEMORY = 16 << 30


@pytest.fixture(autouse=True)
def machine(monkeypatch):
    """A machine of 16 GiB, whatever the tests run on; gives what changes that."""

    def of(size):
        monkeypatch.setattr("tfpc.rules.footprint.usable_memory", lambda: size)

    of(MEMORY)
    return of


@pytest.fixture
def pictures(tmp_path):
    """A folder of ten pictures in two classes; rules look at names only."""
    for name in ("one", "two"):
        folder = tmp_path / "ten_pictures" / name
        folder.mkdir(parents=True)
        for number in range(5):
            (folder / f"{number}.png").write_bytes(b"")
    for rule in RULES:
        for name, text in rule.files.items():
            (tmp_path / name).write_text(text)
    return tmp_path
