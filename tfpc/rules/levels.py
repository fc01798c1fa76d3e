"""How much the findings of each rule weigh: its own severity, the spec, the flags."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Edit, Fix, Severity
from tfpc.diagnostics.suggestion import did_you_mean, nearest
from tfpc.rules.registry import RULES, find
from tfpc.spec.model import RuleLevel


def unknown_rules(levels: Sequence[RuleLevel]) -> list[Diagnostic]:
    """One error for each line of the `lint` block that names no rule."""
    names = [rule.slug.replace("-", "_") for rule in RULES]
    found = []
    for level in levels:
        if find(level.rule) is None:
            close = nearest(level.rule, names, 1)
            edits = (Edit(level.span, close[0]),) if close else ()
            text = (
                did_you_mean(level.rule, names) or "write the code that messages show"
            )
            said = f"there is no rule named `{level.rule}`"
            fix = Fix(text, edits)
            found.append(error("TFP142", said, level.span, fix=fix))
    return found


def severities(
    levels: Sequence[RuleLevel], given: Mapping[str, Severity]
) -> dict[str, Severity | None]:
    """By slug, where it is not the rule's own; None is off. given: on the command
    line, which comes last.
    """
    found: dict[str, Severity | None] = {}
    for level in levels:
        rule = find(level.rule)
        if rule is not None:
            found[rule.slug] = level.severity
    return {**found, **given}


def asked(
    levels: Mapping[str, Severity | None], chosen: Collection[str] | None
) -> frozenset[str]:
    """The slugs of the rules that speak: chosen (None: all of them), and not off."""
    return frozenset(
        rule.slug
        for rule in RULES
        if (chosen is None or rule.slug in chosen)
        and levels.get(rule.slug, rule.severity) is not None
    )
