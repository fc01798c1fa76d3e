"""What a code or rule is found by, for `tfpc lint --explain` and `tfpc rules`."""

from __future__ import annotations

import click

from tfpc.diagnostics.suggestion import did_you_mean
from tfpc.reference.codes import Entry, all_messages, all_rules, find


def page_of(name: str) -> str:
    """The page of a code or slug. Raises click.UsageError if there is none."""
    return entry_of(name).page


def entry_of(name: str) -> Entry:
    """What has that code or slug. Raises click.UsageError if there is none."""
    found = find(name)
    if found is not None:
        return found
    everything = [*all_rules(), *all_messages()]
    if name.lower().startswith("tfp"):
        known = [entry.code for entry in everything]
    else:
        known = [entry.slug for entry in everything]
    meant = did_you_mean(name, known) or "messages name theirs in brackets"
    raise click.UsageError(f"there is no code or rule `{name}`; {meant}")
