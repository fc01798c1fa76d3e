"""What all commands share: reading a spec, its flags, showing what is wrong with it."""

from __future__ import annotations

import pathlib
import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

from tfpc.diagnostics.diagnostic import Diagnostic, Severity
from tfpc.diagnostics.span import Source

F = TypeVar("F", bound=Callable[..., Any])


def set_option(command: F) -> F:
    """`--set path=value`, as often as needed."""
    return click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="PATH=VALUE",
        help="Change a value of the spec, as in --set train.epochs=3.",
    )(command)


def read_spec(name: str) -> tuple[Source | None, list[Diagnostic]]:
    """The text of a spec, `-` for standard input; ends with 2 if it can't be read."""
    from tfpc.syntax.reading import decode

    try:
        if name == "-":
            data = sys.stdin.buffer.read()
        else:
            data = pathlib.Path(name).read_bytes()
    except IsADirectoryError:
        raise click.UsageError(f"{name} is a folder; name a .tfp file") from None
    except FileNotFoundError:
        raise click.UsageError(f"there is no file {name}") from None
    except OSError as problem:
        raise click.UsageError(f"{name} can't be read: {problem.strerror}") from None
    return decode(name, data)


def show(diagnostics: list[Diagnostic], *, err: bool = False) -> None:
    """Prints messages, in color on a terminal."""
    if not diagnostics:
        return
    from tfpc.diagnostics.text import render_all

    stream = sys.stderr if err else sys.stdout
    click.echo(render_all(diagnostics, color=stream.isatty()), err=err)


def counted(diagnostics: list[Diagnostic], name: str) -> str:
    """`specs/x.tfp: 1 error, 2 warnings`."""
    said = []
    for severity in (Severity.ERROR, Severity.WARNING, Severity.NOTE):
        count = sum(1 for each in diagnostics if each.severity is severity)
        if count:
            said.append(f"{count} {severity.word}{'' if count == 1 else 's'}")
    return f"{name}: {', '.join(said) or 'no problems'}"
