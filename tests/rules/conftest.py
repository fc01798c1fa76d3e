"""The data that the examples of rules look at."""

from __future__ import annotations

import pytest


@pytest.fixture
def pictures(tmp_path):
    """A folder of ten pictures in two classes; rules look at names only."""
    for name in ("one", "two"):
        folder = tmp_path / "ten_pictures" / name
        folder.mkdir(parents=True)
        for number in range(5):
            (folder / f"{number}.png").write_bytes(b"")
    return tmp_path
