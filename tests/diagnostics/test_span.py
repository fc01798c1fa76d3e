"""Offsets, lines and columns."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfpc.diagnostics.span import Source, Span


@given(st.text(alphabet="ab\r\n\t\ufeffä数"), st.data())
def test_position_agrees_with_a_naive_count(text: str, data: st.DataObject) -> None:
    source = Source("a.tfp", text)
    offset = data.draw(st.integers(0, len(source.text)))
    before = source.text[:offset]
    line = before.count("\n") + 1
    column = len(before) - (before.rfind("\n") + 1) + 1
    assert source.position(offset) == (line, column)


@given(st.text(alphabet="ab\r\nä"))
def test_lines_agree_with_splitting(text: str) -> None:
    source = Source("a.tfp", text)
    *ended, last = text.split("\n")
    expected = [line.removesuffix("\r") for line in ended] + [last]
    lines = [source.line(number + 1) for number in range(source.line_count)]
    assert lines == expected


def test_a_span_names_its_place() -> None:
    source = Source("specs/a.tfp", "one\n  two three\n")
    span = Span(source, 6, 9)
    assert span.text == "two"
    assert (span.line, span.column, span.end_line, span.end_column) == (2, 3, 2, 6)
    assert str(span) == "specs/a.tfp:2:3"


def test_cover_takes_both_in_any_order() -> None:
    source = Source("a", "one two three")
    one, three = Span(source, 0, 3), Span(source, 8, 13)
    assert Span.cover(one, three) == Span.cover(three, one) == Span(source, 0, 13)


def test_a_byte_order_mark_is_not_text() -> None:
    source = Source("a", "\ufeffab\ufeff")
    assert source.text == "ab\ufeff"
    assert source.position(0) == (1, 1)


def test_sources_are_equal_only_to_themselves() -> None:
    assert Source("a", "x") != Source("a", "x")


def test_spans_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Span(Source("a", "x"), 0, 1).start = 1  # type: ignore[misc]
