"""`tfrecord`: records of `tf.train.Example` in files."""

from __future__ import annotations

import glob
import pathlib
import zlib
from collections.abc import Mapping
from typing import ClassVar

from pydantic import Field

from tfpc.types.element import Element
from tfpc.types.facts import SourceFacts
from tfpc.types.fragment import Fragment, call
from tfpc.types.tensor import Content, Tensor
from tfpc.vocabulary.example_proto import Feature, features_of, first_record
from tfpc.vocabulary.schema import (
    Float32Field,
    Int64Field,
    SchemaField,
    StringField,
)
from tfpc.vocabulary.source import Opening, Probe, Source
from tfpc.vocabulary.word import Mismatch

KINDS = {"string": StringField, "int64": Int64Field, "float32": Float32Field}
DEFAULTS = {"string": '""', "int64": "0", "float32": "0"}
PICTURES = (b"\xff\xd8\xff", b"\x89PNG", b"GIF8", b"BM", b"RIFF")


class TfRecord(Source):
    """Records of `tf.train.Example` in the files that match a pattern.

    Fields are named in `schema { }`, or taken from the first record. How many there
    are is counted when the program starts, by the headers of the records.
    """

    word: ClassVar[str] = "tfrecord"
    example: ClassVar[str] = 'tfrecord("data/train-*.tfrecord")'
    positional: ClassVar[tuple[str, ...]] = ("files",)
    random_access: ClassVar[bool] = False
    opened: ClassVar[str] = "Records"
    files: str = Field(
        min_length=1, description="a path or pattern, relative to the spec's folder"
    )

    def probe(
        self,
        folder: pathlib.Path,
        schema: Mapping[str, SchemaField] | None,
        label: str,
    ) -> Probe | Mismatch:
        """Reads the first record of the first file."""
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
            record = first_record(folder / found[0])
            features = features_of(record)
            sizes = [(folder / name).stat().st_size for name in found]
        except (OSError, EOFError, ValueError, zlib.error) as error:
            return Mismatch(
                f'"{found[0]}" can\'t be read as TFRecords of tf.train.Example',
                str(error),
                fix="name files that hold TFRecords, plain or compressed by gzip or zlib",
                argument="files",
            )
        facts = SourceFacts(record_bytes=len(record), file_bytes=sum(sizes))
        return self.typed(features, schema, label, facts)

    def typed(
        self,
        features: Mapping[str, Feature],
        schema: Mapping[str, SchemaField] | None,
        label: str,
        facts: SourceFacts,
    ) -> Probe | Mismatch:
        """The type of an example by its schema, compared with the first record."""
        if schema is None:
            schema = {
                name: KINDS[feature.kind](
                    shape=() if feature.size == 1 else (feature.size,)
                )
                for name, feature in sorted(features.items())
                if feature.kind and feature.size and name.isidentifier()
            }
        if not schema:
            near = ", ".join(f'"{key}"' for key in sorted(features))
            return Mismatch(
                "the records have no feature whose name could be used as it is",
                f"the first record has {near}",
                fix='name the fields in `schema { }`: `image = string(key = "...")`',
            )
        components = []
        for name, field in schema.items():
            feature = features.get(field.key or name)
            if feature is None and field_default(field) is None:
                near = ", ".join(f'"{key}"' for key in sorted(features))
                return Mismatch(
                    f'the records have no feature "{field.key or name}"',
                    f"named in the schema by `{name}`",
                    f"the first record has {near}.",
                    f"write the feature's name: `{name} = {field.word}(key = ...)`, or "
                    f"what stands for it where it is absent: `{name} = {field.word}("
                    f"default = {DEFAULTS[field.word]})`",
                )
            if isinstance(field, StringField) and field.values:
                return Mismatch(
                    f"`{name}` has `values`, and a record's label is a number",
                    fix=f"remove `values`, and write `{name} = int64(classes = "
                    f"{len(field.values)})`",
                )
            if feature is not None and feature.kind and feature.kind != field.word:
                return Mismatch(
                    f"`{name}` is {field.word} in the schema, {feature.kind} in the files",
                    f"the first record holds {feature.kind}",
                    fix=f"write `{name} = {feature.kind}`",
                )
            components.append((name, typed_field(name, field, feature, label)))
        return Probe(Element(tuple(components)), facts, schema)

    def blind(
        self, schema: Mapping[str, SchemaField] | None, label: str
    ) -> Probe | Mismatch:
        """What the schema says."""
        if schema is None:
            return Mismatch(
                "the fields of these records are not known without looking at them",
                fix="name them in `schema { }`, or let tfpc look at the data",
            )
        fields = [
            (name, typed_field(name, field, None, label))
            for name, field in schema.items()
        ]
        return Probe(Element(tuple(fields)), SourceFacts(), schema)

    def code(self, root: Fragment, place: str, opening: Opening) -> Fragment:
        """Finds the files and counts their records."""
        return call("tfrecord", root, self.files, place)


def field_default(field: SchemaField) -> str | float | None:
    """What stands for a field where it is absent, None if it must be there."""
    default: str | float | None = getattr(field, "default", None)
    return default


def typed_field(
    name: str, field: SchemaField, feature: Feature | None, label: str
) -> Tensor:
    """The type of a field; text counts as a picture unless its bytes say otherwise."""
    if isinstance(field, StringField) and not field.shape:
        is_text = feature is None and field.default is not None
        is_picture = not is_text and (
            feature is None or feature.first.startswith(PICTURES)
        )
        content = Content.ENCODED_IMAGE if is_picture else Content.OTHER
        return Tensor("string", (), content)
    classes = field.classes if isinstance(field, Int64Field) else None
    low, high = (None, None) if classes is None else (0, classes - 1)
    if name != label:
        return Tensor(field.word, field.shape, low=low, high=high)
    return Tensor(field.word, field.shape, Content.LABEL, low, high, classes)
