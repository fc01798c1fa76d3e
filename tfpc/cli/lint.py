"""`tfpc lint`: checks specs."""

from __future__ import annotations

import sys

import click

from tfpc.cli.spec import counted, read_spec, set_option, show
from tfpc.diagnostics.diagnostic import Diagnostic, Severity

SEVERITIES = {severity.word: severity for severity in Severity}


@click.command()
@click.argument("specs", nargs=-1, metavar="SPEC...")
@click.option(
    "--output-format",
    type=click.Choice(["text", "json"]),
    default="text",
    help="How to print what was found.",
)
@set_option
@click.option("--no-data", is_flag=True, help="Do not look at the data.")
@click.option(
    "--severity",
    "severities",
    multiple=True,
    metavar="RULE=LEVEL",
    help="Take a rule's notes or warnings for error, warning or note.",
)
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning"]),
    default="error",
    help="From which level on the exit code is 1.",
)
@click.option("--explain", metavar="CODE", help="Explain a code or rule, and stop.")
def lint(
    specs: tuple[str, ...],
    output_format: str,
    settings: tuple[str, ...],
    no_data: bool,
    severities: tuple[str, ...],
    fail_on: str,
    explain: str | None,
) -> None:
    """Checks specs (`-` is standard input)."""
    from tfpc.cli.explain import page_of
    from tfpc.driver import Options, check

    if explain is not None:
        click.echo(page_of(explain))
        return
    if not specs:
        raise click.UsageError("name a spec to check, or a code to --explain")
    options = Options(settings, not no_data, read_severities(severities))
    found: list[Diagnostic] = []
    for name in specs:
        source, problems = read_spec(name)
        if source is not None:
            problems = check(source, options).diagnostics
        found += problems
        if output_format == "text":
            show(problems)
            click.echo(("\n" if problems else "") + counted(problems, name))
    if output_format == "json":
        from tfpc.diagnostics.json_output import render_json

        click.echo(render_json(found))
    worst = max((each.severity for each in found), default=Severity.NOTE)
    sys.exit(1 if worst >= SEVERITIES[fail_on] else 0)


def read_severities(texts: tuple[str, ...]) -> dict[str, Severity]:
    """`augment-after-cache=error` to what it says. Raises click.UsageError."""
    from tfpc.diagnostics.suggestion import did_you_mean
    from tfpc.rules.registry import RULES

    slugs = [rule.slug for rule in RULES]
    read: dict[str, Severity] = {}
    for text in texts:
        slug, _, level = text.partition("=")
        if slug not in slugs:
            raise click.UsageError(
                f"there is no rule `{slug}`; {did_you_mean(slug, slugs)}"
            )
        if level not in SEVERITIES:
            raise click.UsageError(
                f"--severity {slug}= takes error, warning or note, not `{level}`"
            )
        read[slug] = SEVERITIES[level]
    return read
