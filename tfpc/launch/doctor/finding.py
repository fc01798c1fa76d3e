"""One line of what `tfpc doctor` says."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any


class Level(Enum):
    """How a finding is to be taken."""

    OK = "ok"
    NOTE = "note"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found about one thing.

    said: one sentence, without a point at its end; fix: what mends it, to type where
    it can be typed; facts: the same for a machine to read.
    """

    level: Level
    about: str
    said: str
    fix: str = ""
    facts: dict[str, Any] = field(default_factory=dict)

    def as_values(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "level": self.level.value,
            "about": self.about,
            "message": self.said,
            "fix": self.fix,
            "facts": self.facts,
        }
