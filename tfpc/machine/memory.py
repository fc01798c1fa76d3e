"""How much memory there is, and how much of it this process may use."""

from __future__ import annotations

import os
import pathlib

from tfpc.machine.cgroup import PROC, limits, read_text, whole


def usable_memory() -> int | None:
    """The bytes that this process may use at most, None where the system does not say.

    All of the machine's, or what its container or job may use if that is less; not
    what is free now, so that two looks at one machine say the same.
    """
    known = [size for size in (measured(PROC)[0], limits().memory) if size is not None]
    return min(known, default=None)


def measured(proc: pathlib.Path) -> tuple[int | None, int | None]:
    """(total, available) in bytes, None where the system does not say."""
    lines = (read_text(proc / "meminfo") or "").splitlines()
    sizes = {}
    for line in lines:
        name, _, rest = line.partition(":")
        size = whole(rest.replace("kB", ""))
        if size is not None:
            sizes[name] = size * 1024
    if "MemTotal" in sizes:
        return sizes["MemTotal"], sizes.get("MemAvailable")
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"), None
    except (ValueError, OSError):
        return None, None
