"""Options and fixtures that all tests share."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-goldens",
        action="store_true",
        help="write what the tests produce into their golden files",
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Fast tests first, then those that start TensorFlow, the slow ones last."""
    items.sort(key=_rank)  # stable: files keep their order within a rank


def _rank(item: pytest.Item) -> int:
    if item.get_closest_marker("slow"):
        return 2
    return 1 if item.get_closest_marker("tensorflow") else 0


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Compares a text with a file, or writes it there with --update-goldens."""
    update = request.config.getoption("--update-goldens")

    def compare(path: Path, text: str) -> None:
        if update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
            return
        assert path.exists(), f"{path} is missing; write it with --update-goldens"
        expected = path.read_text(encoding="utf-8")
        difference = difflib.unified_diff(
            expected.splitlines(), text.splitlines(), str(path), "now", lineterm=""
        )
        assert text == expected, "\n".join(difference)

    return compare
