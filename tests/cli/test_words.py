"""`tfpc words`: the list, the pages, and the form for machines."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from click.testing import Result

from tfpc.cli.paper import paper
from tfpc.diagnostics.span import Source
from tfpc.reference.families import TITLES
from tfpc.reference.signature import signature
from tfpc.reference.word import all_words, entries_of, first_sentence, written
from tfpc.reference.words_page import overview, page
from tfpc.rules.standard import whole_spec
from tfpc.spec.expectation import Expectation
from tfpc.syntax.parser import parse
from tfpc.vocabulary.registry import FAMILIES, words

Tfpc = Callable[..., Result]
WIDTH = 80
EVERY = [(family, word) for family in FAMILIES for word in words(family)]


def test_the_list_has_every_word_below_its_family(tfpc: Tfpc) -> None:
    result = tfpc("words")
    assert result.exit_code == 0
    listed = []
    for line in result.stdout.splitlines():
        if line.startswith("  ") and not line.startswith("   "):
            listed.append(line.split()[0])
    assert listed == [word for _, word in EVERY]
    for title in TITLES.values():
        assert f"{title}\n" in result.stdout


@pytest.mark.parametrize("arguments", [(), *((word,) for _, word in EVERY)])
def test_pages_are_no_wider_than_a_terminal(
    tfpc: Tfpc, arguments: tuple[str, ...]
) -> None:
    page = tfpc("words", *arguments).stdout
    assert max(map(len, page.splitlines())) <= WIDTH
    assert "\x1b" not in page
    assert all(line == line.rstrip() for line in page.splitlines())


def test_the_page_of_a_word_says_all_about_it(tfpc: Tfpc) -> None:
    page = tfpc("words", "conv2d").stdout
    assert page.startswith("conv2d (layer)\n\nA convolution: `filters` weighted sums")
    assert "\n  conv2d(\n    filters,\n    kernel_size,\n    strides = 1,\n" in page
    assert "By position: `filters`, `kernel_size`; all others by name." in page
    row = next(line for line in page.splitlines() if line.startswith("  filters "))
    assert row.split(maxsplit=1)[1].split() == (
        ["a", "whole", "number", "required", "how", "many", "channels", "come", "out"]
    )
    assert "Example\n  conv2d(32, 3, activation = relu)\n" in page


def test_a_word_of_two_families_has_two_pages(tfpc: Tfpc) -> None:
    page = tfpc("words", "float32").stdout
    assert "float32 (field)" in page
    assert "float32 (precision)" in page
    assert "`float32` is a word of: fields of a schema, precisions." in page


@pytest.mark.parametrize("name", ["layer", "layers", "Layer"])
def test_a_family_is_listed_alone(tfpc: Tfpc, name: str) -> None:
    page = tfpc("words", name).stdout
    assert page.startswith("layers of a model\n")
    assert "conv2d" in page
    assert "tfrecord" not in page


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("convd2", "there is no word `convd2`; did you mean `conv2d`?"),
        ("Conv2D", "did you mean `conv2d`?"),
        ("zzzzzz", "`tfpc words` lists all"),
        ("bidirectional", "`bidirectional` comes with a later version"),
    ],
)
def test_a_word_that_there_is_not(tfpc: Tfpc, name: str, said: str) -> None:
    result = tfpc("words", name)
    assert result.exit_code == 2
    assert said in result.output
    assert tfpc("words", name, "--json").exit_code == 2


def test_json_has_the_form_that_the_help_says(tfpc: Tfpc) -> None:
    found = json.loads(tfpc("words", "--json").stdout)
    assert [(each["family"], each["word"]) for each in found] == EVERY
    for each in found:
        assert list(each) == [
            "family",
            "word",
            "summary",
            "arguments",
            "example",
            "sizes",
            "body",
            "description",
        ]
        for argument in each["arguments"]:
            assert list(argument) == [
                "name",
                "takes",
                "default",
                "required",
                "positional",
                "description",
            ]
            assert argument["takes"], (each["word"], argument["name"])
            assert not (argument["required"] and argument["default"] is not None)


def test_json_of_one_word(tfpc: Tfpc) -> None:
    (found,) = json.loads(tfpc("words", "max_pooling2d", "--json").stdout)
    arguments = {each["name"]: each for each in found["arguments"]}
    assert arguments["pool_size"] == {
        "name": "pool_size",
        "takes": "a whole number, or a list in `[ ]` of 2 whole numbers",
        "default": "2",
        "required": False,
        "positional": True,
        "description": "size of the window, one number or `[h, w]`",
    }
    assert arguments["strides"]["default"] is None
    assert arguments["padding"]["default"] == "valid"


def test_sizes_of_a_field_are_no_argument(tfpc: Tfpc) -> None:
    (found,) = json.loads(tfpc("words", "int64", "--json").stdout)
    assert found["sizes"] is True
    assert [each["name"] for each in found["arguments"]] == [
        "key",
        "classes",
        "default",
    ]


def test_a_default_can_be_written_into_a_spec() -> None:
    lines = [
        f"    {entry.word}({argument.name} = {argument.default})"
        for entry in all_words()
        for argument in entry.arguments
        if argument.default is not None
    ]
    assert len(lines) > 20
    blocks = "\n".join(["model classifier from images {", *lines, "}"])
    assert parse(Source("x.tfp", whole_spec(blocks)))[1] == []


@pytest.mark.parametrize(
    ("value", "taken", "text"),
    [
        (True, Expectation(), "true"),
        ("valid", Expectation(options=("valid", "same")), "valid"),
        ('a "b"', Expectation(kinds=frozenset({str})), '"a \\"b\\""'),
        ((1, 2), Expectation(), "[1, 2]"),
        (0.5, Expectation(), "0.5"),
    ],
)
def test_values_as_a_spec_writes_them(
    value: object, taken: Expectation, text: str
) -> None:
    assert written(value, taken) == text


def test_a_signature_that_fits_stays_on_one_line() -> None:
    entry = next(each for each in all_words() if each.word == "conv2d")
    assert len(signature(entry, 400)) == 1
    assert len(signature(entry, 40)) == len(entry.arguments) + 2


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("One. Two.\n\nThree.", "One."),
        ("Of 0 .. n - 1\nthings. More.", "Of 0 .. n - 1 things."),
        ("max(x, 0.5) and `a.b` here", "max(x, 0.5) and `a.b` here"),
    ],
)
def test_first_sentences(text: str, first: str) -> None:
    assert first_sentence(text) == first


def test_color_changes_nothing_but_color() -> None:
    for show, entries in ((overview, all_words()), (page, entries_of("conv2d"))):
        plain = show(entries, width=WIDTH, color=False)
        colored = show(entries, width=WIDTH, color=True)
        assert "\x1b[" in colored
        stripped = re.sub(r"\x1b\[[0-9;]*m", "", colored).splitlines()
        assert [line.rstrip() for line in stripped] == plain.splitlines()


@pytest.mark.parametrize(
    ("columns", "width"), [("30", 40), ("80", 80), ("95", 95), ("300", 100)]
)
def test_a_page_is_as_wide_as_the_terminal_within_reason(
    monkeypatch: pytest.MonkeyPatch, columns: str, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert paper() == (80, False)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert paper() == (width, True)
    monkeypatch.setenv("NO_COLOR", "1")
    assert paper() == (width, False)
