"""The page of the language: its snippets are right (or wrong as said), its tables true.

`pytest --update-goldens` writes the tables of words and rules anew.
"""

from __future__ import annotations

import pathlib
import re

import pytest

from tfpc.diagnostics.diagnostic import Severity
from tfpc.diagnostics.span import Source
from tfpc.diagnostics.text import render_all
from tfpc.driver import Options, check
from tfpc.rules.registry import RULES
from tfpc.rules.standard import whole_spec
from tfpc.spec.expectation import expectation
from tfpc.vocabulary.registry import FAMILIES, words

PAGE = pathlib.Path(__file__).parents[1] / "grammar" / "README.md"
TEXT = PAGE.read_text()
FENCED = re.MULTILINE | re.DOTALL
# Files that other snippets import.
FILES = re.findall(r"^<!-- file: (\S+) -->\n```tfp\n(.*?)^```$", TEXT, FENCED)
# Whole specs that end with the pipeline.
PIPELINES = re.findall(r"^<!-- without a model -->\n```tfp\n(.*?)^```$", TEXT, FENCED)
RIGHT = [
    snippet
    for snippet in re.findall(r"^```tfp\n(.*?)^```$", TEXT, FENCED)
    if snippet not in dict(FILES).values()
]
WRONG = re.findall(
    r"^<!-- (TFP\d+) -->\n```tfp-wrong\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL
)
TABLE = re.compile(r"^<!-- (words:\w+|rules) -->\n(?:\n?(?:\|.*\n)+)?", re.MULTILINE)


@pytest.fixture(autouse=True)
def beside_the_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in FILES:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def checked(snippet):
    """A whole spec, or blocks that replace those of the standard spec."""
    whole = "\ndata " in f"\n{snippet}" and "\ntrain " in snippet
    text = snippet if whole or snippet in PIPELINES else whole_spec(snippet)
    return check(Source("page.tfp", text), Options(look_at_data=False)).diagnostics


def default(info):
    """A default as a spec would write it."""
    if info.is_required():
        return ""
    if info.default is None:
        return "" if "default" in info.description else " (may be left out)"
    value = (
        str(info.default).lower() if isinstance(info.default, bool) else info.default
    )
    return f" (`{value}`)"


def options(info):
    """The bare words that an argument takes, if it takes such."""
    found = expectation(info.annotation).options
    return f" - {', '.join(f'`{option}`' for option in found)}" if found else ""


def table_of_words(family):
    """Each word with its arguments, defaults and first sentence."""
    lines = ["| word | arguments | what |", "|---|---|---|"]
    for name, word in words(family).items():
        arguments = [
            f"`{argument}`: {info.description}{options(info)}{default(info)}"
            for argument, info in word.model_fields.items()
            if argument != word.led_by  # which the page says of all of them at once
        ]
        what = " ".join(word.__doc__.split("\n\n")[0].split())
        lines.append(f"| `{name}` | {'<br>'.join(arguments)} | {what} |")
    return lines


def table_of_rules():
    """Each rule with its code, severity and title."""
    lines = ["| code | rule | severity | mistake |", "|---|---|---|---|"]
    for rule in sorted(RULES, key=lambda rule: rule.code):
        title = rule.__doc__.strip().splitlines()[0]
        severity = rule.severity.word
        lines.append(f"| {rule.code} | `{rule.slug}` | {severity} | {title} |")
    return lines


def with_tables(text):
    """The page with the tables that the code gives."""

    def table(match):
        kind = match[1]
        lines = table_of_rules() if kind == "rules" else table_of_words(kind[6:])
        return "\n".join([f"<!-- {kind} -->", "", *lines, ""])

    return TABLE.sub(table, text)


def test_the_tables_are_those_of_the_code(golden):
    golden(PAGE, with_tables(TEXT))


def test_every_family_has_a_table():
    assert {f"words:{family}" for family in FAMILIES} == {
        kind for kind in TABLE.findall(TEXT) if kind != "rules"
    }


@pytest.mark.parametrize("snippet", RIGHT)
def test_what_is_shown_as_right_is_right(snippet):
    loud = [each for each in checked(snippet) if each.severity > Severity.NOTE]
    assert not loud, render_all(loud)


@pytest.mark.parametrize(("code", "snippet"), WRONG)
def test_what_is_shown_as_wrong_is_wrong_as_said(code, snippet):
    errors = [each for each in checked(snippet) if each.severity is Severity.ERROR]
    assert [each.code for each in errors] == [code], render_all(errors)


def test_all_snippets_are_found():
    assert TEXT.count("```tfp\n") == len(RIGHT) + len(FILES) > 2
    assert TEXT.count("```tfp-wrong\n") == len(WRONG) > 2
