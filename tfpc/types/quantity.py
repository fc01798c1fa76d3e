"""Numbers with a unit, and the units that there are."""

from __future__ import annotations

from dataclasses import dataclass

SIZE_UNITS = {
    "B": 1,
    "KB": 1000,
    "MB": 1000**2,
    "GB": 1000**3,
    "TB": 1000**4,
    "KiB": 1024,
    "MiB": 1024**2,
    "GiB": 1024**3,
    "TiB": 1024**4,
}
TIME_UNITS = {"s": 1, "min": 60, "h": 3600, "d": 86400}
COUNT_UNITS = {
    "epoch": "epochs",
    "epochs": "epochs",
    "step": "steps",
    "steps": "steps",
}
UNITS = (*SIZE_UNITS, *TIME_UNITS, *COUNT_UNITS, "%")


@dataclass(frozen=True, slots=True)
class Percent:
    """A share; `20%` is a fraction of 0.2."""

    fraction: float

    def __str__(self) -> str:
        """As a spec says it."""
        return f"{self.fraction * 100:g}%"


@dataclass(frozen=True, slots=True)
class Epochs:
    """Passes over the training data."""

    number: float

    def __str__(self) -> str:
        """As a spec says it."""
        return f"{self.number:g}epoch{'' if self.number == 1 else 's'}"


@dataclass(frozen=True, slots=True)
class Steps:
    """Training steps, one batch each."""

    number: int

    def __str__(self) -> str:
        """As a spec says it."""
        return f"{self.number}step{'' if self.number == 1 else 's'}"


@dataclass(frozen=True, slots=True)
class Seconds:
    """A time."""

    number: float

    def __str__(self) -> str:
        """As a spec says it."""
        return f"{self.number:g}s"


@dataclass(frozen=True, slots=True)
class Bytes:
    """A size in memory or on disk."""

    number: int

    def __str__(self) -> str:
        """As a spec says it, in the largest unit of which it is a whole number."""
        sizes = {size: unit for unit, size in SIZE_UNITS.items() if unit[-2:] == "iB"}
        for size in sorted(sizes, reverse=True):
            if self.number and self.number % size == 0:
                return f"{self.number // size}{sizes[size]}"
        return f"{self.number}B"


Amount = Percent | Epochs | Steps | Seconds | Bytes
