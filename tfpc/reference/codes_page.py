"""The rules and codes on a terminal, one a line."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from rich.console import RenderableType
from rich.text import Text

from tfpc.reference.codes import Entry
from tfpc.reference.page import heading, listing, rendered

CODE = len("TFP000")


def overview(
    rules: Sequence[Entry], messages: Sequence[Entry], *, width: int, color: bool
) -> str:
    """The rules with their severities, then the other messages by subject."""
    parts: list[RenderableType] = [heading("rules of lint")]
    rows = [(each.code, each.severity or "", told(each)) for each in rules]
    parts += [listing(rows, (CODE, len("warning"), None)), Text()]
    for group, members in groupby(messages, key=lambda entry: entry.group):
        parts.append(heading(f"messages: {group}"))
        parts += [listing([(e.code, told(e)) for e in members], (CODE, None)), Text()]
    parts.append(Text("`tfpc rules CODE` says all about one, by its code or name."))
    return rendered(parts, width=width, color=color)


def told(entry: Entry) -> str:
    """The name, by which a rule is allowed or selected, and what it is about."""
    return f"{entry.slug}: {entry.title.rstrip('.')}"
