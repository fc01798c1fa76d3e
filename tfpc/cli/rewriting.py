"""Writes a file anew without a moment at which there is half of it; shows what changes."""

from __future__ import annotations

import contextlib
import difflib
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tfpc.diagnostics.span import Source

LINE = re.compile(r"[^\n]*\n|[^\n]+")


def difference(before: Source, after: Source) -> str:
    """What changes, as `patch` reads it; nothing if nothing does."""
    lines = difflib.unified_diff(
        LINE.findall(before.text),
        LINE.findall(after.text),
        before.name,
        after.name,
    )
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
        for line in lines
    )


def replace_bytes(path: Path, data: bytes) -> None:
    """A file with other bytes and the same mode. Raises OSError."""
    if not os.access(path, os.W_OK):
        raise PermissionError(None, "it is read-only")
    with written_aside(path, data) as aside:
        aside.chmod(path.stat().st_mode & 0o7777)
        aside.replace(path)


@contextlib.contextmanager
def written_aside(path: Path, data: bytes) -> Iterator[Path]:
    """A new file beside the old one, which is gone in the end, if not renamed."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    aside = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        yield aside
    finally:
        aside.unlink(missing_ok=True)
