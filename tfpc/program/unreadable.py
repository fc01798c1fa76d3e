"""Finds the file that could not be read, so that a failure can name it."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator

import tensorflow as tf

from tfpc.program.failures import InputError

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
    place: str,
    file_of: Callable[[int], str],
    keys: Callable[[], tf.data.Dataset],
    read: Callable[..., object],
) -> Iterator[None]:
    """Turns an error of TensorFlow that input caused into one that names the file.

    place: the line of the spec that names the source; file_of: from an example's
    index to its file; keys: what is about to be read, (..., index, ...) as `read`
    takes it. Raises InputError, or the error itself if no input is to blame.
    """
    try:
        yield
    except READ_ERRORS as error:
        found = first_unreadable(keys(), read)
        if found is None:
            raise
        index, reason = found
        file = file_of(index)
        raise InputError(f"{file} can't be read: {reason}", place, file) from error


def first_unreadable(
    keys: tf.data.Dataset, read: Callable[..., object]
) -> tuple[int, str] | None:
    """The index of the first example that `read` fails on, and why, one at a time."""
    give_up = time.monotonic() + SECONDS_OF_SEARCH
    index_at = (
        0 if len(keys.element_spec) < 3 or keys.element_spec[1].dtype != tf.int64 else 1
    )
    for key in keys:
        try:
            read(*key)
        except READ_ERRORS as error:
            return int(key[index_at]), in_short(error)
        if time.monotonic() > give_up:
            break
    return None


def in_short(error: tf.errors.OpError) -> str:
    """What TensorFlow says, without the names of its operations."""
    return error.message.split("{{")[-1].split("}}")[-1].split("[Op:")[0].strip(" :\n")
