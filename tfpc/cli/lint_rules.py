"""Which rules lint asks, and how much they weigh: --select, --ignore, --severity."""

from __future__ import annotations

from collections.abc import Iterable

import click

from tfpc.diagnostics.diagnostic import Severity

SEVERITIES = {severity.word: severity for severity in Severity}


def read_rules(
    select: tuple[str, ...], ignore: tuple[str, ...]
) -> frozenset[str] | None:
    """The slugs of the rules that are asked, None for all. Raises click.UsageError."""
    if not select and not ignore:
        return None
    from tfpc.rules.registry import RULES

    selected = slugs_of(select, "--select")
    ignored = slugs_of(ignore, "--ignore")
    everything = {rule.slug for rule in RULES}
    return frozenset((selected if select else everything) - ignored)


def slugs_of(texts: Iterable[str], flag: str) -> set[str]:
    """What the names of one flag stand for, each text with commas between them."""
    found: set[str] = set()
    for text in texts:
        names = [name.strip() for name in text.split(",") if name.strip()]
        if not names:
            raise click.UsageError(f"{flag} needs the name of a rule, or its code")
        for name in names:
            found |= slugs_named(name, flag)
    return found


def slugs_named(name: str, flag: str) -> set[str]:
    """The slugs of a name: a code, a slug, or how codes begin."""
    from tfpc.rules.registry import RULES, find

    rule = find(name)
    if rule is not None:
        return {rule.slug}
    beginning = name.upper()
    if beginning.startswith("TFP"):
        found = {rule.slug for rule in RULES if rule.code.startswith(beginning)}
        if found:
            return found
    raise click.UsageError(no_rule(name, flag))


def no_rule(name: str, flag: str) -> str:
    """What to say of a name that no rule has."""
    from tfpc.diagnostics.codes import CODES
    from tfpc.diagnostics.suggestion import did_you_mean
    from tfpc.rules.registry import RULES

    wanted = name.replace("_", "-").lower()
    for code in CODES.values():
        if wanted == code.slug or (
            wanted.startswith("tfp") and code.code.lower().startswith(wanted)
        ):
            return (
                f"{flag} takes rules only, and `{name}` is none: what is wrong with "
                "syntax, names or types is always told"
            )
    names = [each for rule in RULES for each in (rule.slug, rule.code)]
    meant = did_you_mean(name, names) or "messages name theirs in brackets"
    return f"there is no rule `{name}`; {meant}"


def read_severities(texts: tuple[str, ...]) -> dict[str, Severity]:
    """`augment-after-cache=error` to what it says. Raises click.UsageError."""
    from tfpc.rules.registry import find

    read: dict[str, Severity] = {}
    for text in texts:
        name, equals, level = text.partition("=")
        rule = find(name)
        if rule is None:
            raise click.UsageError(no_rule(name, "--severity"))
        if not equals or level not in SEVERITIES:
            said = f"not `{level}`" if equals else "as in"
            example = "" if equals else f" --severity {name}=warning"
            raise click.UsageError(
                f"--severity {name}= takes error, warning or note, {said}{example}"
            )
        read[rule.slug] = SEVERITIES[level]
    return read
