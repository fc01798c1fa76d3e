"""`tfpc`: finds the command; a command is imported when it is used."""

from __future__ import annotations

import gc
import os
import signal
import sys
from importlib import import_module
from typing import TextIO

import click

COMMANDS = {
    "run": "Checks a spec, writes its program into a run folder and runs it.",
    "lint": "Checks specs.",
    "fmt": "Formats specs in place.",
    "emit": "Writes the program that `run` would run.",
    "plan": "Shows what will be done: types, sizes, places, changes.",
    "peek": "Shows one real batch after every step of the pipeline.",
    "words": "Lists the words of the language, or says all about one.",
    "rules": "Lists what lint finds, or says all about one rule or code.",
    "doctor": "Says what this machine has for training, and what mends it.",
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

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Finds the command; for a misspelt one, says which it may be."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from tfpc.diagnostics.suggestion import did_you_mean

            meant = did_you_mean(args[0], COMMANDS)
            if args[0].endswith(".tfp"):
                meant = f"did you mean `tfpc run {args[0]}`?"
            raise click.UsageError(f"there is no command `{args[0]}`; {meant}")
        return super().resolve_command(ctx, args)

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
    """Runs the command line and ends with its exit code: 0, 1, 2, or 130."""
    gc.disable()  # Compiling is short and leaves little; looking for it takes a tenth.
    for stream in (sys.stdout, sys.stderr):
        show_everything(stream)
    try:
        sys.exit(group.main(prog_name="tfpc", standalone_mode=False))
    except click.ClickException as problem:
        problem.show()
        sys.exit(problem.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(128 + signal.SIGINT)
    except Exception as problem:
        if os.environ.get("TFPC_TRACEBACK"):
            raise
        tell_of_bug(problem)
        sys.exit(1)


def show_everything(stream: TextIO) -> None:
    """Lets a stream write what its encoding lacks as escapes, in place of failing."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")


def tell_of_bug(problem: Exception) -> None:
    """Says that tfpc itself failed, and where the whole text of that is."""
    import tempfile
    import traceback

    said = str(problem).strip().partition("\n")[0]
    print(
        f"error: tfpc itself failed: {type(problem).__name__}: {said}\n"
        "This is a bug in tfpc, not in your spec.",
        file=sys.stderr,
    )
    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="tfpc-", suffix=".txt", delete=False, encoding="utf-8"
        ) as file:
            file.write(traceback.format_exc())
        print(f"Please report it together with {file.name}.", file=sys.stderr)
    except OSError:
        print("TFPC_TRACEBACK=1 shows the whole of it.", file=sys.stderr)
