"""Where training stands in the data."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Position:
    """The next batch: `step` batches of `epoch` are done (both count from zero)."""

    epoch: int = 0
    step: int = 0
