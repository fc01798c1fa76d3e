"""The table of codes, and its explanations."""

from __future__ import annotations

import re

import pytest

from tfpc.diagnostics import (
    codes_lint,
    codes_python,
    codes_reuse,
    codes_run,
    codes_syntax,
    codes_types,
    codes_values,
    codes_words,
)
from tfpc.diagnostics.codes import CODES, Code, error
from tfpc.diagnostics.diagnostic import Fix, Label, Severity
from tfpc.diagnostics.span import Source, Span
from tfpc.diagnostics.text import render
from tfpc.syntax.parser import parse

ALL = list(CODES.values())


def test_codes_and_slugs_are_given_once() -> None:
    families = (
        codes_syntax,
        codes_words,
        codes_values,
        codes_reuse,
        codes_lint,
        codes_python,
        codes_types,
        codes_run,
    )
    assert len(CODES) == sum(len(family.CODES) for family in families)
    assert len({entry.slug for entry in ALL}) == len(ALL)


@pytest.mark.parametrize("entry", ALL, ids=lambda entry: entry.code)
def test_an_explanation_has_a_wrong_and_a_right_example(entry: Code) -> None:
    assert re.fullmatch(r"TFP\d{3}", entry.code)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", entry.slug)
    assert "\nWrong:\n\n    " in entry.explanation
    assert "\nRight:\n\n    " in entry.explanation
    assert not entry.title.endswith(".")
    assert max(map(len, entry.explanation.split("\n"))) <= 84


# What cannot be shown as a spec: a file's bytes, a hidden character, 101 levels.
# TFP012 is right as far as syntax goes.
SHOWN = [
    entry
    for entry in codes_syntax.CODES
    if entry.code not in ("TFP012", "TFP019", "TFP023", "TFP024")
]


@pytest.mark.parametrize("entry", SHOWN, ids=lambda entry: entry.code)
def test_the_examples_of_syntax_are_what_they_say(entry: Code) -> None:
    wrong, right = re.findall(r"(?:^ {4}.*\n|^\n(?= {4}))+", entry.explanation, re.M)[
        -2:
    ]
    _, found = parse(Source("wrong.tfp", re.sub("^ {4}", "", wrong, flags=re.M)))
    assert entry.code in {problem.code for problem in found}
    _, found = parse(Source("right.tfp", re.sub("^ {4}", "", right, flags=re.M)))
    assert not found, render(found[0])


def test_error_fills_in_what_the_table_knows() -> None:
    source = Source("a.tfp", "epochs: 10")
    other = Label(Span(source, 0, 6), "here")
    problem = error(
        "TFP003", "said", Span(source, 6, 7), "there", fix="do it", labels=[other]
    )
    assert (problem.slug, problem.severity) == ("colon", Severity.ERROR)
    assert problem.labels == (Label(Span(source, 6, 7), "there", True), other)
    assert problem.fix == Fix("do it")
    assert problem.span == Span(source, 6, 7)
    with pytest.raises(KeyError):
        error("TFP999", "said", None)
