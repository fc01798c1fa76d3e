"""Reads the first `tf.train.Example` of a TFRecord file without TensorFlow.

Formats: https://www.tensorflow.org/tutorials/load_data/tfrecord (the file) and
https://protobuf.dev/programming-guides/encoding/ (the record).
"""

from __future__ import annotations

import gzip
import io
import pathlib
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

LARGEST_RECORD = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Feature:
    """kind: `string`, `float32`, `int64`, or empty where the list is absent.

    size: the number of values; first: the beginning of the first text, if it is text.
    """

    kind: str
    size: int
    first: bytes = b""


def first_record(path: pathlib.Path) -> bytes:
    """The bytes of the first record. Raises ValueError if this is no TFRecord file."""
    with opened(path) as stream:
        header = stream.read(12)
        if len(header) < 12:
            raise ValueError("it is empty" if not header else "it is cut")
        (length,) = struct.unpack("<Q", header[:8])
        if length > LARGEST_RECORD:
            raise ValueError("its first bytes are no record header")
        record = stream.read(length)
        if len(record) < length:
            raise ValueError("its first record is cut")
        return record


def opened(path: pathlib.Path) -> IO[bytes] | gzip.GzipFile:
    """The records of a file, of what is compressed too. Raises OSError."""
    with open(path, "rb") as stream:
        first = stream.read(2048)
    if first[:3] == b"\x1f\x8b\x08":
        return gzip.open(path)
    if is_zlib(first):
        return io.BytesIO(zlib.decompressobj().decompress(path.read_bytes(), 1 << 20))
    return open(path, "rb")


def is_zlib(first: bytes) -> bool:
    """Whether a file begins as zlib writes it; plain records begin with a length."""
    if len(first) < 12 or first[0] & 0x0F != 8 or (first[0] * 256 + first[1]) % 31:
        return False
    try:
        return len(zlib.decompressobj().decompress(first, 12)) == 12
    except zlib.error:
        return False


def features_of(record: bytes) -> dict[str, Feature]:
    """The features of a record by name. Raises ValueError if it is no Example."""
    features: dict[str, Feature] = {}
    for number, block in fields(record):
        if number != 1 or not isinstance(block, bytes):
            raise ValueError("its records are no tf.train.Example")
        for _, entry in fields(block):
            if not isinstance(entry, bytes):
                raise ValueError("its records are no tf.train.Example")
            parts = dict(fields(entry))
            name, feature = parts.get(1, b""), parts.get(2, b"")
            if not isinstance(name, bytes) or not isinstance(feature, bytes):
                raise ValueError("its records are no tf.train.Example")
            features[name.decode("utf-8")] = feature_of(feature)
    return features


def feature_of(feature: bytes) -> Feature:
    """The kind and size of one feature."""
    for kind, values in fields(feature):
        if not isinstance(values, bytes):
            break
        if kind == 1:
            texts = [text for _, text in fields(values) if isinstance(text, bytes)]
            return Feature("string", len(texts), texts[0][:16] if texts else b"")
        if kind == 2:
            packed = [block for _, block in fields(values)]
            sizes = [len(b) // 4 if isinstance(b, bytes) else 1 for b in packed]
            return Feature("float32", sum(sizes))
        if kind == 3:
            packed = [block for _, block in fields(values)]
            sizes = [count_varints(b) if isinstance(b, bytes) else 1 for b in packed]
            return Feature("int64", sum(sizes))
    return Feature("", 0)


def fields(message: bytes) -> Iterator[tuple[int, bytes | int]]:
    """(field number, value) of a message. Raises ValueError if it is none."""
    position = 0
    while position < len(message):
        tag, position = varint(message, position)
        number, kind = tag >> 3, tag & 7
        if kind == 0:
            value, position = varint(message, position)
            yield number, value
            continue
        if kind == 2:
            size, position = varint(message, position)
        elif kind in (1, 5):
            size = 8 if kind == 1 else 4
        else:
            raise ValueError("its records are no tf.train.Example")
        if position + size > len(message):
            raise ValueError("its records are no tf.train.Example")
        block = message[position : position + size]
        position += size
        yield number, block if kind == 2 else 0


def varint(message: bytes, position: int) -> tuple[int, int]:
    """The number at a position, and the position after it."""
    value = shift = 0
    while position < len(message) and shift < 70:
        byte = message[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if not byte & 0x80:
            return value, position
        shift += 7
    raise ValueError("its records are no tf.train.Example")


def count_varints(block: bytes) -> int:
    """How many numbers are packed in a block."""
    return sum(1 for byte in block if not byte & 0x80)
