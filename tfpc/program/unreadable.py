"""Finds the file that could not be read, so that a failure can name it."""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Callable, Iterator

import tensorflow as tf

from tfpc.program.failures import InputError
from tfpc.program.source import Source

SECONDS_OF_SEARCH = 120.0
READ_ERRORS = (
    tf.errors.InvalidArgumentError,
    tf.errors.DataLossError,
    tf.errors.NotFoundError,
    tf.errors.OutOfRangeError,
    tf.errors.PermissionDeniedError,
    tf.errors.FailedPreconditionError,
)


@contextlib.contextmanager
def unreadable_named(
    source: Source,
    keys: Callable[[], tf.data.Dataset],
    read: Callable[..., object],
) -> Iterator[None]:
    """Turns an error of TensorFlow that input caused into one that names the file.

    keys: what is about to be read, (index, ...) or (epoch, index, ...), as `read`
    takes it. Raises InputError, or the error itself if no input is to blame.
    """
    try:
        yield
    except READ_ERRORS as error:
        found = first_unreadable(source, keys(), read)
        if found is None:
            raise
        file, reason = found
        message = f"{file} can't be read: {reason}"
        raise InputError(message, source.place, file) from error


def first_unreadable(
    source: Source, keys: tf.data.Dataset, read: Callable[..., object]
) -> tuple[str, str] | None:
    """The file of the first example that can't be read, and why, one at a time."""
    give_up = time.monotonic() + SECONDS_OF_SEARCH
    # The epoch comes before the index, what the source gives after it.
    specs = keys.element_spec
    index_at = 1 if len(specs) > 1 and specs[1].dtype == tf.int64 else 0
    try:
        for key in keys:
            try:
                read(*key)
            except READ_ERRORS as error:
                return source.file_of(int(key[index_at])), in_short(error)
            if time.monotonic() > give_up:
                return None
    except READ_ERRORS:
        return source.damaged_file()
    return None


def in_short(error: tf.errors.OpError) -> str:
    """What TensorFlow says, without the names of its operations."""
    text = error.message.split("{{")[-1].split("}}")[-1].split("[Op:")[0]
    # An assertion gives its words and values a line each, words as b'...'.
    said = text.partition("Summarized data:")[2]
    if said:
        words = [re.sub(r"^b'(.*)'$", r"\1", line.strip()) for line in said.split("\n")]
        text = " ".join(words)
    return " ".join(text.split()).strip(" :")
