"""`tfpc lint --fix` and `--diff`: writes the mended spec, or shows what would change."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tfpc.cli.rewriting import difference, replace_bytes
from tfpc.cli.spec import STANDARD_INPUT, read_bytes
from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.diagnostics.mending import Checked, Mended, mend
from tfpc.diagnostics.span import Source

if TYPE_CHECKING:
    from tfpc.driver import Options

BYTE_ORDER_MARK = "\ufeff"


def refuse_wrong_flags(
    specs: Sequence[str], output_format: str, *, fix: bool, diff: bool, unsafe: bool
) -> None:
    """Raises click.UsageError for flags that can't be meant together."""
    if unsafe and not (fix or diff):
        raise click.UsageError("--unsafe-fixes needs --fix, or --diff to see them")
    if fix and not diff and STANDARD_INPUT in specs:
        raise click.UsageError("--fix needs a file to write to; --diff takes `-`, too")
    if diff and output_format != "text":
        raise click.UsageError("--diff prints a diff, so it takes no --output-format")


def fix(
    source: Source, options: Options, *, unsafe: bool, err: bool
) -> list[Diagnostic]:
    """Mends a file, says so, and gives what remains. err: says it on standard error."""
    done = mended(source, options, unsafe=unsafe)
    write(source.name, source, done.source)
    told = summary(done, source.name, "fixed")
    if told:
        click.echo(told if err else f"{told}\n", err=err)
    return list(done.checked.problems)


def show_difference(
    source: Source, options: Options, *, unsafe: bool
) -> list[Diagnostic]:
    """Prints what a fix would change, and gives what is wrong as long as it does not."""
    from tfpc.driver import check

    done = mended(source, options, unsafe=unsafe)
    click.echo(difference(source, done.source), nl=False)
    told = summary(done, source.name, "would fix")
    click.echo(told or f"nothing to fix in {source.name}", err=True)
    return check(source, options).diagnostics


def mended(source: Source, options: Options, *, unsafe: bool) -> Mended:
    """The spec after all of its fixes that can be applied. Nothing is written."""
    from tfpc.driver import Stage, check

    def checked(text: Source) -> Checked:
        compiled = check(text, options)
        last = compiled.stage is Stage.RULES
        return Checked(compiled.stage, last, compiled.diagnostics)

    return mend(source, checked, unsafe=unsafe)


def summary(done: Mended, name: str, verb: str) -> str:
    """`fixed 3 problems in x.tfp (2 remain)`, and what was taken back."""
    lines = []
    remaining = len(done.checked.problems)
    if done.fixed:
        remain = "remains" if remaining == 1 else "remain"
        left = f" ({remaining or 'none'} {remain})"
        lines.append(f"{verb} {problems(len(done.fixed))} in {name}{left}")
    for problem in done.refused:
        said = "the spec would be worse with it"
        place = problem.span or name
        lines.append(f"{place}: the fix of {problem.code} is not applied: {said}")
    return "\n".join(lines)


def problems(count: int) -> str:
    """`1 problem`, `3 problems`."""
    return f"{count} problem{'' if count == 1 else 's'}"


def write(name: str, before: Source, after: Source) -> None:
    """Puts the new text in the place of the old one. Raises click.UsageError.

    It is written aside and renamed, so that at no time there is half a spec.
    """
    if after.text == before.text:
        return
    try:
        text = read_bytes(name).decode("utf-8")
        if Source(name, text).text != before.text:
            raise click.UsageError(
                f"{name} has changed since it was read, so it is not written; "
                "run `tfpc lint --fix` again"
            )
        mark = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ""
        replace_bytes(Path(name).resolve(), (mark + after.text).encode("utf-8"))
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise click.UsageError(f"{name} can't be written: {reason}") from None
