"""What the place can show that output goes to: a live line, colors, or lines alone."""

from __future__ import annotations

import contextlib
import os
from typing import TextIO


def is_terminal(stream: TextIO) -> bool:
    """Whether lines can be written over there."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def colored(stream: TextIO) -> bool:
    """Whether it shows colors and nobody forbids them (see no-color.org)."""
    return is_terminal(stream) and not os.environ.get("NO_COLOR")


def let_go(stream: TextIO) -> None:
    """Sends what a stream is still given to nowhere, once its reader has gone.

    What stands in its buffer would make the exit fail otherwise.
    """
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
