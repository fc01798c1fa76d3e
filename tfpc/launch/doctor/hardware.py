"""The NVIDIA GPUs that the machine has, as its driver tells, whatever TensorFlow sees.

Read from `nvidia-smi`, `/proc/driver/nvidia` and `/dev`. It has not been run on a
machine with a GPU; tests read recorded texts.
"""

from __future__ import annotations

import pathlib
import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tfpc.machine.cgroup import read_text, whole

ROOT = pathlib.Path("/")
DEADLINE = 20.0
FIELDS = "name,memory.total,driver_version,pci.bus_id"
COMMAND = ("nvidia-smi", f"--query-gpu={FIELDS}", "--format=csv,noheader,nounits")
KERNEL_MODULE = re.compile(r"Kernel Module\s+(?:for \S+\s+)?(\d+[\d.]*)")


@dataclass(frozen=True, slots=True)
class Card:
    """One GPU. memory: in MiB, None where it does not say; bus: its place, in capitals."""

    name: str
    memory: int | None
    bus: str


@dataclass(frozen=True, slots=True)
class Hardware:
    """What there is. driver: its version; trouble: why `nvidia-smi` did not answer.

    present: whether anything shows that the machine has a GPU.
    """

    cards: tuple[Card, ...] = ()
    driver: str | None = None
    present: bool = False
    trouble: str = ""

    def as_values(self) -> dict[str, Any]:
        """For JSON."""
        cards = [
            {"name": card.name, "memory_mib": card.memory, "bus": card.bus}
            for card in self.cards
        ]
        return {"gpus": cards, "driver": self.driver}


def answer() -> tuple[int | None, str]:
    """The exit code and output of `nvidia-smi`; None where it is not there, or hangs."""
    try:
        done = subprocess.run(
            COMMAND,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=DEADLINE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None, f"`nvidia-smi` did not answer within {DEADLINE:g} s"
    except OSError:
        return None, ""
    said = done.stdout or done.stderr
    return done.returncode, said.decode("utf-8", errors="replace")


def hardware(
    root: pathlib.Path = ROOT, ask: Callable[[], tuple[int | None, str]] = answer
) -> Hardware:
    """What the driver, its files and its devices say."""
    code, said = ask()
    cards: tuple[Card, ...] = ()
    driver = driver_in(read_text(root / "proc/driver/nvidia/version") or "")
    trouble = "" if code == 0 else " ".join(said.split())
    if code == 0:
        cards, driver = cards_in(said, driver)
    nodes = any(re.fullmatch(r"nvidia\d+", each.name) for each in devices(root))
    return Hardware(cards, driver, bool(cards or driver or nodes), trouble)


def devices(root: pathlib.Path) -> list[pathlib.Path]:
    """What stands in `/dev`."""
    try:
        return list((root / "dev").iterdir())
    except OSError:
        return []


def driver_in(text: str) -> str | None:
    """The version in `/proc/driver/nvidia/version`."""
    found = KERNEL_MODULE.search(text)
    return found[1] if found else None


def cards_in(text: str, driver: str | None) -> tuple[tuple[Card, ...], str | None]:
    """The GPUs in the lines of `nvidia-smi`, and its driver's version."""
    cards: list[Card] = []
    for line in text.splitlines():
        # The name is the only part that could hold a comma.
        parts = [part.strip() for part in line.rsplit(",", 3)]
        if len(parts) == 4:
            name, memory, driver, bus = parts
            cards.append(Card(name, whole(memory), short_bus(bus)))
    return tuple(cards), driver


def short_bus(bus: str) -> str:
    """`00000000:05:00.0` to `05:00.0`, since TensorFlow writes fewer zeros in front."""
    return bus.strip().upper().partition(":")[2] or bus.strip().upper()
