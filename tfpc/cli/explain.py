"""The page of a code or rule, for `tfpc lint --explain`."""

from __future__ import annotations

import click

from tfpc.diagnostics.codes import CODES
from tfpc.diagnostics.suggestion import did_you_mean


def page_of(name: str) -> str:
    """The page, found by code or slug. Raises click.UsageError if there is none."""
    from tfpc.rules.registry import RULES, find

    rule = find(name)
    if rule is not None:
        return rule.page()
    for code in CODES.values():
        if name.upper() == code.code or name == code.slug:
            return (
                f"{code.code} {code.slug}: {code.title}\n\n{code.explanation.strip()}"
            )
    known = [each.slug for each in RULES] + [code.slug for code in CODES.values()]
    known += [each.code for each in RULES] + list(CODES)
    raise click.UsageError(
        f"there is no code or rule `{name}`; {did_you_mean(name, known)}"
    )
