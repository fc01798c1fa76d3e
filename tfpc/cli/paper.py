"""What the pages of commands are written on: how wide it is, and whether it has colors."""

from __future__ import annotations

import shutil
import sys

NARROW, USUAL, WIDE = 40, 80, 100


def paper(widest: int = WIDE) -> tuple[int, bool]:
    """The width of a page on standard output, and whether it is colored.

    widest: how wide it may become. What is no terminal gets the usual width, so that
    a file is the same everywhere.
    """
    from tfpc.launch.terminal import colored, is_terminal

    if not is_terminal(sys.stdout):
        return USUAL, False
    columns = shutil.get_terminal_size((USUAL, 24)).columns
    return min(max(columns, NARROW), widest), colored(sys.stdout)
