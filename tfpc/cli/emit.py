"""`tfpc emit`: writes the program that `run` would run."""

from __future__ import annotations

import pathlib
import sys

import click

from tfpc.cli.spec import override_options, read_spec, show


@click.command()
@click.argument("spec")
@click.option(
    "-o", "--output", metavar="FILE", help="Where to (default: standard output)."
)
@override_options
def emit(
    spec: str, output: str | None, settings: tuple[str, ...], profiles: tuple[str, ...]
) -> None:
    """Writes the program of SPEC: one Python file that needs TensorFlow, not tfpc.

    It finds the data from where the spec is now; its own flag `--root` changes that.
    """
    from tfpc.driver import Options, compile_spec, folder_of
    from tfpc.launch.folder import way_to

    target = None if output in (None, "-") else pathlib.Path(str(output))
    refuse_spec_as_output(spec, target)
    source, problems = read_spec(spec)
    program: str | None = None
    if source is not None:
        beside = pathlib.Path() if target is None else target.parent
        way = way_to(folder_of(source), beside)
        compiled = compile_spec(source, Options(settings, profiles), way)
        problems, program = compiled.diagnostics, compiled.program
    show(problems, err=True)
    if program is None:
        sys.exit(1)
    # As bytes: UTF-8 with plain line ends, whatever the terminal is set to.
    text = program.encode("utf-8")
    if target is None:
        click.echo(text, nl=False)
        return
    try:
        target.write_bytes(text)
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise click.UsageError(f"{output} can't be written: {reason}") from None


def refuse_spec_as_output(spec: str, target: pathlib.Path | None) -> None:
    """Keeps a slip of the hand from replacing the spec by its program."""
    if target is None or not target.exists():
        return
    if pathlib.Path(spec).exists() and target.samefile(spec):
        raise click.UsageError(f"-o {target} would write over the spec itself")
