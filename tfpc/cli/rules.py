"""`tfpc rules`: what lint finds and tfpc says, and all about one rule or code."""

from __future__ import annotations

import json

import click

from tfpc.cli.paper import paper


@click.command()
@click.argument("code", required=False)
@click.option("--json", "as_values", is_flag=True, help="For a machine to read.")
def rules(code: str | None, as_values: bool) -> None:
    """Lists all rules and codes, or says all about CODE (a code, or a rule's name).

    --json prints a list of objects with code, slug, kind (`rule` or `message`),
    severity (null for a message), group (empty for a rule), title, page.
    """
    from tfpc.cli.explain import entry_of
    from tfpc.reference.codes import all_messages, all_rules

    if code is not None and not as_values:
        click.echo(entry_of(code).page)
        return
    if as_values:
        found = [*all_rules(), *all_messages()] if code is None else [entry_of(code)]
        click.echo(json.dumps([entry.as_values() for entry in found], indent=2))
        return
    from tfpc.reference.codes_page import overview

    width, color = paper()
    page = overview(all_rules(), all_messages(), width=width, color=color)
    click.echo(page, color=color)
