"""Finds the mistake behind a failure to read, the most telling first."""

from __future__ import annotations

from collections.abc import Callable

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.syntax.mistakes import (
    blocks,
    brackets,
    chains,
    characters,
    commas,
    foreign,
    imports,
    names,
    numbers,
    quotes,
    settings,
)
from tfpc.syntax.situation import Situation
from tfpc.syntax.terminals import NAMES, listing

# Each looks at the situation and answers None if it is another mistake. A later one
# may rely on what the earlier ones have excluded.
MISTAKES: tuple[Callable[[Situation], Diagnostic | None], ...] = (
    quotes.triple_quotes,
    quotes.letter_before_quotes,
    quotes.wrong_quotes,
    quotes.text_never_ends,
    foreign.statement_of_another_language,
    foreign.operator_word,
    foreign.conditional,
    foreign.list_dash,
    foreign.comment,
    foreign.decorator,
    foreign.semicolon,
    foreign.power,
    foreign.assignment,
    chains.pipe,
    chains.method_chain,
    foreign.backslash,
    foreign.dollar,
    settings.colon,
    settings.double_equal,
    blocks.block_as_value,
    numbers.point_without_digits,
    numbers.comma_in_number,
    numbers.detached_unit,
    names.hyphen,
    names.reserved,
    imports.import_without_name,
    imports.import_of_no_text,
    names.missing_name,
    names.python_without_text,
    names.starts_with_digit,
    brackets.wrong_partner,
    brackets.never_closed,
    settings.missing_value,
    settings.second_equal,
    settings.parameters,
    brackets.stray,
    blocks.brace_on_next_line,
    settings.missing_equal,
    settings.let_without_equal,
    brackets.belong_to_no_word,
    commas.tuple_of_values,
    commas.missing_comma,
    commas.stray_comma,
    settings.two_values,
    settings.two_on_a_line,
    characters.other_alphabet,
    characters.unknown_character,
)


_FEW = 5


def explain(situation: Situation) -> Diagnostic:
    """The sentence for a failure; every situation has one."""
    for mistake in MISTAKES:
        if problem := mistake(situation):
            return problem
    return _unforeseen(situation)


def _unforeseen(at: Situation) -> Diagnostic:
    found = NAMES[at.kind] if at.kind in ("NL", "$END") else f"`{at.span.text}`"
    expected = listing(at.expected)
    if not at.line and "NAME" in at.expected:
        expected = "a line that starts with a word"
    if len(at.expected) <= _FEW or at.last is None:
        return error("TFP001", f"expected {expected}, found {found}", at.span)
    headline = f"{found} cannot follow `{at.last}`"
    return error("TFP001", headline, at.span, f"expected {expected}")
