"""`tfpc lint`: checks specs."""

from __future__ import annotations

import sys

import click

from tfpc.cli.spec import counted, override_options, read_spec, show
from tfpc.diagnostics.diagnostic import Diagnostic, Severity

SEVERITIES = {severity.word: severity for severity in Severity}


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
    from tfpc.driver import Options, check

    options = Options(settings, profiles, not no_data, read_severities(severities))
    found: list[Diagnostic] = []
    for number, name in enumerate(specs):
        source, problems = read_spec(name)
        if source is not None:
            problems = check(source, options).diagnostics
        found += problems
        if output_format == "text":
            if number:
                click.echo()
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
    from tfpc.rules.registry import RULES, find

    slugs = [rule.slug for rule in RULES]
    read: dict[str, Severity] = {}
    for text in texts:
        name, equals, level = text.partition("=")
        rule = find(name)
        if rule is None:
            meant = did_you_mean(name, slugs) or "messages name theirs"
            raise click.UsageError(f"there is no rule `{name}`; {meant}")
        if not equals or level not in SEVERITIES:
            said = f"not `{level}`" if equals else "as in"
            example = "" if equals else f" --severity {name}=warning"
            raise click.UsageError(
                f"--severity {name}= takes error, warning or note, {said}{example}"
            )
        read[rule.slug] = SEVERITIES[level]
    return read
