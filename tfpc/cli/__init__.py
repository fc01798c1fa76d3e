"""The command line: flags in, exit code out; one file a command."""

from __future__ import annotations

from tfpc.cli import no_plugins
from tfpc.cli.main import main

__all__ = ["main", "no_plugins"]
