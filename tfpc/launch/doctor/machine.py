"""Cores, memory and disk: what of them this process may use."""

from __future__ import annotations

import os
import pathlib
import shutil
from collections.abc import Callable

from tfpc.launch.doctor.finding import Finding, Level
from tfpc.launch.figures import counted
from tfpc.machine.cgroup import PROC, Limits, limits
from tfpc.machine.memory import measured
from tfpc.plan.show import amount

# TensorFlow alone takes about half a GiB, and a checkpoint some times its model.
LITTLE_MEMORY = 2 << 30
LITTLE_DISK = 1 << 30


def cores(bounds: Callable[[], Limits] = limits) -> Finding:
    """How many cores this process may use at a time."""
    there = os.cpu_count() or 1
    affinity = getattr(os, "sched_getaffinity", None)
    allowed = len(affinity(0)) if affinity is not None else there
    quota = bounds().cores
    said = counted(allowed, "core")
    if allowed < there:
        said += f" of {there}"
    if quota is not None and quota < allowed:
        said += f", with time for {quota:g} by the limit of this container or job"
    facts = {"machine": there, "usable": allowed, "quota": quota}
    return Finding(Level.OK, "cores", said, facts=facts)


def memory(bounds: Callable[[], Limits] = limits, proc: pathlib.Path = PROC) -> Finding:
    """The machine's memory, what of it is available, and a limit on this process."""
    total, available = measured(proc)
    limit = bounds().memory
    facts = {"total": total, "available": available, "limit": limit}
    if total is None:
        return Finding(Level.NOTE, "memory", "can't be measured here", facts=facts)
    said = f"{amount(total)}, {amount(available)} available"
    room = total if available is None else available
    if limit is not None and limit < total:
        said += f"; this container or job may use {amount(limit)}"
        room = min(room, limit)
    if room < LITTLE_MEMORY:
        fix = "end what else runs here, or raise the limit; TensorFlow alone takes half a GiB"
        return Finding(Level.NOTE, "memory", f"{said}, which is little", fix, facts)
    return Finding(Level.OK, "memory", said, facts=facts)


def disk(folder: str = ".") -> Finding:
    """The room in the current folder, below which runs write."""
    try:
        free, where = shutil.disk_usage(folder).free, os.path.abspath(folder)
    except OSError as problem:
        said = f"the current folder can't be used: {problem.strerror or problem}"
        return Finding(Level.PROBLEM, "disk", said, "change to another folder")
    facts = {"free": free, "folder": where}
    said = f"{amount(free)} free in the current folder"
    if not os.access(folder, os.W_OK):
        fix = "change to another one, or name one with `tfpc run --run-dir DIR`"
        said = "the current folder can't be written to, and runs are kept in it"
        return Finding(Level.PROBLEM, "disk", said, fix, facts)
    if free < LITTLE_DISK:
        fix = "free some, or use another disk: `tfpc run --run-dir DIR`"
        return Finding(Level.NOTE, "disk", f"{said}, which is little", fix, facts)
    return Finding(Level.OK, "disk", said, facts=facts)
