"""Reads the first rows of a CSV file: names of its columns, and what they hold."""

from __future__ import annotations

import csv
import keyword
import pathlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from tfpc.vocabulary.schema import (
    Float32Field,
    Int64Field,
    SchemaField,
    StringField,
)
from tfpc.vocabulary.word import Mismatch

ROWS = 1000


@dataclass(frozen=True, slots=True)
class Sample:
    """columns: their names in order; rows: the first ones, each with its line; absent:
    what stands for a missing field.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    absent: frozenset[str]

    def column(self, key: str) -> list[tuple[int, str]]:
        """(line, text) of each field of a column that is not missing."""
        at = self.columns.index(key)
        return [
            (line, row[at]) for line, row in self.rows if row[at] not in self.absent
        ]

    def texts_of(self, key: str) -> tuple[str, ...]:
        """The texts of a column, sorted."""
        return tuple(sorted({text for _, text in self.column(key)}))

    def schema(self) -> dict[str, SchemaField]:
        """A field for each column, by what the rows hold."""
        fields: dict[str, SchemaField] = {}
        for key in self.columns:
            name = usable_name(key, fields)
            texts = [text for _, text in self.column(key)]
            cls: type[SchemaField] = StringField
            if texts and all(map(is_whole, texts)):
                cls = Int64Field
            elif texts and all(map(is_number, texts)):
                cls = Float32Field
            fields[name] = cls(key=None if name == key else key)
        return fields

    def contradiction(self, name: str, field: SchemaField) -> Mismatch | None:
        """A row that does not fit what the schema says."""
        if isinstance(field, StringField):
            return self.unknown_value(name, field) if field.values else None
        return self.no_number(name, field) or self.gap(name, field)

    def unknown_value(self, name: str, field: StringField) -> Mismatch | None:
        """A text that is none of a label's classes."""
        known = {text for texts in field.spellings for text in texts}
        for line, text in self.column(field.key or name):
            if text not in known:
                return Mismatch(
                    f'`{name}` is "{text}" in line {line}, which is none of its values',
                    "not in `values`",
                    fix=f'add "{text}" to `values`, or beside another text of its class: '
                    f'`[["{field.spellings[0][0]}", "{text}"], ...]`',
                )
        return None

    def no_number(self, name: str, field: SchemaField) -> Mismatch | None:
        """A text that should be a number."""
        whole = isinstance(field, Int64Field)
        for line, text in self.column(field.key or name):
            if not (is_whole(text) if whole else is_number(text)):
                what = "whole number" if whole else "number"
                return Mismatch(
                    f'`{name}` is {field.word} in the schema, but "{text}" in line {line}',
                    f"no {what}",
                    fix=f"write `{name} = string`; if it stands for a missing value, "
                    f'`missing = "{text}"` in `csv`',
                )
        return None

    def gap(self, name: str, field: SchemaField) -> Mismatch | None:
        """A number that is missing, and has nothing in its place."""
        if getattr(field, "default", None) is not None:
            return None
        at = self.columns.index(field.key or name)
        for line, row in self.rows:
            if row[at] in self.absent:
                return Mismatch(
                    f"`{name}` has no value in line {line}",
                    f'"{row[at]}" there' if row[at] else "an empty field there",
                    "a number that is missing has to become some number.",
                    f"say which one in `schema {{ }}`: `{name} = {field.word}(default = 0)`",
                )
        return None


def rows_in(
    path: pathlib.Path, delimiter: str
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """(line, fields without blanks around them) of each row; empty lines are none.

    Raises OSError, and ValueError that says what is wrong.
    """
    try:
        with open(path, encoding="utf-8-sig", newline="") as stream:
            reader = csv.reader(
                stream, delimiter=delimiter, skipinitialspace=True, strict=True
            )
            for row in reader:
                texts = tuple(text.strip() for text in row)
                if texts and texts != ("",):
                    yield reader.line_num, texts
    except UnicodeDecodeError as error:
        raise ValueError("it is not text in UTF-8") from error
    except csv.Error as error:
        raise ValueError(f"line {reader.line_num}: {error}") from error


def read_sample(
    path: pathlib.Path,
    columns: Sequence[str] | None,
    delimiter: str,
    absent: Sequence[str],
    *,
    header: bool,
) -> Sample:
    """The first rows. Raises OSError, and ValueError that says what is wrong."""
    rows = list(islice(rows_in(path, delimiter), ROWS + 1))
    if header and rows:
        (_, first), *rows = rows
        names = tuple(columns or first)
    else:
        names = tuple(columns or ())
    if not rows:
        raise ValueError("it has no rows")
    check_names(names)
    for line, texts in rows:
        if len(texts) != len(names):
            raise ValueError(
                f"line {line} has {len(texts)} fields, there are {len(names)} columns"
            )
    return Sample(names, tuple(islice(rows, ROWS)), frozenset(("", *absent)))


def check_names(names: Sequence[str]) -> None:
    """Raises ValueError if a column can't be told from another."""
    for name in names:
        if not name:
            raise ValueError("a column has no name in the first row")
        if names.count(name) > 1:
            raise ValueError(f'two columns are named "{name}"')


def usable_name(key: str, taken: dict[str, SchemaField]) -> str:
    """A column's name as one writes it in a spec."""
    name = re.sub(r"\W+", "_", key.strip(), flags=re.ASCII).strip("_") or "column"
    if name[0].isdigit() or keyword.iskeyword(name):
        name = f"column_{name}"
    number, free = 2, name
    while free in taken:
        free = f"{name}_{number}"
        number += 1
    return free


def is_whole(text: str) -> bool:
    """Whether a text is a whole number."""
    try:
        return -(2**63) <= int(text) < 2**63
    except ValueError:
        return False


def is_number(text: str) -> bool:
    """Whether a text is a finite number."""
    try:
        return abs(float(text)) < float("inf")
    except ValueError:
        return False
