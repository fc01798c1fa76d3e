"""`tfpc run`: checks, writes the program into a run folder, runs it, follows it."""

from __future__ import annotations

import gc
import pathlib
import shlex
import sys
from typing import TYPE_CHECKING

import click

from tfpc.cli.spec import override_options, read_spec, show
from tfpc.diagnostics.span import Source

if TYPE_CHECKING:
    from tfpc.driver import Options
    from tfpc.launch.run import Launch


@click.command()
@click.argument("spec")
@click.option(
    "--run-dir", metavar="DIR", help="The run's folder (default: a new one in runs/)."
)
@click.option(
    "--resume", is_flag=True, help="Continue the latest run, or the one in --run-dir."
)
@click.option("--quiet", is_flag=True, help="Say only how it ended.")
@click.option("--plain", is_flag=True, help="Plain lines, on a terminal too.")
@override_options
def run(
    spec: str,
    run_dir: str | None,
    resume: bool,
    quiet: bool,
    plain: bool,
    settings: tuple[str, ...],
    profiles: tuple[str, ...],
) -> None:
    """Trains as SPEC says, and leaves all that it made in a run folder."""
    from tfpc.driver import Options
    from tfpc.launch.refusal import RefusedError
    from tfpc.launch.run import launch

    if run_dir == "":
        raise click.UsageError("--run-dir needs the name of a folder")
    source, problems = read_spec(spec)
    if source is None:
        show(problems, err=True)
        sys.exit(1)
    try:
        job = prepare(source, run_dir, Options(settings, profiles), resume=resume)
        gc.enable()  # Unlike compiling, following a program may take days.
        code = 1 if job is None else launch(job, quiet=quiet, plain=plain)
    except RefusedError as refusal:
        show([refusal.problem], err=True)
        if refusal.detail:
            click.echo(f"\n{refusal.detail}", err=True)
        code = 1
    sys.exit(code)


def prepare(
    source: Source, run_dir: str | None, options: Options, *, resume: bool
) -> Launch | None:
    """Compiles, and makes or finds the folder; None if the spec has errors.

    Raises RefusedError if there is no folder to run in.
    """
    from tfpc.driver import compile_spec, folder_of, name_of
    from tfpc.launch.folder import default_path, fill, new_folder, spec_copy, way_to
    from tfpc.launch.resuming import folder_to_resume
    from tfpc.launch.run import Launch

    root = folder_of(source)
    path = default_path(name_of(source)) if run_dir is None else pathlib.Path(run_dir)
    compiled = compile_spec(source, options, way_to(root, path))
    show(compiled.diagnostics, err=True)
    if compiled.program is None:
        return None
    if resume:
        folder = folder_to_resume(compiled, run_dir, options)
        # The program names lines of the spec that it was made from.
        copy = spec_copy(folder, compiled)
        if copy.exists():
            source = Source(source.name, copy.read_text(encoding="utf-8"))
    else:
        folder = new_folder(path, chosen=run_dir is not None)
        fill(folder, compiled, options)
    again = command(source.name, folder.path, options)
    return Launch(folder, source, root, again, resume)


def command(spec: str, folder: pathlib.Path, options: Options) -> str:
    """What to type to resume a run."""
    words = ["tfpc", "run", spec, "--run-dir", str(folder), "--resume"]
    return shlex.join([*words, *options.flags])
