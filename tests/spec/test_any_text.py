"""Whatever stands in a spec: it is decoded, or there is a message; nothing raises."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tfpc.diagnostics.codes import CODES
from tfpc.diagnostics.span import Source
from tfpc.diagnostics.text import render_all
from tfpc.resolve.paths import all_paths
from tfpc.resolve.resolve import resolve
from tfpc.rules.standard import BLOCKS
from tfpc.syntax.parser import parse
from tfpc.vocabulary.registry import FAMILIES, words

STANDARD = "\n\n".join(BLOCKS.values())
WORDS = sorted({word for family in FAMILIES for word in words(family)})
NAMES = st.sampled_from(
    [
        *WORDS,
        *("data", "pipeline", "model", "train", "observe", "schema", "validation"),
        *("digits", "images", "classifier", "epochs", "seed", "metrics", "env", "x"),
        *("digits.classes", "digits.size", "validation.loss", "keras.layers.Dense"),
        *("let", "import", "profile", "steps", "layer", "lint", "python", "label"),
    ]
)
ATOMS = st.one_of(
    NAMES,
    st.integers(-5, 2**40).map(str),
    st.sampled_from(
        ["0.5", "1e-3", "1e300", "true", "?", "20%", "3epochs", "100steps"]
    ),
    st.sampled_from(['""', '"a"', '"${x}"', '"${digits.classes}"', "30min", "4GiB"]),
)


def grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Larger values of smaller ones."""
    some = st.lists(inner, max_size=3).map(", ".join)
    named = st.tuples(NAMES, inner).map(lambda pair: f"{pair[0]} = {pair[1]}")
    arguments = st.lists(st.one_of(inner, named), max_size=3).map(", ".join)
    return st.one_of(
        some.map(lambda text: f"[{text}]"),
        st.tuples(NAMES, arguments).map(lambda pair: f"{pair[0]}({pair[1]})"),
        st.tuples(NAMES, some).map(lambda pair: f"{pair[0]}[{pair[1]}]"),
        st.tuples(inner, inner).map(lambda pair: f"{pair[0]}..{pair[1]}"),
    )


# Most sums have no meaning, so that what comes after them would never be reached.
SUMS = st.tuples(ATOMS, st.sampled_from("+-*/"), ATOMS).map(" ".join)
VALUES = st.recursive(ATOMS, grown, max_leaves=6)
SETTINGS = st.tuples(NAMES, st.one_of(*[VALUES] * 9, SUMS)).map(
    lambda pair: f"{pair[0]} = {pair[1]}"
)
LETS = st.tuples(st.sampled_from("xyz"), VALUES).map(
    lambda pair: f"let {pair[0]} = {pair[1]}"
)
HEADS = st.tuples(
    NAMES,
    st.sampled_from(["", " x", " digits", " classifier"]),
    st.one_of(st.just(""), VALUES.map(lambda text: f"({text})")),
    st.sampled_from(["", " from x", " from digits", " from images"]),
).map("".join)


STEPS = st.tuples(
    st.sampled_from(WORDS), st.lists(VALUES, max_size=3).map(", ".join)
).map(lambda pair: f"{pair[0]}({pair[1]})")


def with_bodies(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Blocks of smaller statements."""
    bodies = st.lists(inner, max_size=4).map("\n".join)
    tails = st.sampled_from(["", " as x", " as y"])
    return st.tuples(HEADS, bodies, tails).map(
        lambda parts: f"{parts[0]} {{\n{parts[1]}\n}}{parts[2]}"
    )


STATEMENTS = st.recursive(
    st.one_of(SETTINGS, LETS, HEADS, SETTINGS), with_bodies, max_leaves=8
)


def check(text: str, decode_text, *overrides: str) -> None:
    """That there is a spec or there are messages, and never both."""
    spec, problems = decode_text(text, *overrides)
    assert (spec is None) == bool(problems)
    places = [(problem.headline, problem.span) for problem in problems]
    assert len(places) == len(set(places)), "told twice"
    for problem in problems:
        assert problem.code in CODES
        assert problem.span is not None
    assert "Input should" not in render_all(problems)


# The fixture is a function without a state.
RELAXED = settings(
    max_examples=300,
    deadline=None,
    suppress_health_check=[
        HealthCheck.function_scoped_fixture,
        HealthCheck.too_slow,
        HealthCheck.filter_too_much,
    ],
)


@RELAXED
@given(st.lists(STATEMENTS, max_size=5).map("\n".join))
@example("data x {\n}\n")
@example("observe\nobserve\n")
@example("let x = 1\ndata x {\n}\nlet x = 2\n")
@example("data x {\n}\npipeline x from x {\n}\nlet x = 1\n")
def test_a_text_of_words(decode_text, text):
    check(text, decode_text)


@RELAXED
@given(st.lists(STATEMENTS, min_size=1, max_size=2).map("\n".join))
def test_a_right_spec_with_more_lines(decode_text, text):
    check(f"{STANDARD}\n\n{text}\n", decode_text)


@RELAXED
@given(
    st.integers(0, len(STANDARD.splitlines()) - 1),
    st.one_of(STATEMENTS, STEPS, SETTINGS),
)
def test_a_right_spec_with_one_line_changed(decode_text, number, text):
    lines = STANDARD.splitlines()
    lines[number] = text
    check("\n".join(lines), decode_text)


@RELAXED
@given(st.lists(STEPS, min_size=1, max_size=4))
def test_a_right_spec_with_other_words_in_its_blocks(decode_text, steps):
    # In every block, so that each word is right in one and misplaced in the others.
    lines = [f"  {step}" for step in steps]
    text = STANDARD.replace("{\n", "{\n" + "\n".join(lines) + "\n")
    check(text, decode_text)


def paths() -> list[str]:
    """Every path that can be set in the standard spec."""
    document, _ = parse(Source("x", STANDARD))
    resolved, _ = resolve(document, (), lambda node, fact: 10)
    return sorted(all_paths(resolved.items))


PARTS = sorted({part for path in paths() for part in path.split(".")} | {"digits", "x"})
PATHS = st.one_of(
    st.sampled_from(paths()),
    st.lists(st.sampled_from(PARTS), min_size=1, max_size=4).map(".".join),
)


@RELAXED
@given(st.lists(st.tuples(PATHS, VALUES), min_size=1, max_size=3))
def test_a_right_spec_with_overrides(decode_text, pairs):
    overrides = [f"{path}={value}" for path, value in pairs]
    check(STANDARD, decode_text, *overrides)


@pytest.mark.parametrize("text", ["", "\n", "#", "let x = 1", "x", "x { }", "\ufeff"])
def test_the_smallest_texts(decode_text, text):
    spec, problems = decode_text(text)
    assert spec is None
    assert problems


SPECS = sorted((Path(__file__).parents[2] / "specs").glob("*.tfp"))


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_the_specs_that_come_with_tfpc(spec_of, path, monkeypatch):
    monkeypatch.chdir(path.parent)  # where their imports are
    spec = spec_of(path.read_text(encoding="utf-8"))
    assert spec.train is not None
