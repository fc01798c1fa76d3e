"""All that tfpc may report: the rules of lint, and the other messages by their codes."""

from __future__ import annotations

import inspect
from dataclasses import asdict, dataclass
from typing import Any, Literal

from tfpc.diagnostics.codes import CODES
from tfpc.rules.registry import RULES

# By how codes begin, in the order of the stages that say them.
GROUPS = {
    "TFP0": "syntax",
    "TFP1": "names, words and values",
    "TFP2": "types",
    "TFP9": "running",
}
OTHERS = "others"


@dataclass(frozen=True, slots=True)
class Entry:
    """A rule, or the kind of another message.

    severity: of a rule, if nobody changes it; None for another message. group: what
    the messages with such codes are about, empty for a rule. page: all about it.
    """

    code: str
    slug: str
    kind: Literal["rule", "message"]
    severity: str | None
    group: str
    title: str
    page: str

    def as_values(self) -> dict[str, Any]:
        """For JSON: the fields by their names, in this order. The form only grows."""
        return asdict(self)


def all_rules() -> list[Entry]:
    """The rules by their codes."""
    found = [
        Entry(
            rule.code,
            rule.slug,
            "rule",
            rule.severity.word,
            "",
            inspect.cleandoc(rule.__doc__ or "").partition("\n")[0],
            rule.page(),
        )
        for rule in RULES
    ]
    return sorted(found, key=lambda entry: entry.code)


def all_messages() -> list[Entry]:
    """What is no rule, by the codes."""
    return [
        Entry(
            code.code,
            code.slug,
            "message",
            None,
            GROUPS.get(code.code[:4], OTHERS),
            code.title,
            f"{code.code} {code.slug}: {code.title}\n\n{code.explanation.strip()}",
        )
        for code in sorted(CODES.values(), key=lambda code: code.code)
    ]


def find(name: str) -> Entry | None:
    """What has that code or slug, or that slug with `_`; a rule comes first."""
    wanted = name.replace("_", "-").lower()
    for entry in [*all_rules(), *all_messages()]:
        if wanted in (entry.slug, entry.code.lower()):
            return entry
    return None
