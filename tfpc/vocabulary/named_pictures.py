"""Finds the picture that a table means by a name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence


class Named:
    """Pictures by how a table may name them: path or name, with or without suffix.

    paths: as seen from the top of all pictures, with `/`.
    """

    def __init__(self, paths: Sequence[str]) -> None:
        self.paths = paths
        self.levels: list[dict[str, list[int]]] = [defaultdict(list) for _ in range(4)]
        for number, path in enumerate(paths):
            name = path.rpartition("/")[2]
            keys = (path, path.rpartition(".")[0], name, name.rpartition(".")[0])
            for level, key in zip(self.levels, keys, strict=True):
                level[key].append(number)

    def find(self, name: str) -> list[int]:
        """The pictures that are meant."""
        key = name.replace("\\", "/").removeprefix("./")
        return next((level[key] for level in self.levels if key in level), [])
