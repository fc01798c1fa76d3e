"""`tfpc peek`: one real batch after every step of the pipeline."""

from __future__ import annotations

import pathlib
import sys
from typing import TYPE_CHECKING

import click

from tfpc.cli.paper import paper
from tfpc.cli.spec import override_options, read_spec, show

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
    from tfpc.driver import Options, check, incomplete
    from tfpc.launch.refusal import RefusedError

    target = folder_of_pictures(output)
    source, problems = read_spec(spec)
    compiled = None if source is None else check(source, Options(settings, profiles))
    if compiled is not None:
        if not compiled.failed:
            needed = ["pipeline"]
            compiled.diagnostics += incomplete(
                compiled.spec, compiled.source, needed, "show"
            )
        problems = compiled.diagnostics
    show(problems, err=True)
    if compiled is None or compiled.failed:
        sys.exit(1)
    try:
        code = look_at(compiled, split, examples, target, drawn=output is not None)
    except RefusedError as refusal:
        show([refusal.problem], err=True)
        code = 1
    sys.exit(code)


def folder_of_pictures(output: str | None) -> pathlib.Path:
    """Where the pictures go. Raises click.UsageError for what is no folder."""
    if output == "":
        raise click.UsageError("-o needs the name of a folder")
    target = pathlib.Path(output or FOLDER)
    if target.exists() and not target.is_dir():
        raise click.UsageError(
            f"{target} is a file, and the pictures go into a folder: name one by -o"
        )
    return target


def look_at(
    compiled: Compiled,
    split: str | None,
    examples: int | None,
    target: pathlib.Path,
    *,
    drawn: bool,
) -> int:
    """Runs the program and shows what it tells; returns the exit code.

    drawn: whether pictures were asked for by name. Raises RefusedError if they can't
    be written.
    """
    from tfpc.codegen.peek import generate_peek
    from tfpc.driver import folder_of
    from tfpc.launch.peek.start import looked
    from tfpc.launch.refusal import RefusedError

    assert compiled.plan is not None
    if any(
        node.gives for chain in compiled.plan.chains.values() for node in chain.nodes
    ):
        raise RefusedError(
            "TFP199",
            "`peek` can't show `python` steps yet",
            "leave the step out for a look, or look at the program's `train_dataset()`",
        )
    shown = splits_by_mode(compiled.plan, split)
    root = folder_of(compiled.source)
    program = generate_peek(compiled.plan, shown, examples or PICTURES, ".")
    with looked(program, root) as look:
        problem = look.problem(compiled.source)
        if problem is not None:
            show([problem], err=True)
            click.echo(f"\nlog: {look.folder.log}", err=True)
            return look.exit_code
        present(compiled, look, target, asked=drawn or examples is not None)
        if split is None and "eval" not in shown:
            click.echo("\nno eval: the data has neither a validation nor a test split")
        return look.exit_code


def splits_by_mode(plan: Plan, split: str | None) -> dict[Mode, str]:
    """What is shown. Raises click.UsageError if the data lacks the split."""
    there = list(plan.data.splits)
    if split is not None and split not in there:
        listed = ", ".join(there)
        raise click.UsageError(
            f"--split {split}: `data {plan.data.name}` has no {split} split, only {listed}"
        )
    if split is not None:
        return {"train" if split == "train" else "eval": split}
    shown: dict[Mode, str] = {"train": "train"}
    for name in there:
        if name != "train":
            shown.setdefault("eval", name)
    return shown


def present(
    compiled: Compiled, look: Look, target: pathlib.Path, *, asked: bool
) -> None:
    """Shows each batch, and says where its pictures are. asked: for pictures."""
    from rich.console import Console

    width, color = paper(WIDE)
    console = Console(
        file=sys.stdout,
        width=width,
        force_terminal=color,
        no_color=not color,
        highlight=False,
        markup=False,
    )
    for number, peeked in enumerate(look.peeked):
        if number:
            click.echo()
        present_batch(console, compiled, look, peeked, target)
    if asked and look.peeked and not any(peeked["rows"] for peeked in look.peeked):
        click.echo("\nno pictures are drawn: no step of this pipeline makes one")


def present_batch(
    console: Console,
    compiled: Compiled,
    look: Look,
    peeked: Event,
    target: pathlib.Path,
) -> None:
    """One batch: what it is, every step, the contact sheet."""
    from tfpc.launch.peek.heading import heading
    from tfpc.launch.peek.page import draw
    from tfpc.launch.peek.rows import Rows
    from tfpc.launch.peek.sheet import legend, save

    assert compiled.plan is not None
    assert compiled.spec is not None
    assert compiled.spec.pipeline is not None
    rows = Rows(compiled.plan, compiled.spec.pipeline, compiled.source, peeked).all()
    shown = list(rows)
    console.print(heading(compiled.plan, peeked), style="bold")
    draw(shown, console)
    path = save(look.folder, peeked, target)
    if path is not None:
        for line in legend(path, peeked, shown):
            console.print(line, soft_wrap=True)
