"""A table in a text file that says the label of each picture."""

from __future__ import annotations

import pathlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, TypeAlias

from pydantic import Field

from tfpc.diagnostics.suggestion import did_you_mean
from tfpc.types.fragment import Fragment, Operation, call
from tfpc.types.fragment import Literal as Text
from tfpc.vocabulary.csv_sample import rows_in
from tfpc.vocabulary.labelling import Labelling, Labels
from tfpc.vocabulary.named_pictures import Named
from tfpc.vocabulary.picture_files import first_of, some_of
from tfpc.vocabulary.word import Mismatch

Row: TypeAlias = tuple[int, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of the table: its line, the picture that it names, the label."""

    line: int
    file: str
    label: str


class LabelTable(Labelling):
    """The label of a picture stands in a table, a row for each picture.

    The table is a text file, relative to the spec's folder, whose first row names the
    columns, as for `csv` as a source. A picture is named by its path below the folder
    of pictures or by its file's name alone, with or without the suffix. Each picture
    needs a row, and each row a picture, unless `partial` says that the table is one of
    other pictures too. Blanks around fields and empty lines do not count.

    Classes are numbered by their names, in order; names that are all whole numbers in
    the order of numbers.
    """

    word: ClassVar[str] = "csv"
    example: ClassVar[str] = 'labels = csv("labels.csv", file = "image")'
    positional: ClassVar[tuple[str, ...]] = ("table",)
    fix_classes: ClassVar[str] = "write the classes alike in both"
    table: str = Field(
        min_length=1, description="the table, relative to the spec's folder"
    )
    file: str | None = Field(
        None,
        min_length=1,
        description="the column that names the picture (default: the first one)",
    )
    label: str | None = Field(
        None,
        min_length=1,
        description="the column that holds the label (default: the first other one)",
    )
    header: bool | None = Field(
        None,
        description="whether the first row names the columns (default: unless "
        "`columns` does)",
    )
    columns: tuple[str, ...] | None = Field(
        None, min_length=2, description="the names of the columns, in their order"
    )
    delimiter: Annotated[str, Field(min_length=1, max_length=1)] = Field(
        ",", description="what stands between fields"
    )
    partial: bool = Field(
        False, description="whether rows of pictures that are not there are passed over"
    )

    @property
    def has_header(self) -> bool:
        """Whether the first row is no picture."""
        return self.columns is None if self.header is None else self.header

    def find(self, folder: pathlib.Path, pictures: Sequence[str]) -> Labels | Mismatch:
        """Reads the table and looks for each picture."""
        try:
            rows = list(rows_in(folder / self.table, self.delimiter))
        except FileNotFoundError:
            return Mismatch(
                f'there is no file "{self.table}"',
                "not found",
                f"it was looked for below {folder.absolute()}: paths in a spec are "
                "relative to the spec's own folder.",
                "put the table there, or write the path that it has",
                argument="labels",
            )
        except (OSError, ValueError) as error:
            return self.wrong(f"can't be read as a table: {error}", "a row a picture")
        entries = self.entries(rows)
        if isinstance(entries, Mismatch):
            return entries
        known = Named(pictures)
        assigned = self.assigned(entries, known)
        if isinstance(assigned, Mismatch):
            return assigned
        return self.lacking(assigned, known, rows[0][1]) or of_rows(assigned)

    def wrong(self, what: str, label: str, why: str = "", fix: str = "") -> Mismatch:
        """Something about the table."""
        return Mismatch(
            f'"{self.table}" {what}',
            label,
            why,
            fix or "mend the table, or name another one",
            argument="labels",
        )

    def entries(self, rows: list[Row]) -> list[Entry] | Mismatch:
        """The rows by their columns."""
        names: Sequence[str] = self.columns or ()
        if self.has_header and rows:
            (_, first), *rows = rows
            names = self.columns or first
        if not rows:
            return self.wrong("has no rows", "a row for each picture is needed")
        if not names:
            names = [f"column {number}" for number in range(1, len(rows[0][1]) + 1)]
        at = self.places(names)
        if isinstance(at, Mismatch):
            return at
        found = []
        for line, texts in rows:
            if len(texts) != len(names):
                said = f"{len(texts)} fields, and there are {len(names)} columns"
                return self.wrong(f"has a wrong row: line {line}", said)
            entry = Entry(line, texts[at[0]], texts[at[1]])
            if not entry.file or not entry.label:
                lacking = "label" if entry.file else "picture"
                said = f"has no {lacking} in line {line}"
                return self.wrong(said, "an empty field there")
            found.append(entry)
        return found

    def places(self, names: Sequence[str]) -> tuple[int, int] | Mismatch:
        """Where the picture and the label stand in a row."""
        listed = ", ".join(f'"{name}"' for name in names)
        for key in (self.file, self.label):
            if key is not None and names.count(key) != 1:
                many = f'has several columns "{key}"'
                return self.wrong(
                    f'has no column "{key}"' if key not in names else many,
                    f"its columns are {listed}",
                    fix=did_you_mean(key, names) or "write the name of a column",
                )
        taken = [names.index(key) for key in (self.file, self.label) if key is not None]
        free = [at for at in range(len(names)) if at not in taken]
        if len(set(taken)) < len(taken):
            said = "takes one column for both"
            fix = "name two columns: `file` and `label`"
            return self.wrong(said, "the picture and its label", fix=fix)
        if len(taken) + len(free) < 2:
            return self.wrong(
                "has one column only",
                f"its columns are {listed}",
                "one names the picture, and another one holds its label.",
                'say what stands between fields: `csv("...", delimiter = ";")`',
            )
        file = free.pop(0) if self.file is None else names.index(self.file)
        return file, free[0] if self.label is None else names.index(self.label)

    def assigned(
        self, entries: list[Entry], known: Named
    ) -> dict[int, Entry] | Mismatch:
        """The row of each picture that has one, by the picture's number."""
        rows: dict[int, Entry] = {}
        absent: list[Entry] = []
        for entry in entries:
            found = known.find(entry.file)
            if not found:
                absent.append(entry)
                continue
            if len(found) > 1:
                return self.wrong(
                    f'means several pictures by "{entry.file}" in line {entry.line}',
                    some_of([known.paths[number] for number in found]),
                    fix="write the paths there, seen from the folder of the pictures",
                )
            earlier = rows.setdefault(found[0], entry)
            if earlier.label != entry.label:
                return self.wrong(
                    f'has two labels for "{known.paths[found[0]]}"',
                    f'"{earlier.label}" in line {earlier.line}, '
                    f'"{entry.label}" in line {entry.line}',
                )
        if absent and not self.partial:
            return self.without_picture(absent, rows)
        return rows

    def without_picture(self, absent: list[Entry], rows: dict[int, Entry]) -> Mismatch:
        """Rows of pictures that are not there."""
        many = "1 picture that is" if len(absent) == 1 else f"{len(absent):,} that are"
        some = first_of([f'"{each.file}" in line {each.line}' for each in absent])
        fix = "take these rows out; if they are of pictures elsewhere, say so: "
        if not rows:
            fix = "name another column as `file`, or the folder that they are in; else "
        return self.wrong(
            f"names {many} not there",
            some,
            "a row without a picture is often a name that is written in another way.",
            f'{fix}`csv("{self.table}", partial = true)`',
        )

    def lacking(
        self, rows: dict[int, Entry], known: Named, first: Sequence[str]
    ) -> Mismatch | None:
        """Pictures without a row. first: the first row of the file."""
        paths = [path for number, path in enumerate(known.paths) if number not in rows]
        if not paths:
            return None
        fix = "add rows for them, or move these files away"
        named = [known.paths[at] for text in first for at in known.find(text)]
        if self.has_header and set(named) & set(paths):
            fix = (
                "the first row is one of them and names no columns: write "
                f'`csv("{self.table}", header = false)`'
            )
        return self.wrong(
            f"has no row for {len(paths):,} of {len(known.paths):,} pictures",
            some_of(paths),
            fix=fix,
        )

    def code(self, root: Fragment) -> Fragment:
        """`LabelsInTable(root / "labels.csv", file="image")`."""
        given: dict[str, object] = {}
        for name in ("file", "label"):
            if getattr(self, name) is not None:
                given[name] = getattr(self, name)
        if self.columns is not None:
            given["names"] = list(self.columns)
        if self.has_header:
            given["header"] = True
        if self.delimiter != ",":
            given["delimiter"] = self.delimiter
        if self.partial:
            given["partial"] = True
        return call("LabelsInTable", Operation("/", root, Text(self.table)), **given)


def of_rows(rows: dict[int, Entry]) -> Labels:
    """The labels of all pictures, each of which has a row."""
    entries = [rows[number] for number in sorted(rows)]
    return Labels(
        tuple(entry.label for entry in entries),
        tuple(f'"{entry.file}" in line {entry.line}' for entry in entries),
    )
