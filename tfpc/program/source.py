"""What every source of the program offers."""

from __future__ import annotations

from typing import Protocol

import tensorflow as tf


class Source(Protocol):
    """Numbered examples. place: the line of the spec that names them."""

    place: str

    @property
    def count(self) -> int:
        """The number of examples."""

    def keys(self) -> tf.data.Dataset:
        """(index, ...) of each example, once: what is needed to read it."""

    def file_of(self, index: int) -> str:
        """Where an example comes from."""

    def damaged_file(self) -> tuple[str, str] | None:
        """The first file that can't be read as such, and why, if there is one."""
