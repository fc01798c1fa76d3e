"""`tfpc emit`: writes the program that `run` would run."""

from __future__ import annotations

import os
import pathlib
import sys

import click

from tfpc.cli.spec import read_spec, set_option, show


@click.command()
@click.argument("spec")
@click.option(
    "-o", "--output", metavar="FILE", help="Where to (default: standard output)."
)
@set_option
def emit(spec: str, output: str | None, settings: tuple[str, ...]) -> None:
    """Writes the program of SPEC: one Python file that needs TensorFlow, not tfpc.

    It finds the data from where the spec is now; `--root` of the program changes that.
    """
    from tfpc.driver import Options, compile_spec, folder_of

    source, problems = read_spec(spec)
    program: str | None = None
    if source is not None:
        target = pathlib.Path(output).parent if output else pathlib.Path()
        folder = os.path.relpath(folder_of(source), target).replace(os.sep, "/")
        compiled = compile_spec(source, Options(settings), folder)
        problems, program = compiled.diagnostics, compiled.program
    show(problems, err=True)
    if program is None:
        sys.exit(1)
    if output is None:
        click.echo(program, nl=False)
        return
    try:
        pathlib.Path(output).write_text(program, encoding="utf-8", newline="\n")
    except OSError as problem:
        raise click.UsageError(
            f"{output} can't be written: {problem.strerror}"
        ) from None
