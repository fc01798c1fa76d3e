"""What is known of a stream of examples after a step, besides their type."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Facts:
    """count: examples in an epoch, None if only the program can know.

    random: a random step has acted since the last cache (or the beginning); frozen:
    a random step is stored by a cache; cached, shuffled: such a step has acted;
    batch: the batch's size, None for single examples.
    """

    count: int | None = None
    random: bool = False
    frozen: bool = False
    cached: bool = False
    shuffled: bool = False
    batch: int | None = None


@dataclass(frozen=True, slots=True)
class SourceFacts:
    """What a source tells without being read: counts, class names, odd files, sizes.

    count: examples, None if only the program can know; class_names: in the order of
    their numbers, None if there are none to be seen; left_out: files that are no data;
    record_bytes: of the first record; file_bytes: of all files of records; both None
    without records or a look at them.
    """

    count: int | None = None
    class_names: tuple[str, ...] | None = None
    left_out: int = 0
    record_bytes: int | None = None
    file_bytes: int | None = None
