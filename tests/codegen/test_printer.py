"""What is printed means what the fragment means, and is formatted as ruff would."""

from __future__ import annotations

import ast
import subprocess
import sys
import textwrap

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tfpc.codegen.printer import flat, literal, statement
from tfpc.types.fragment import (
    Call,
    Item,
    Literal,
    Mapping,
    Name,
    Operation,
    Sequence,
    call,
)

names = st.sampled_from(["x", "image", "tf.constant", "keras.layers.Dense", "SEED"])
plain = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**12), 10**12),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=30),
)
leaves = st.one_of(names.map(Name), plain.map(Literal))


def compound(inner):
    keywords = st.sampled_from(["name", "padding", "activation", "use_bias"])
    return st.one_of(
        st.builds(
            Call,
            names.map(Name),
            st.lists(inner, max_size=4).map(tuple),
            st.lists(
                st.tuples(keywords, inner), max_size=3, unique_by=lambda p: p[0]
            ).map(tuple),
        ),
        st.builds(Sequence, st.lists(inner, max_size=5).map(tuple), st.just("[]")),
        st.builds(
            Mapping,
            st.lists(st.tuples(st.text(max_size=8), inner), max_size=4).map(tuple),
        ),
        st.builds(Item, names.map(Name), st.text(max_size=6).map(Literal)),
    )


fragments = st.recursive(leaves, compound, max_leaves=25)


def meaning(fragment):
    """The fragment as `ast` would have it."""
    if isinstance(fragment, Name):
        return ast.parse(fragment.text, mode="eval").body
    if isinstance(fragment, Literal):
        return ast.parse(repr(fragment.value), mode="eval").body
    if isinstance(fragment, Call):
        keywords = [ast.keyword(k, meaning(v)) for k, v in fragment.keywords]
        return ast.Call(
            meaning(fragment.function), [*map(meaning, fragment.arguments)], keywords
        )
    if isinstance(fragment, Sequence):
        return ast.List([*map(meaning, fragment.items)], ast.Load())
    if isinstance(fragment, Mapping):
        keys = [ast.Constant(key) for key, _ in fragment.items]
        return ast.Dict(keys, [meaning(value) for _, value in fragment.items])
    return ast.Subscript(meaning(fragment.owner), meaning(fragment.key), ast.Load())


@settings(max_examples=300, deadline=None)
@given(fragments, st.integers(0, 3))
def test_what_is_printed_means_the_fragment(fragment, indent):
    text = statement(fragment, indent, "result = ")
    text = textwrap.dedent(text)
    (assignment,) = ast.parse(text).body
    assert ast.dump(assignment.value) == ast.dump(meaning(fragment))
    assert ast.dump(ast.parse(flat(fragment), mode="eval").body) == ast.dump(
        meaning(fragment)
    )


@settings(max_examples=300)
@given(st.text())
def test_text_comes_back_as_it_was(text):
    assert ast.literal_eval(literal(text)) == text
    assert literal(text).isascii()
    assert "\n" not in literal(text)


@pytest.mark.parametrize(
    "value", [float("inf"), float("-inf"), 1e300, 1e-7, -0.0, 1e16]
)
def test_numbers_come_back_as_they_were(value):
    assert repr(eval(literal(value))) == repr(value)


@pytest.mark.parametrize(
    ("operation", "text"),
    [
        (
            Operation("*", Literal(2), Operation("+", Name("a"), Literal(1))),
            "2 * (a + 1)",
        ),
        (
            Operation("+", Literal(2), Operation("*", Name("a"), Literal(1))),
            "2 + a * 1",
        ),
        (
            Operation("/", Name("a"), Operation("/", Name("b"), Name("c"))),
            "a / (b / c)",
        ),
        (Operation("/", Operation("/", Name("a"), Name("b")), Name("c")), "a / b / c"),
    ],
)
def test_parentheses_stand_where_they_are_needed(operation, text):
    assert flat(operation) == text


def test_what_is_no_plain_value_is_refused():
    with pytest.raises(TypeError):
        literal(object())


def test_it_is_formatted_as_ruff_formats(tmp_path):
    lines = []

    # The same ones every time: ruff's style is larger than what is printed here.
    @settings(max_examples=400, deadline=None, derandomize=True)
    @given(fragments)
    def collect(fragment):
        lines.append(statement(fragment, 0, "result = "))

    collect()
    long = "a_rather_long_name_of_a_function_that_fills_the_line"
    lines.append(statement(call(long, *[f"argument {n}" for n in range(8)]), 0, "x = "))
    lines.append(statement(call(long, call(long, 1, 2), name="n" * 40), 0, "x = "))
    for length in range(20, 90, 7):
        layer = call("keras.layers.Conv2D", 16, 3, strides=2, name="n" * length)
        lines.append(statement(call(layer, Name("x")), 0, "x = "))
    path = tmp_path / "lines.py"
    path.write_text("\n".join(lines) + "\n")
    command = [
        sys.executable,
        "-m",
        "ruff",
        "format",
        "--isolated",
        "--diff",
        str(path),
    ]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
