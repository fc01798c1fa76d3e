"""`csv`: rows of a table in text files."""

from __future__ import annotations

import glob
import pathlib
from collections.abc import Mapping
from typing import Annotated, ClassVar

from pydantic import Field

from tfpc.diagnostics.suggestion import did_you_mean
from tfpc.types.element import Element
from tfpc.types.facts import SourceFacts
from tfpc.types.fragment import Fragment, call
from tfpc.types.fragment import Mapping as Entries
from tfpc.types.tensor import Content, Tensor
from tfpc.vocabulary.csv_sample import Sample, read_sample
from tfpc.vocabulary.schema import Int64Field, SchemaField, StringField
from tfpc.vocabulary.source import Opening, Probe, Source
from tfpc.vocabulary.word import Mismatch


class Csv(Source):
    """Rows of a table in the text files that match a pattern, read once into memory.

    The first row names the columns unless `columns` does. Which of them are used, and
    as what, is said in `schema { }`, or taken from the first rows: whole numbers,
    numbers, else text. Blanks around fields and empty lines do not count. An empty
    field, or one that is `missing`, is the field's `default`; that of text is `""`.
    """

    word: ClassVar[str] = "csv"
    example: ClassVar[str] = 'csv("data/train.csv")'
    positional: ClassVar[tuple[str, ...]] = ("files",)
    in_memory: ClassVar[bool] = True
    opened: ClassVar[str] = "Table"
    files: str = Field(
        min_length=1, description="a path or pattern, relative to the spec's folder"
    )
    header: bool | None = Field(
        None,
        description="whether the first row names the columns (default: unless "
        "`columns` does)",
    )
    columns: tuple[str, ...] | None = Field(
        None, min_length=1, description="the names of the columns, in their order"
    )
    missing: str | tuple[str, ...] = Field(
        (), description="what stands for a missing field, besides nothing"
    )
    delimiter: Annotated[str, Field(min_length=1, max_length=1)] = Field(
        ",", description="what stands between fields"
    )

    @property
    def fix_classes(self) -> str:
        """What to do if a split has other classes than train."""
        return (
            "say which texts are one class, in `schema { }`: "
            '`label = string(values = [["no", "no."], ["yes", "yes."]])`'
        )

    @property
    def has_header(self) -> bool:
        """Whether the first row is no example."""
        return self.columns is None if self.header is None else self.header

    @property
    def absent(self) -> tuple[str, ...]:
        """What stands for a missing field."""
        return (self.missing,) if isinstance(self.missing, str) else self.missing

    def probe(
        self,
        folder: pathlib.Path,
        schema: Mapping[str, SchemaField] | None,
        label: str,
    ) -> Probe | Mismatch:
        """Reads the first rows of the first file."""
        unnamed = self.unnamed()
        if unnamed is not None:
            return unnamed
        found = sorted(glob.glob(self.files, root_dir=folder, recursive=True))
        found = [name for name in found if (folder / name).is_file()]
        if not found:
            return Mismatch(
                f'no file matches "{self.files}"',
                "nothing there",
                f"it was looked for below {folder.absolute()}: paths in a spec are "
                "relative to the spec's own folder.",
                "put the files there, or write the path that they have",
                argument="files",
            )
        try:
            sample = read_sample(
                folder / found[0],
                self.columns,
                self.delimiter,
                self.absent,
                header=self.has_header,
            )
        except (OSError, ValueError) as error:
            return Mismatch(
                f'"{found[0]}" can\'t be read as a table',
                str(error),
                fix="name files of text with a row a line, and say what is special "
                'about them: `csv("...", delimiter = ";", columns = ["age", ...])`',
                argument="files",
            )
        fields = schema if schema is not None else sample.schema()
        wrong = self.unlike(fields, sample)
        return wrong or typed(fields, sample, label)

    def unnamed(self) -> Mismatch | None:
        """Why no column has a name, or two have the same."""
        if self.header is False and self.columns is None:
            return Mismatch(
                "`header = false` leaves the columns without names",
                fix='name them: `columns = ["age", "income"]`',
                argument="header",
            )
        twice = [name for name in self.columns or () if self.columns_named(name) > 1]
        if twice:
            return Mismatch(
                f'two columns are named "{twice[0]}"',
                fix="give each a name of its own",
                argument="columns",
            )
        return None

    def columns_named(self, name: str) -> int:
        """How many columns have a name."""
        return (self.columns or ()).count(name)

    def unlike(
        self, fields: Mapping[str, SchemaField], sample: Sample
    ) -> Mismatch | None:
        """What the schema says that the first rows contradict."""
        for name, field in fields.items():
            key = field.key or name
            if key not in sample.columns:
                near = did_you_mean(key, sample.columns)
                listed = ", ".join(f'"{column}"' for column in sample.columns)
                return Mismatch(
                    f'the table has no column "{key}"',
                    f"named in the schema by `{name}`",
                    f"its columns are {listed}.",
                    near or f"write its name: `{name} = {field.word}(key = ...)`",
                )
            if field.shape:
                return Mismatch(
                    f"`{name}` is said to be a list, and a column has one value a row",
                    f"`{field.word}{list(field.shape)}` in the schema",
                    fix=f"write `{name} = {field.word}`",
                )
            wrong = sample.contradiction(name, field)
            if wrong is not None:
                return wrong
        return None

    def blind(
        self, schema: Mapping[str, SchemaField] | None, label: str
    ) -> Probe | Mismatch:
        """What the schema says."""
        if schema is None:
            return Mismatch(
                "the columns of this table are not known without looking at it",
                fix="name them in `schema { }`, or let tfpc look at the data",
            )
        return self.unnamed() or typed(schema, None, label)

    def code(self, root: Fragment, place: str, opening: Opening) -> Fragment:
        """Reads the table."""
        given: dict[str, object] = {}
        if self.columns is not None:
            given["names"] = list(self.columns)
        if self.has_header:
            given["header"] = True
        if self.absent:
            given["missing"] = list(self.absent)
        if self.delimiter != ",":
            given["delimiter"] = self.delimiter
        if opening.like is not None:
            return call(
                "csv_table", root, self.files, place, **given, like=opening.like
            )
        columns = Entries(
            tuple(
                (name, column_code(name, tensor, opening))
                for name, tensor in opening.element.components
            )
        )
        return call("csv_table", root, self.files, place, **given, columns=columns)


def column_code(name: str, tensor: Tensor, opening: Opening) -> Fragment:
    """`Column("float32", "age")`."""
    field = (opening.fields or {}).get(name)
    given: dict[str, object] = {}
    if tensor.content is Content.LABEL and opening.class_names is not None:
        given["values"] = tuple((each,) for each in opening.class_names)
        if isinstance(field, StringField) and field.values:
            given["values"] = field.spellings
    default = getattr(field, "default", None)
    if default is None and tensor.dtype == "string":
        default = ""
    if default is not None:
        given["default"] = default
    key = name if field is None else field.key or name
    return call("Column", tensor.dtype, key, **given)


def typed(
    fields: Mapping[str, SchemaField], sample: Sample | None, label: str
) -> Probe | Mismatch:
    """The type of an example, and the names of the classes."""
    components: list[tuple[str, Tensor]] = []
    names: tuple[str, ...] | None = None
    for name, field in fields.items():
        if isinstance(field, StringField) and name == label:
            names = tuple(texts[0] for texts in field.spellings)
            if not names and sample is not None:
                names = sample.texts_of(field.key or name)
            if len(names) < 2:
                return Mismatch(
                    f"the classes of the label `{name}` are not known",
                    f"in the first rows it is always {names[0]!r}"
                    if names
                    else "it is text",
                    fix=f'say them in `schema {{ }}`: `{name} = string(values = ["no", "yes"])`',
                )
            count = len(names)
            tensor = Tensor("int64", (), Content.LABEL, 0, count - 1, count)
        else:
            tensor = typed_column(field, is_label=name == label)
        components.append((name, tensor))
    return Probe(Element(tuple(components)), SourceFacts(None, names), fields)


def typed_column(field: SchemaField, *, is_label: bool) -> Tensor:
    """The type of a column that is no text with classes."""
    content = Content.LABEL if is_label else Content.OTHER
    classes = field.classes if isinstance(field, Int64Field) else None
    low, high = (None, None) if classes is None else (0, classes - 1)
    return Tensor(field.word, (), content, low, high, classes if is_label else None)
