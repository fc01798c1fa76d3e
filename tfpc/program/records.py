"""TFRecord files: counted once, read one after the other, many files at a time."""

from __future__ import annotations

import dataclasses
import glob
import os
import pathlib
import struct
import zlib
from collections.abc import Iterator

import numpy as np
import tensorflow as tf

from tfpc.program.failures import InputError

FILES_AT_A_TIME = 8
BYTES_AT_A_TIME = 1 << 20  # of a compressed file
ZLIB_FORMATS = {"GZIP": 31, "ZLIB": 15}  # zlib's `wbits` for them


@dataclasses.dataclass(frozen=True)
class Records:
    """TFRecord files as one numbered list of records.

    firsts: the number of the first record of each file; ranks: for each record its
    index among those that were chosen, or -1; place: the line of the spec;
    compressions: of each file, as TensorFlow names it, "" for none.
    """

    files: list[str]
    firsts: np.ndarray
    ranks: np.ndarray
    place: str
    compressions: list[str]

    @property
    def count(self) -> int:
        """The number of examples."""
        return int(self.ranks.max(initial=-1)) + 1

    def select(self, member: np.ndarray) -> Records:
        """Only the examples marked in `member`: bool[count]."""
        chosen = (self.ranks >= 0) & member[self.ranks]
        ranks = np.where(chosen, np.cumsum(chosen) - 1, -1)
        return dataclasses.replace(self, ranks=ranks)

    def examples(self, files: tf.Tensor | None = None) -> tf.data.Dataset:
        """(index, record) of each example, once; `files` gives the order of files."""
        numbers = tf.range(len(self.files)) if files is None else files
        paths, compressions = tf.constant(self.files), tf.constant(self.compressions)
        firsts = tf.constant(self.firsts, tf.int64)
        ranks = tf.constant(self.ranks, tf.int64)

        def read(number: tf.Tensor) -> tf.data.Dataset:
            dataset = tf.data.TFRecordDataset(paths[number], compressions[number])
            return dataset.enumerate(firsts[number])

        stream = tf.data.Dataset.from_tensor_slices(numbers).interleave(
            read,
            cycle_length=FILES_AT_A_TIME,
            num_parallel_calls=tf.data.AUTOTUNE,
            deterministic=True,
        )
        stream = stream.map(lambda number, record: (ranks[number], record))
        if (self.ranks < 0).any():
            stream = stream.filter(lambda index, record: index >= 0)
        return stream

    def keys(self) -> tf.data.Dataset:
        """(index, record) of each example, once: records are read in their order."""
        return self.examples()

    def file_of(self, index: int) -> str:
        """Where the example comes from: file and record, counted from zero."""
        number = int(np.flatnonzero(self.ranks == index)[0])
        file = int(np.searchsorted(self.firsts, number, "right")) - 1
        return f"{self.files[file]}, record {number - int(self.firsts[file])}"

    def damaged_file(self) -> tuple[str, str] | None:
        """The first file with a wrong checksum, and which record of it that is."""
        for file, compression in zip(self.files, self.compressions, strict=True):
            done = 0
            try:
                for _ in tf.data.TFRecordDataset(file, compression):
                    done += 1
            except tf.errors.OpError as error:
                return f"{file}, record {done}", error.message.split(" [Op:")[0]
        return None


def checked_label(label: tf.Tensor, classes: int) -> tf.Tensor:
    """The label, which must be in 0 .. classes - 1.

    Without this check a label beyond has no score: on a GPU the loss becomes NaN.
    """
    is_class = (label >= 0) & (label < classes)
    said = ["label", label, "is not in 0 ..", classes - 1]
    with tf.control_dependencies([tf.debugging.Assert(tf.reduce_all(is_class), said)]):
        return tf.identity(label)


def tfrecord(folder: pathlib.Path, pattern: str, place: str) -> Records:
    """The records of the files that match a pattern, in the order of their names.

    Raises InputError if no file matches, or one is damaged.
    """
    found = glob.glob(pattern, root_dir=folder, recursive=True)
    files = sorted(str(folder / name) for name in found if (folder / name).is_file())
    if not files:
        raise InputError(f"no file matches {str(folder / pattern)!r}", place)
    compressions = [compression_of(file) for file in files]
    counts = [
        count_compressed(file, compression, place)
        if compression
        else count_records(file, place)
        for file, compression in zip(files, compressions, strict=True)
    ]
    firsts = np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.int64)
    return Records(files, firsts, np.arange(sum(counts)), place, compressions)


def compression_of(file: str) -> str:
    """How a file is compressed, by its first bytes; `""` for plain records."""
    with open(file, "rb") as stream:
        first = stream.read(2048)
    for name, begins in (
        ("GZIP", first[:3] == b"\x1f\x8b\x08"),
        ("ZLIB", len(first) > 1 and (first[0] * 256 + first[1]) % 31 == 0),
    ):
        try:
            if begins and zlib.decompressobj(ZLIB_FORMATS[name]).decompress(first, 12):
                return name
        except zlib.error:
            continue
    return ""


def count_compressed(file: str, compression: str, place: str) -> int:
    """Counts the records of a compressed file by reading all of it.

    Python's zlib reads it, since TensorFlow takes a compressed file that is cut
    between two records for a whole one. The format is that of `count_records`.
    """
    count, buffer = 0, bytearray()
    try:
        for chunk in decompressed(file, compression):
            buffer += chunk
            start = 0
            while len(buffer) - start >= 12:
                size = struct.unpack_from("<Q", buffer, start)[0] + 16
                if len(buffer) - start < size:
                    break
                start += size
                count += 1
            del buffer[:start]
        whole = not buffer
    except (EOFError, zlib.error):
        whole = False
    if not whole:
        raise InputError(
            f"{file!r} is cut, or holds no TFRecords ({compression}, after record "
            f"{count})",
            place,
            file,
        )
    return count


def decompressed(file: str, compression: str) -> Iterator[bytes]:
    """What a compressed file holds, piece by piece; members of GZIP one after another.

    Raises EOFError where the file is cut, zlib.error where it is damaged.
    """
    bits = ZLIB_FORMATS[compression]
    stream = zlib.decompressobj(bits)
    with open(file, "rb") as source:
        while chunk := source.read(BYTES_AT_A_TIME):
            while chunk:
                yield stream.decompress(chunk)
                chunk = stream.unused_data
                if chunk:
                    stream = zlib.decompressobj(bits)
    if not stream.eof:
        raise EOFError(file)


def count_records(file: str, place: str) -> int:
    """Counts the records of a file by their headers, without reading what they hold.

    The format: length (uint64), its checksum, the data, its checksum (uint32 each).
    """
    size = os.path.getsize(file)
    count = position = 0
    with open(file, "rb") as stream:
        while position < size:
            stream.seek(position)
            header = stream.read(12)
            if len(header) == 12:
                position += struct.unpack("<Q", header[:8])[0] + 16
            if len(header) < 12 or position > size:
                raise InputError(
                    f"{file!r} is cut or is no plain TFRecord file "
                    f"(record {count}, byte {stream.tell() - len(header)})",
                    place,
                    file,
                )
            count += 1
    return count
