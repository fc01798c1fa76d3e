"""`tfpc fmt`: formats specs in place, or says which are not formatted."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from tfpc.cli.rewriting import difference, replace_bytes
from tfpc.cli.spec import STANDARD_INPUT, counted, read_bytes, read_spec, show, unread
from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.diagnostics.span import Source


@click.command()
@click.argument("specs", nargs=-1, required=True)
@click.option(
    "--check", is_flag=True, help="Write nothing; exit 1 if one would change."
)
@click.option("--diff", is_flag=True, help="Write nothing; print what would change.")
def fmt(specs: tuple[str, ...], check: bool, diff: bool) -> None:
    """Formats SPECS in place: files, all .tfp files in folders, or `-` for standard input.

    There are no options to choose a style. What a spec means, its comments, and single
    blank lines stay as they are. `-` writes the formatted text to standard output.
    """
    changed, same, failed = 0, 0, 0
    for name in found_in(specs):
        source, problems = read_spec(name)
        text = None
        if source is not None:
            text, problems = formatted(source)
        if source is None or text is None:
            show(problems, err=True)
            click.echo(counted(problems, name), err=True)
            failed += 1
        elif place(name, source, text, keep=check or diff, diff=diff):
            changed += 1
        else:
            same += 1
    if tuple(specs) != (STANDARD_INPUT,) or check:
        click.echo(summary(changed, same, failed, kept=check or diff), err=True)
    sys.exit(1 if failed or (check and changed) else 0)


def found_in(specs: Sequence[str]) -> Iterator[str]:
    """The files named, each folder as those in it; hidden folders are left out."""
    for name in specs:
        path = Path(name)
        if name == STANDARD_INPUT or not path.is_dir():
            yield name
            continue
        files = sorted(
            file
            for file in path.rglob("*.tfp")
            if not any(part.startswith(".") for part in file.relative_to(path).parts)
        )
        if not files:
            show(
                [unread(f"no .tfp file is in {name}", "name another folder")], err=True
            )
            sys.exit(1)
        yield from map(str, files)


def formatted(source: Source) -> tuple[str | None, list[Diagnostic]]:
    """The text, or what is wrong in it: only what can be read can be formatted."""
    from tfpc.syntax.formatting.format import format_source

    return format_source(source)


def place(name: str, source: Source, text: str, *, keep: bool, diff: bool) -> bool:
    """Writes or shows one formatted spec; whether it is another than it was.

    keep: the file stays as it is. Raises click.UsageError if it can't be written.
    """
    data = text.encode("utf-8")
    if name == STANDARD_INPUT:
        other = text != source.text
        if not keep:
            sys.stdout.buffer.write(data)
    else:
        other = data != read_bytes(name)  # a byte-order mark is not in the source
    if other and diff:
        click.echo(difference(source, Source(name, text)), nl=False)
    elif other and keep:
        click.echo(f"would format {name}")
    elif other and name != STANDARD_INPUT:
        try:
            replace_bytes(Path(name).resolve(), data)
        except OSError as problem:
            reason = problem.strerror or str(problem)
            raise click.UsageError(f"{name} can't be written: {reason}") from None
        click.echo(f"formatted {name}")
    return other


def summary(changed: int, same: int, failed: int, *, kept: bool) -> str:
    """`1 spec formatted, 3 as they should be`."""
    said = []
    if changed:
        verb = "would be formatted" if kept else "formatted"
        said.append(f"{changed} spec{'' if changed == 1 else 's'} {verb}")
    if same:
        said.append(f"{same} {'is' if same == 1 else 'are'} formatted already")
    if failed:
        said.append(f"{failed} can't be read")
    return ", ".join(said)
