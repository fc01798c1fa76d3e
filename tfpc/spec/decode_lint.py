"""A lint block: how much the findings of each rule weigh in this spec."""

from __future__ import annotations

from tfpc.diagnostics.diagnostic import Label, Severity
from tfpc.diagnostics.suggestion import did_you_mean
from tfpc.resolve.tree import Entry, Node
from tfpc.spec.blocks import BlockDecoder
from tfpc.spec.expectation import Expectation
from tfpc.spec.model import RuleLevel
from tfpc.spec.shown import shown
from tfpc.types.value import Symbol

LEVELS: dict[str, Severity | None] = {
    **{severity.word: severity for severity in reversed(Severity)},
    "off": None,
}


def decode_lint(node: Node, decoder: BlockDecoder) -> tuple[RuleLevel, ...]:
    """The levels in the order of their lines. That there are such rules is not a
    question of the spec: whoever has them checks it.
    """
    decoder.check_head(node, "lint { }")
    found: dict[str, RuleLevel] = {}
    for item in node.body or ():
        if isinstance(item, Node):
            decoder.report(
                "TFP104",
                f"`{item.word}` can't stand in `lint`",
                item.head,
                "`lint` has a line for each rule: its name, `=` and a level",
                fix="write a line such as `augment_after_cache = error`",
            )
        elif item.path in found:
            decoder.report(
                "TFP104",
                f"`{item.path}` is set twice",
                item.path_span,
                labels=(Label(found[item.path].span, "set here already"),),
                fix="keep one of the two",
            )
        else:
            found[item.path] = decode_level(item, decoder)
    return tuple(found.values())


def decode_level(entry: Entry, decoder: BlockDecoder) -> RuleLevel:
    """One line; a wrong level is reported, and then taken for `off`."""
    content = entry.value.content
    level = content.word if isinstance(content, Symbol) and not content.called else ""
    if level not in LEVELS:
        headline = f"`{entry.path}` must be `error`, `warning`, `note` or `off`"
        if level:
            fix, label = did_you_mean(level, LEVELS), shown(entry.value)
            decoder.report("TFP103", headline, entry.value.span, label, fix=fix)
        else:
            example = f"{entry.path} = {'off' if content is False else 'error'}"
            options = Expectation(options=tuple(LEVELS))
            decoder.report_value(entry.value, headline, options, example)
    return RuleLevel(entry.path, entry.path_span, LEVELS.get(level))
