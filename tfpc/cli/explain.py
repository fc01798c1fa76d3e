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
        if name.lower().replace("_", "-") in (code.code.lower(), code.slug):
            text = code.explanation.strip()
            return f"{code.code} {code.slug}: {code.title}\n\n{text}"
    known = [rule.slug for rule in RULES] + [code.slug for code in CODES.values()]
    if name.lower().startswith("tfp"):
        known = [rule.code for rule in RULES] + list(CODES)
    meant = did_you_mean(name, known) or "messages name theirs in brackets"
    raise click.UsageError(f"there is no code or rule `{name}`; {meant}")
