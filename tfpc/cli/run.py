"""`tfpc run`: checks, writes the program into a run folder, runs it, follows it."""

from __future__ import annotations

import os
import sys

import click

from tfpc.cli.spec import read_spec, set_option, show


@click.command()
@click.argument("spec")
@click.option(
    "--run-dir", metavar="DIR", help="The run's folder (default: below runs/)."
)
@click.option(
    "--resume", is_flag=True, help="Continue the latest run, or the one in --run-dir."
)
@click.option("--quiet", is_flag=True, help="Say only how it ended.")
@click.option("--plain", is_flag=True, help="Plain lines, even on a terminal.")
@set_option
def run(
    spec: str,
    run_dir: str | None,
    resume: bool,
    quiet: bool,
    plain: bool,
    settings: tuple[str, ...],
) -> None:
    """Trains as SPEC says, and leaves all that it made in a run folder."""
    from tfpc.driver import Options, compile_spec, folder_of, name_of
    from tfpc.launch.folder import (
        RunFolderError,
        check_unchanged,
        fill,
        folder_to_resume,
        new_folder,
    )
    from tfpc.launch.run import follow
    from tfpc.vocabulary.monitor import Checkpoint

    source, problems = read_spec(spec)
    if source is None:
        show(problems, err=True)
        sys.exit(1)
    options = Options(settings)
    compiled = compile_spec(source, options, ".")
    show(compiled.diagnostics, err=True)
    if compiled.program is None or compiled.plan is None:
        sys.exit(1)
    if resume and not any(
        isinstance(placed.monitor, Checkpoint) for placed in compiled.plan.monitors
    ):
        raise click.UsageError(
            "this spec keeps no checkpoints to go on from; add `checkpoint` to `observe`"
        )
    root = folder_of(source)
    try:
        name = name_of(source)
        folder = (
            folder_to_resume(name, run_dir) if resume else new_folder(name, run_dir)
        )
        # The same program, with the way from its own folder to the spec's.
        away = os.path.relpath(root, folder.path).replace(os.sep, "/")
        compiled = compile_spec(source, options, away)
        if resume:
            check_unchanged(folder, compiled)
        else:
            fill(folder, compiled, sys.argv[1:], str(root.absolute()))
    except RunFolderError as problem:
        raise click.UsageError(f"{problem.message}\n{problem.fix}") from None
    sys.exit(follow(folder, source, root, resume=resume, quiet=quiet, plain=plain))
