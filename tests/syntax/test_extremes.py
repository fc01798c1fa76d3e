"""Input that nobody writes: an answer each, no traceback, and no long wait."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.diagnostics.json_output import render_json
from tfpc.diagnostics.span import Source
from tfpc.diagnostics.text import render_all
from tfpc.syntax.depth import DEEPEST
from tfpc.syntax.parser import parse
from tfpc.syntax.reading import decode

SEED = """\
train m from "d" {
  epochs: 10 = [1, 2} (x -> 3steps..4 ?
  import let as python true 'a' "${b" \\ # c
}
"""
fragments = st.lists(
    st.sampled_from(
        [*SEED, *SEED.split(), "\n", " ", "(", ")", "{", "}", "[", "]", "=", ",", '"']
    ),
    max_size=60,
).map("".join)


def problems(text: str) -> list[Diagnostic]:
    source = Source("x.tfp", text)
    document, found = parse(source)
    assert (document is None) == bool(found)
    for item in found:
        assert item.headline
        assert item.labels
        for label in item.labels:
            assert 0 <= label.span.start <= label.span.end <= len(source.text)
            assert label.span.source is source
        for edit in item.fix.edits if item.fix else ():
            assert 0 <= edit.span.start <= edit.span.end <= len(source.text)
    assert render_all(found).isprintable() or "\n" in render_all(found)
    render_json(found)
    return found


@given(st.text(max_size=80) | fragments)
def test_any_text_gets_an_answer(text: str) -> None:
    problems(text)


GOOD = """\
import "layers/resnet.tfp" as resnet
let size = 1e2_048 + 0.5  # a comment
pipeline images from photos {
  when(train) { shuffle(buffer = 16_384) } as mixed
  python "m:f"(a = 0.2) -> (image = float32[?, 3], label = int64[])
  resize("${size}", [1, -2], area = 0.08..1.0, warmup = 5epochs)
}
"""
PIECES = re.findall(r"\w+|\s+|.", GOOD)


@given(
    st.lists(
        st.tuples(
            st.integers(0, len(PIECES) - 1),
            st.integers(0, 1),
            st.sampled_from(["", *PIECES, *"()[]{}=,.:;|+-*/?\"'#%$@!<>\\"]),
        ),
        min_size=1,
        max_size=3,
    )
)
def test_a_good_text_with_slips_gets_an_answer(
    slips: list[tuple[int, int, str]],
) -> None:
    pieces = list(PIECES)
    for place, length, piece in slips:
        pieces[place : place + length] = [piece]
    problems("".join(pieces))


@given(st.binary(max_size=60))
def test_any_bytes_get_an_answer(data: bytes) -> None:
    source, found = decode("x.tfp", data)
    assert (source is None) == bool(found)
    render_all(found)


@pytest.mark.parametrize("opening", ["(", "[", "f(", "-", "a {", "a {\n", "x(k = "])
def test_ten_thousand_levels(opening: str) -> None:
    prefix = "" if "{" in opening else "x = "
    started = time.perf_counter()
    (problem,) = problems(prefix + opening * 10_000)
    assert problem.code == "TFP019"
    assert time.perf_counter() - started < 20


@pytest.mark.parametrize("sign", ["+", "-", "*", "/"])
def test_ten_thousand_operators(sign: str) -> None:
    (problem,) = problems("x = 1" + f" {sign} 1" * 10_000)
    assert problem.code == "TFP019"


def test_the_deepest_that_is_allowed() -> None:
    assert not problems("x = " + "(" * DEEPEST + "1" + ")" * DEEPEST)
    assert problems("x = " + "(" * (DEEPEST + 1) + "1" + ")" * (DEEPEST + 1))
    assert not problems("x = [" + "1 + 2, " * 1_000 + "]")
    assert not problems("a {\n  b(1 + 2)\n}\n" * 1_000)
    assert not problems("x = 1" + " + 1" * DEEPEST)


def test_depth_is_told_where_it_goes_too_deep() -> None:
    (problem,) = problems("x = " + "[" * 200)
    assert problem.span is not None
    assert problem.span.column == len("x = ") + DEEPEST + 1


def test_ten_thousand_lines_take_little_time() -> None:
    block = "pipeline p from d {\n  resize(224, 224, antialias = true)  # big\n}\n"
    text = block * 3_334
    started = time.perf_counter()
    assert not problems(text)
    assert time.perf_counter() - started < 20  # 0.3 s where it was written


def test_errors_in_ten_thousand_lines_are_told_and_end() -> None:
    found = problems("epochs: 10\n" * 10_000)
    assert {item.code for item in found} == {"TFP003"}
    assert len(found) == 20


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("x = 3\0", "TFP024", 1, 6),
        ("\0" * 1_000, "TFP024", 1, 1),
        ('x = "a\x1bb"', "TFP024", 1, 7),
        ("# a\x07", "TFP024", 1, 4),
        ("x = 1\ry = 2\r", "TFP024", 1, 6),
        ("x = 1\n\u200by = 2", "TFP024", 2, 1),
        ("x\ufeff = 1", "TFP024", 1, 2),
        ("x = \ud800", "TFP024", 1, 5),
        ("x = " + "9" * 5_000, "TFP021", 1, 5),
        ("x = 1e400steps", "TFP021", 1, 5),
        ('x = "' + "a" * 100_000, "TFP011", 1, 5),
        ("x" * 100_000 + " 3", "TFP004", 1, 100_001),
    ],
)
def test_odd_characters_and_sizes(text: str, code: str, line: int, column: int) -> None:
    (problem,) = problems(text)
    assert problem.span is not None
    assert (problem.code, problem.span.line, problem.span.column) == (
        code,
        line,
        column,
    )
    assert len(render_all([problem])) < 102_000


def test_no_break_spaces_are_welcome_in_text_and_comments() -> None:
    assert not problems('x = "a\u00a0b"  # c\u00a0d')


def test_a_file_in_utf_16_says_so() -> None:
    source, (problem,) = decode("x.tfp", "epochs = 1".encode("utf-16"))
    assert source is None
    assert "UTF-16" in problem.headline


def test_a_byte_that_is_not_utf_8_has_a_place() -> None:
    source, (problem,) = decode("x.tfp", b'# good\nx = "gr\xfc\xdfe"\n')
    assert source is None
    assert problem.span is not None
    assert (problem.span.line, problem.span.column) == (2, 8)


def test_utf_8_with_a_byte_order_mark_is_text() -> None:
    source, found = decode("x.tfp", b"\xef\xbb\xbfepochs = 1")
    assert not found
    assert source is not None
    assert source.text == "epochs = 1"
