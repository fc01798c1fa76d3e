"""`tfpc peek`: one real batch after every step of the pipeline."""

from __future__ import annotations

import pathlib
import sys
from typing import TYPE_CHECKING

import click

from tfpc.cli.paper import paper
from tfpc.cli.spec import override_options, read_spec, show
from tfpc.diagnostics.span import Source

if TYPE_CHECKING:
    from rich.console import Console

    from tfpc.driver import Compiled
    from tfpc.launch.events import Event
    from tfpc.launch.peek.start import Look
    from tfpc.plan.ir import Mode, Plan

SPLITS = ("train", "validation", "test")
FOLDER, PICTURES, MOST_PICTURES = "peek", 8, 64
WIDE = 200


@click.command()
@click.argument("spec")
@click.option(
    "--split",
    type=click.Choice(SPLITS),
    help="Only this one (default: train, and what is evaluated first).",
)
@click.option(
    "--examples",
    type=click.IntRange(1, MOST_PICTURES),
    metavar="N",
    help=f"How many examples are drawn (default: {PICTURES}).",
)
@click.option(
    "-o",
    "--output",
    metavar="DIR",
    help=f"Where the pictures go (default: {FOLDER}/).",
)
@override_options
def peek(
    spec: str,
    split: str | None,
    examples: int | None,
    output: str | None,
    settings: tuple[str, ...],
    profiles: tuple[str, ...],
) -> None:
    """Shows one batch of SPEC after every step of its pipeline.

    It is the first batch that training meets, and the first one of an evaluation, with
    the order and draws of a run. What a step does to pictures is drawn, too: a row for
    each step, in peek-train.png and peek-eval.png.
    """
    from tfpc.driver import Options, check
    from tfpc.launch.refusal import RefusedError

    target = folder_of_pictures(output)
    source, problems = read_spec(spec)
    compiled = None if source is None else check(source, Options(settings, profiles))
    if compiled is not None:
        problems = compiled.diagnostics
    show(problems, err=True)
    if source is None or compiled is None or compiled.failed:
        sys.exit(1)
    try:
        code = look_at(compiled, split, examples, output, target)
    except RefusedError as refusal:
        show([refusal.problem], err=True)
        code = 1
    sys.exit(code)
