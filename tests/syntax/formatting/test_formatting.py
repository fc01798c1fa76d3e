"""The formatter: what it writes, that it is done at once, and that nothing is lost."""

from __future__ import annotations

import pathlib
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.syntax.formatting.relayout import Nonsense, relayout
from tfpc.diagnostics.allow import allows_in
from tfpc.diagnostics.span import Source
from tfpc.diagnostics.text import render_all
from tfpc.driver import Options, compile_spec
from tfpc.rules.registry import RULES
from tfpc.rules.standard import whole_spec
from tfpc.syntax.formatting.format import ChangedMeaningError, check_same, format_source
from tfpc.syntax.formatting.layout import WIDTH
from tfpc.syntax.parser import parse

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[2]
CASES = sorted((HERE / "cases").glob("*.tfp"))
SPECS = sorted((ROOT / "specs").rglob("*.tfp"))
SNIPPET = re.compile(r"^```tfp\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SNIPPETS = [
    snippet
    for page in (ROOT / "README.md", ROOT / "grammar" / "README.md")
    for snippet in SNIPPET.findall(page.read_text(encoding="utf-8"))
]
# Specs of which something is made: those of the repository and of the rules' pages.
WHOLE = [
    path.read_text(encoding="utf-8") for path in SPECS if path.parent.name == "specs"
]
WHOLE += [whole_spec(rule.good) for rule in RULES if not rule.files]
PLACE = re.compile(r"\bx\.tfp:\d+:\d+")
DIGEST = re.compile(r'SPEC_DIGEST = ".*?"|\b[0-9a-f]{64}\b')


def formatted(text: str) -> str:
    """The text after the formatter, which must be able to read it."""
    result, problems = format_source(Source("x.tfp", text))
    assert result is not None, render_all(problems) + "\n" + text
    return result


def meaning(text: str, folder: pathlib.Path) -> tuple[list[str], str]:
    """What tfpc says of a spec, and the program it makes, without any places."""
    source = Source(str(folder / "x.tfp"), text)
    done = compile_spec(source, Options(look_at_data=False), ".")
    said = [f"{each.code} {each.headline}" for each in done.diagnostics]
    return said, DIGEST.sub("", PLACE.sub("", done.program or ""))


def check_form(text: str) -> None:
    """It stays as it is; no blanks at ends of lines, no two blank lines, one end."""
    assert formatted(text) == text
    lines = text.split("\n")
    assert not [line for line in lines if line != line.rstrip() or "\t" in line]
    assert "\n\n\n" not in text
    assert text == "" or (text.endswith("\n") and not text.startswith("\n"))
    assert "{\n\n" not in text
    assert "\n\n}" not in text


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_how_it_looks(path, golden):
    text = formatted(path.read_text(encoding="utf-8"))
    golden(path.with_suffix(".formatted"), text)
    check_form(text)
    long = [line for line in text.splitlines() if len(line) > WIDTH]
    # A line is not broken where an `allow` stands, nor between the parts of a sum.
    assert path.stem == "allow" or len(long) == (path.stem == "long_lines")


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_the_specs_of_the_repository_are_formatted(path):
    text = path.read_text(encoding="utf-8")
    assert formatted(text) == text


@pytest.mark.parametrize("snippet", SNIPPETS)
def test_the_snippets_of_the_pages_are_formatted(snippet):
    assert formatted(snippet) == snippet


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.slug)
def test_the_examples_of_rules_are_formatted(rule):
    for blocks in (rule.bad, rule.good):
        assert formatted(blocks).strip() == blocks.strip()


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 1 << 32))
def test_nonsense_keeps_its_tree_and_comments(seed):
    text = Nonsense(seed).spec()
    once = formatted(text)
    check_form(once)
    check_form(formatted(relayout(text, seed)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where the specs find what they import."""
    path = tmp_path_factory.mktemp("formatting")
    for name in ("layers", "own", "data"):
        (path / name).symlink_to(ROOT / "specs" / name)
    return path


@pytest.fixture(scope="module")
def meant(folder):
    """What each whole spec means, once."""
    return {text: meaning(text, folder) for text in WHOLE}


def test_whole_specs_have_programs(meant):
    programs = [program for _, program in meant.values() if program]
    assert len(programs) >= 30


@pytest.mark.slow
@settings(max_examples=1000, deadline=None)
@given(st.sampled_from(WHOLE), st.integers(0, 1 << 32))
def test_a_thousand_specs_keep_their_programs(folder, meant, text, seed):
    other = relayout(text, seed)
    once = formatted(other)
    check_form(once)
    assert meaning(once, folder) == meant[text]


def test_an_allow_stands_for_the_same_line():
    """Whatever it stands for is on its line before and after."""
    text = (HERE / "cases" / "allow.tfp").read_text(encoding="utf-8")
    before, after = Source("x.tfp", text), Source("x.tfp", formatted(text))
    lines = [
        [
            re.sub(r"\W", "", each.span.source.line(each.line))
            for each in allows_in(source)
        ]
        for source in (before, after)
    ]
    assert lines[0] == lines[1]
    assert len(lines[0]) > 4


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("a = 1", "a = 2"),
        ("a = (1 - 2) - 3", "a = 1 - (2 - 3)"),
        ("f(1)", "f(1, 2)"),
        ("a { b }", "a"),
        ("a = 1  # c", "a = 1"),
        ("a = 1e3", "a = 1000.0"),
        ('a = "x"', "a = x"),
    ],
)
def test_a_mistake_of_the_formatter_would_be_found(text, other):
    document, _ = parse(Source("x.tfp", text))
    check_same(document, Source("x.tfp", text))
    with pytest.raises(ChangedMeaningError):
        check_same(document, Source("x.tfp", other))
