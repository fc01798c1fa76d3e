"""The share of the machine that a container or job may use: cgroups, old and new."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator
from dataclasses import dataclass

PROC = pathlib.Path("/proc")
MOUNT = pathlib.Path("/sys/fs/cgroup")
# Version 1 says "no limit" by a number near the largest that there is.
NO_LIMIT = 1 << 60


@dataclass(frozen=True, slots=True)
class Limits:
    """cores: how many cores' worth of time; memory: in bytes. None without a limit."""

    cores: float | None = None
    memory: int | None = None


def limits(proc: pathlib.Path = PROC, mount: pathlib.Path = MOUNT) -> Limits:
    """The least of what the groups of this process, and those around them, may use."""
    cores: list[float] = []
    memory: list[int] = []
    for folder in groups(proc, mount):
        cores += [read for read in (new_cores(folder), old_cores(folder)) if read]
        for name in ("memory.max", "memory.limit_in_bytes"):
            size = whole(read_text(folder / name))
            if size is not None and 0 < size < NO_LIMIT:
                memory.append(size)
    return Limits(min(cores, default=None), min(memory, default=None))


def groups(proc: pathlib.Path, mount: pathlib.Path) -> Iterator[pathlib.Path]:
    """The folders of each group, up to the top.

    A container may see its own group as the top, whatever name it has outside.
    """
    for line in (read_text(proc / "self" / "cgroup") or "0::/").splitlines():
        number, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        names = (
            [controllers, *controllers.split(",")] if number != "0" else ["", "unified"]
        )
        for name in dict.fromkeys(names):
            top = mount / name if name else mount
            inner = top / path.lstrip("/")
            if ".." in inner.parts:
                inner = top
            while True:
                yield inner
                if inner == top:
                    break
                inner = inner.parent


def new_cores(folder: pathlib.Path) -> float | None:
    """`cpu.max` of version 2: microseconds of time in each period."""
    quota, _, period = (read_text(folder / "cpu.max") or "").strip().partition(" ")
    return ratio(quota, period)


def old_cores(folder: pathlib.Path) -> float | None:
    """The two files of version 1."""
    quota = read_text(folder / "cpu.cfs_quota_us") or ""
    return ratio(quota, read_text(folder / "cpu.cfs_period_us") or "")


def ratio(quota: str, period: str) -> float | None:
    """Cores' worth of time; None for `max` and -1, which are no limit."""
    time, each = whole(quota), whole(period)
    return time / each if time and each and time > 0 and each > 0 else None


def whole(text: str | None) -> int | None:
    """A whole number, None for anything else."""
    try:
        return int((text or "").strip())
    except ValueError:
        return None


def read_text(path: pathlib.Path) -> str | None:
    """What a file says, None if it can't be read."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
