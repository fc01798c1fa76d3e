"""Labels of pictures that stand in a table, a row for each picture."""

from __future__ import annotations

import collections
import dataclasses
import pathlib
from collections.abc import Sequence

from tfpc.program.failures import InputError
from tfpc.program.tables import rows_of, wrong_row


@dataclasses.dataclass(frozen=True)
class LabelsInTable:
    """path: the table; file, label: its columns, by default the first two.

    names: of the columns, None if the first row has them; header: whether there is such
    a row; partial: whether rows of pictures that are not there are passed over.
    """

    path: pathlib.Path
    file: str | None = None
    label: str | None = None
    names: Sequence[str] | None = None
    header: bool = False
    delimiter: str = ","
    partial: bool = False

    def of_pictures(self, paths: list[str], place: str) -> list[str]:
        """The label of each picture. Raises InputError that names the row."""
        table = str(self.path)
        named = NamedPictures(paths)
        labels: dict[int, str] = {}
        for line, name, label in self.rows(place):
            found = named.find(name)
            if not found and self.partial:
                continue
            if len(found) != 1:
                what = "several pictures" if found else "a picture that is not there"
                raise wrong_row(table, line, place, f"names {what}: {name!r}")
            if labels.setdefault(found[0], label) != label:
                said = f"has another label for {name!r} than a row above it"
                raise wrong_row(table, line, place, said)
        lacking = [path for number, path in enumerate(paths) if number not in labels]
        if lacking:
            said = f"{table} has no row for {len(lacking)} pictures: {lacking[0]}, ..."
            raise InputError(said, place, table)
        return [labels[number] for number in range(len(paths))]

    def rows(self, place: str) -> list[tuple[int, str, str]]:
        """(line, picture, label) of each row. Raises InputError."""
        table = str(self.path)
        rows = list(rows_of(table, place, self.delimiter))
        names = self.names
        if self.header and rows:
            (_, first), *rows = rows
            names = names or first
        if not rows:
            raise InputError(f"there is no row in {table}", place, table)
        at = self.places(names, len(rows[0][1]), place)
        found = []
        for line, texts in rows:
            if len(texts) != len(names or rows[0][1]):
                said = f"has {len(texts)} fields instead of {len(names or rows[0][1])}"
                raise wrong_row(table, line, place, said)
            name, label = texts[at[0]], texts[at[1]]
            if not name or not label:
                said = f"has no {'label' if name else 'picture'}"
                raise wrong_row(table, line, place, said)
            found.append((line, name, label))
        return found

    def places(
        self, names: Sequence[str] | None, width: int, place: str
    ) -> tuple[int, int]:
        """Where the picture and the label stand in a row. Raises InputError."""
        columns = list(names or [""] * width)
        wanted = [name for name in (self.file, self.label) if name is not None]
        if any(columns.count(name) != 1 for name in wanted) or len(columns) < 2:
            said = f"{self.path} needs the columns {wanted}, and has {columns}"
            raise InputError(said, place, str(self.path))
        free = [at for at, name in enumerate(columns) if name not in wanted]
        file = free.pop(0) if self.file is None else columns.index(self.file)
        return file, free[0] if self.label is None else columns.index(self.label)


class NamedPictures:
    """Pictures by how a table may name them: path or name, with or without suffix.

    paths: as seen from the top of all pictures, with `/`.
    """

    def __init__(self, paths: Sequence[str]) -> None:
        self.levels: list[dict[str, list[int]]] = [
            collections.defaultdict(list) for _ in range(4)
        ]
        for number, path in enumerate(paths):
            name = path.rpartition("/")[2]
            keys = (path, path.rpartition(".")[0], name, name.rpartition(".")[0])
            for level, key in zip(self.levels, keys, strict=True):
                level[key].append(number)

    def find(self, name: str) -> list[int]:
        """The pictures that are meant."""
        key = name.replace("\\", "/").removeprefix("./")
        return next((level[key] for level in self.levels if key in level), [])
