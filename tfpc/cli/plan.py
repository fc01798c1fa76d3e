"""`tfpc plan`: shows what will be done."""

from __future__ import annotations

import json
import sys

import click

from tfpc.cli.spec import override_options, read_spec, show


@click.command()
@click.argument("spec")
@click.option("--json", "as_values", is_flag=True, help="For a machine to read.")
@override_options
def plan(
    spec: str, as_values: bool, settings: tuple[str, ...], profiles: tuple[str, ...]
) -> None:
    """Shows what SPEC will do: types, sizes, places, and what the compiler changed."""
    from tfpc.driver import Options, check
    from tfpc.passes.order import optimize
    from tfpc.plan.as_json import as_json
    from tfpc.plan.show import render

    source, problems = read_spec(spec)
    compiled = None if source is None else check(source, Options(settings, profiles))
    if compiled is not None:
        problems = compiled.diagnostics
    show(problems, err=True)
    if compiled is None or compiled.plan is None or compiled.failed:
        sys.exit(1)
    done = optimize(compiled.plan)
    click.echo(json.dumps(as_json(done), indent=2) if as_values else render(done))
