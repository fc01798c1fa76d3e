"""`tfpc`: finds the command; a command is imported when it is used."""

from __future__ import annotations

import os
import sys
import tempfile
import traceback
from importlib import import_module

import click

COMMANDS = {
    "run": "Checks a spec, writes its program into a run folder and runs it.",
    "lint": "Checks specs.",
    "emit": "Writes the program that `run` would run.",
    "plan": "Shows what will be done: types, sizes, places, changes.",
}


class Commands(click.Group):
    """The commands by name, each in a module of its own."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order of use."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Imports a command."""
        if cmd_name not in COMMANDS:
            return None
        command = getattr(import_module(f"tfpc.cli.{cmd_name}"), cmd_name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """The list for `--help`, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.command(cls=Commands)
@click.version_option(package_name="tfpc")
def group() -> None:
    """A declarative pipeline compiler for TensorFlow."""


def main() -> None:
    """Runs the command line and ends with its exit code."""
    try:
        group(prog_name="tfpc")
    except Exception as problem:
        if os.environ.get("TFPC_TRACEBACK"):
            raise
        with tempfile.NamedTemporaryFile(
            "w", prefix="tfpc-", suffix=".txt", delete=False
        ) as file:
            file.write(traceback.format_exc())
        print(
            f"error: tfpc itself failed: {type(problem).__name__}: {problem}\n"
            f"This is a bug in tfpc, not in your spec. Please report it with {file.name}",
            file=sys.stderr,
        )
        sys.exit(1)
