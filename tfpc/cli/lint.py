"""`tfpc lint`: checks specs."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from tfpc.cli.lint_rules import SEVERITIES, read_rules, read_severities
from tfpc.cli.spec import counted, override_options, read_spec, show
from tfpc.diagnostics.diagnostic import Diagnostic, Severity

if TYPE_CHECKING:
    from tfpc.driver import Options


@click.command()
@click.argument("specs", nargs=-1, metavar="SPEC...")
@click.option(
    "--output-format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How to print what was found.",
)
@override_options
@click.option("--no-data", is_flag=True, help="Do not look at the data.")
@click.option("--fix", is_flag=True, help="Apply the fixes that keep what was meant.")
@click.option(
    "--unsafe-fixes", "unsafe", is_flag=True, help="Apply also those that may not."
)
@click.option(
    "--diff", is_flag=True, help="Show what --fix would change; write nothing."
)
@click.option(
    "--select",
    multiple=True,
    metavar="RULES",
    help="Ask these rules only: codes, names, or how codes begin (TFP3).",
)
@click.option(
    "--ignore", multiple=True, metavar="RULES", help="Do not ask these rules."
)
@click.option(
    "--severity",
    "severities",
    multiple=True,
    metavar="RULE=LEVEL",
    help="Take what a rule finds for an error, a warning or a note.",
)
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning"]),
    default="error",
    show_default=True,
    help="From which level on the exit code is 1.",
)
@click.option("--explain", metavar="CODE", help="Explain a code or rule, and stop.")
def lint(
    specs: tuple[str, ...],
    output_format: str,
    settings: tuple[str, ...],
    profiles: tuple[str, ...],
    no_data: bool,
    fix: bool,
    unsafe: bool,
    diff: bool,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    severities: tuple[str, ...],
    fail_on: str,
    explain: str | None,
) -> None:
    """Checks each SPEC (`-` is standard input)."""
    if explain is not None:
        from tfpc.cli.explain import page_of

        click.echo(page_of(explain))
        return
    if not specs:
        raise click.UsageError("name a spec to check, or a code to --explain")
    if fix or diff or unsafe:
        from tfpc.cli.lint_fix import refuse_wrong_flags

        refuse_wrong_flags(specs, output_format, fix=fix, diff=diff, unsafe=unsafe)
    from tfpc.driver import Options

    levels, rules = read_severities(severities), read_rules(select, ignore)
    options = Options(settings, profiles, not no_data, levels, rules)
    linter = Linter(options, output_format == "text", fix, unsafe, diff)
    found: list[Diagnostic] = []
    for number, name in enumerate(specs):
        if number and linter.text and not diff:
            click.echo()
        found += linter.lint(name)
    if output_format == "json":
        from tfpc.diagnostics.json_output import render_json

        click.echo(render_json(found))
    worst = max((each.severity for each in found), default=Severity.NOTE)
    sys.exit(1 if worst >= SEVERITIES[fail_on] else 0)


@dataclass(frozen=True, slots=True)
class Linter:
    """What is done with each spec. text: messages are printed at once."""

    options: Options
    text: bool
    fix: bool
    unsafe: bool
    diff: bool

    def lint(self, name: str) -> list[Diagnostic]:
        """What is wrong with a spec, after its fixes if these are written."""
        from tfpc.driver import check

        source, problems = read_spec(name)
        if self.diff:
            from tfpc.cli.lint_fix import show_difference

            if source is not None:
                return show_difference(source, self.options, unsafe=self.unsafe)
            show(problems, err=True)
        elif source is not None and self.fix:
            from tfpc.cli.lint_fix import fix

            problems = fix(source, self.options, unsafe=self.unsafe, err=not self.text)
        elif source is not None:
            problems = check(source, self.options).diagnostics
        if self.text and not self.diff:
            show(problems)
            click.echo(("\n" if problems else "") + counted(problems, name))
        return problems
