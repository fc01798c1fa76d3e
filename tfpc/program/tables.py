"""Tables in text files, a row an example: read once, kept by columns in memory."""

from __future__ import annotations

import csv
import dataclasses
import functools
import glob
import math
import pathlib
from collections.abc import Iterator, Sequence

import numpy as np
import tensorflow as tf

from tfpc.program.failures import InputError

LARGEST_FIELD = 2**31 - 1


@dataclasses.dataclass(frozen=True)
class Column:
    """One column of a table, as a component of the examples.

    dtype: `int64`, `float32` or `string`; key: its name in the file; values: the texts
    of each class, for a label, which is then given as the class's number; default: what
    stands for a missing field, None if none may be missing.
    """

    dtype: str
    key: str
    values: tuple[tuple[str, ...], ...] = ()
    default: str | float | None = None

    @functools.cached_property
    def classes(self) -> dict[str, int]:
        """The class of each text."""
        return {
            text: number for number, texts in enumerate(self.values) for text in texts
        }

    def of_text(self, text: str, *, is_missing: bool) -> str | float:
        """The value of a field. Raises ValueError that says why it has none."""
        if is_missing:
            if self.default is None:
                said = f"{text!r} stands for none" if text else "the field is empty"
                raise ValueError(f"{said}, and the column has no default")
            return self.default
        if self.values:
            if text not in self.classes:
                raise ValueError(f"{text!r} is none of its values")
            return self.classes[text]
        if self.dtype == "string":
            return text
        return whole_number(text) if self.dtype == "int64" else finite_number(text)


def whole_number(text: str) -> int:
    """The number of a text. Raises ValueError if it is none that fits 64 bits."""
    try:
        number = int(text)
    except ValueError:
        raise ValueError(f"{text!r} is no whole number") from None
    if not -(2**63) <= number < 2**63:
        raise ValueError(f"{text!r} does not fit 64 bits")
    return number


def finite_number(text: str) -> float:
    """The number of a text. Raises ValueError if it is none, or not finite."""
    try:
        number = float(text)
    except ValueError:
        raise ValueError(f"{text!r} is no number") from None
    if not math.isfinite(number):
        raise ValueError(f"{text!r} is no finite number")
    return number


@dataclasses.dataclass(frozen=True)
class Table:
    """Rows with a value for each column, read in any order.

    arrays: one a column, [count]; files, lines: of each row, lines counted from one;
    place: the line of the spec.
    """

    columns: dict[str, Column]
    arrays: dict[str, np.ndarray]
    files: np.ndarray
    lines: np.ndarray
    place: str

    @property
    def count(self) -> int:
        """The number of examples."""
        return len(self.lines)

    def select(self, member: np.ndarray) -> Table:
        """Only the examples marked in `member`: bool[count]."""
        arrays = {name: array[member] for name, array in self.arrays.items()}
        return dataclasses.replace(
            self, arrays=arrays, files=self.files[member], lines=self.lines[member]
        )

    @functools.cached_property
    def tensors(self) -> tuple[tf.Tensor, ...]:
        """All columns; outside of any graph, which would hold a copy."""
        with tf.init_scope():
            return tuple(tf.constant(array) for array in self.arrays.values())

    def read(self, index: tf.Tensor) -> tuple[tf.Tensor, ...]:
        """The columns of an example, or of a batch of them."""
        return tuple(tf.gather(column, index) for column in self.tensors)

    def keys(self) -> tf.data.Dataset:
        """(index,) of each example, once."""
        return tf.data.Dataset.from_tensor_slices((np.arange(self.count),))

    def file_of(self, index: int) -> str:
        """Where the example comes from: file and line."""
        return f"{self.files[index]}, line {self.lines[index]}"

    def damaged_file(self) -> tuple[str, str] | None:
        """None: whatever is wrong was found when the files were read."""
        return None


def csv_table(
    folder: pathlib.Path,
    pattern: str,
    place: str,
    *,
    names: Sequence[str] | None = None,
    header: bool = False,
    missing: Sequence[str] = (),
    delimiter: str = ",",
    columns: dict[str, Column] | None = None,
    like: Table | None = None,
) -> Table:
    """The rows of the files that match a pattern, in the order of their names.

    names: of the fields, None if the first row has them; header: whether there is such
    a row; missing: what stands for a missing field, besides nothing; columns: those
    that are used, or those of `like`. Blanks around a field do not count. Raises
    InputError that names the file and the line of what is not as it should be.
    """
    found = glob.glob(pattern, root_dir=folder, recursive=True)
    files = sorted(str(folder / name) for name in found if (folder / name).is_file())
    if not files:
        raise InputError(f"no file matches {str(folder / pattern)!r}", place)
    used = like.columns if columns is None and like is not None else columns or {}
    absent = frozenset(("", *missing))
    rows: list[list[str | float]] = []
    places: list[tuple[str, int]] = []
    for file in files:
        fields: Sequence[str] | None = names
        at: list[int] | None = None
        awaited = header
        for line, texts in rows_of(file, place, delimiter):
            if awaited:
                awaited, fields = False, names or texts
                continue
            if at is None:
                at = positions(fields or (), used, (file, line, place))
            if len(texts) != len(fields or ()):
                said = f"has {len(texts)} fields instead of {len(fields or ())}"
                raise wrong_row(file, line, place, said)
            taken = [texts[position] for position in at]
            rows.append(values_of(taken, used, absent, (file, line, place)))
            places.append((file, line))
    if not rows:
        raise InputError(f"there is no row in {', '.join(files)}", place, files[0])
    arrays = {
        name: as_column([row[number] for row in rows], column.dtype)
        for number, (name, column) in enumerate(used.items())
    }
    of_files = np.array([file for file, _ in places], object)
    lines = np.array([line for _, line in places], np.int64)
    return Table(used, arrays, of_files, lines, place)


def as_column(values: list[str | float], dtype: str) -> np.ndarray:
    """A column's values as one array."""
    return np.array(values, object if dtype == "string" else np.dtype(dtype))


def positions(
    fields: Sequence[str], columns: dict[str, Column], where: tuple[str, int, str]
) -> list[int]:
    """Where each column stands in a row. Raises InputError if it is not there."""
    file, line, place = where
    for column in columns.values():
        if column.key not in fields:
            listed = ", ".join(fields)
            said = f"stands below a header without {column.key!r}: {listed}"
            raise wrong_row(file, line, place, said)
    return [list(fields).index(column.key) for column in columns.values()]


def rows_of(file: str, place: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """(line, fields without blanks around them) of each row; empty lines are none."""
    csv.field_size_limit(LARGEST_FIELD)
    reader = None
    try:
        with open(file, encoding="utf-8-sig", newline="") as stream:
            reader = csv.reader(
                stream, delimiter=delimiter, skipinitialspace=True, strict=True
            )
            for texts in reader:
                stripped = [text.strip() for text in texts]
                if not any(stripped) and len(stripped) < 2:
                    continue
                yield reader.line_num, stripped
    except UnicodeDecodeError as error:
        line = 1 if reader is None else reader.line_num + 1
        raise wrong_row(file, line, place, "is not text in UTF-8") from error
    except csv.Error as error:
        line = 1 if reader is None else reader.line_num
        raise wrong_row(file, line, place, f"can't be read: {error}") from error
    except OSError as error:
        raise InputError(f"{file} can't be read: {error}", place, file) from error


def values_of(
    texts: list[str],
    columns: dict[str, Column],
    absent: frozenset[str],
    where: tuple[str, int, str],
) -> list[str | float]:
    """The values of a row. Raises InputError that names the row and the column."""
    values = []
    for text, (name, column) in zip(texts, columns.items(), strict=True):
        try:
            values.append(column.of_text(text, is_missing=text in absent))
        except ValueError as error:
            file, line, place = where
            said = f"has no value for `{name}`: {error}"
            raise wrong_row(file, line, place, said) from error
    return values


def wrong_row(file: str, line: int, place: str, what: str) -> InputError:
    """A row that is not as it should be."""
    return InputError(f"{file}, line {line} {what}", place, file)
