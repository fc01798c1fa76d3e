"""What all commands share: reading a spec, its flags, showing what is wrong with it."""

from __future__ import annotations

import pathlib
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Severity
from tfpc.diagnostics.span import Source

F = TypeVar("F", bound=Callable[..., Any])
STANDARD_INPUT = "-"
MOST_BYTES = 32 << 20


def override_options(command: F) -> F:
    """`--profile NAME` and `--set path=value`, each as often as needed."""
    command = click.option(
        "--profile",
        "profiles",
        multiple=True,
        metavar="NAME",
        help="Put a profile of the spec over its values; --set comes after.",
    )(command)
    return click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="PATH=VALUE",
        help="Change a value of the spec, as in --set train.epochs=3.",
    )(command)


def read_spec(name: str) -> tuple[Source | None, list[Diagnostic]]:
    """The text of a spec, `-` for standard input; None and a problem without one."""
    from tfpc.syntax.reading import decode

    try:
        data = read_bytes(name)
    except FileNotFoundError:
        return None, [unread(f"there is no file {name}", other_name(name))]
    except IsADirectoryError:
        return None, [unread(f"{name} is a folder, not a spec", specs_in(name))]
    except OSError as problem:
        reason = problem.strerror or str(problem)
        return None, [unread(f"{name} can't be read: {reason}", "name another file")]
    if len(data) > MOST_BYTES:
        size = MOST_BYTES >> 20
        return None, [unread(f"{name} has more than {size} MiB", "name a .tfp file")]
    return decode(name, data)


def read_bytes(name: str) -> bytes:
    """The bytes of a file, not many more than a spec may have. Raises OSError."""
    if name == STANDARD_INPUT:
        return sys.stdin.buffer.read(MOST_BYTES + 1)
    with open(name, "rb") as file:
        return file.read(MOST_BYTES + 1)


def unread(headline: str, fix: str) -> Diagnostic:
    """A spec that is not there."""
    return error("TFP904", headline, None, fix=fix)


def other_name(name: str) -> str:
    """What to type in place of a file that is not there."""
    from tfpc.diagnostics.suggestion import nearest

    path = pathlib.Path(name)
    if not path.parent.is_dir():
        return f"there is no folder {path.parent} either: check the path"
    there = [each.name for each in path.parent.glob("*.tfp")]
    # `digits` is close to `digits.tfp`, though the ending is a good part of it.
    close = nearest(path.stem, [name.removesuffix(".tfp") for name in there], 1)
    if close:
        return f"did you mean `{path.with_name(close[0] + '.tfp')}`?"
    return specs_in(str(path.parent))


def specs_in(folder: str) -> str:
    """The first specs of a folder, to choose from."""
    found = sorted(map(str, pathlib.Path(folder).glob("*.tfp")))
    if not found:
        return "name a .tfp file"
    others = " ..." if len(found) > 3 else ""
    return "name a file, as in " + ", ".join(f"`{each}`" for each in found[:3]) + others


def show(diagnostics: Sequence[Diagnostic], *, err: bool = False) -> None:
    """Prints messages, in color on a terminal."""
    if not diagnostics:
        return
    from tfpc.diagnostics.text import render_all
    from tfpc.launch.terminal import colored

    color = colored(sys.stderr if err else sys.stdout)
    click.echo(render_all(diagnostics, color=color), err=err, color=color)


def counted(diagnostics: Sequence[Diagnostic], name: str) -> str:
    """`1 error, 2 warnings in specs/x.tfp`, or `specs/x.tfp: no problems`."""
    said = []
    for severity in (Severity.ERROR, Severity.WARNING, Severity.NOTE):
        count = sum(1 for each in diagnostics if each.severity is severity)
        if count:
            said.append(f"{count} {severity.word}{'' if count == 1 else 's'}")
    return f"{', '.join(said)} in {name}" if said else f"{name}: no problems"
