"""`tfpc doctor`: what this machine has for training, and what mends what it lacks."""

from __future__ import annotations

import json
import re
import sys
import textwrap
from typing import TYPE_CHECKING

import click

from tfpc.cli.paper import paper

if TYPE_CHECKING:
    from tfpc.launch.doctor.finding import Finding

COLORS = {"ok": "green", "note": "cyan", "problem": "red"}
QUOTED = re.compile(r"`[^`]+`")
# A blank that lines are not broken at.
HARD = "\u00a0"
LEVEL, ABOUT = len("problem"), len("tensorflow")


@click.command()
@click.option("--json", "as_values", is_flag=True, help="For a machine to read.")
def doctor(as_values: bool) -> None:
    """Looks at Python, packages, cores, memory, disk, TensorFlow and GPUs.

    Ends with 0 if training on the CPU works here, else with 1. TensorFlow is asked in
    a process of its own, for two minutes at most. --json prints an object with works
    and findings, a list of objects with level (ok, note, problem), about, message, fix
    and facts.
    """
    from tfpc.diagnostics.columns import visible
    from tfpc.launch.doctor.examine import Examination

    examination = Examination()
    width, color = paper()
    found: list[Finding] = []
    for finding in examination.findings():
        found.append(finding)
        if not as_values:
            for line in lines(finding, width):
                click.echo(styled(visible(line), finding), color=color)
    if as_values:
        findings = [finding.as_values() for finding in found]
        values = {"works": examination.works, "findings": findings}
        click.echo(json.dumps(values, indent=2))
    sys.exit(0 if examination.works else 1)


def lines(finding: Finding, width: int) -> list[str]:
    """What is said of a finding; what mends it stands below."""
    head = f"{finding.level.value:{LEVEL}}  {finding.about:{ABOUT}}  "
    margin = " " * len(head)
    said = wrapped(finding.said, width, head, margin)
    if not finding.fix:
        return said
    return [*said, *wrapped(finding.fix, width, f"{margin}fix: ", f"{margin}     ")]


def wrapped(text: str, width: int, first: str, others: str) -> list[str]:
    """Text in lines; a command is not broken, so that it can be copied."""
    whole = QUOTED.sub(lambda found: found[0].replace(" ", HARD), text)
    lines = textwrap.wrap(
        whole,
        width,
        initial_indent=first,
        subsequent_indent=others,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace(HARD, " ") for line in lines]


def styled(line: str, finding: Finding) -> str:
    """The level in color, where a line begins with it."""
    level = finding.level.value
    if line.startswith(level):
        return click.style(level, fg=COLORS[level], bold=True) + line[len(level) :]
    return line
