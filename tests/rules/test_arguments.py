"""Leaving out one argument of a word."""

from __future__ import annotations

import pytest

from tfpc.diagnostics.span import Source, Span
from tfpc.rules.arguments import without_argument


@pytest.mark.parametrize(
    ("text", "place", "left"),
    [
        ("loss = a(x = 1)", "x", "loss = a"),
        ("loss = a(x = 1, y = 2)", "1", "loss = a(y = 2)"),
        ("loss = a(3, x = 1, y = 2)", "x", "loss = a(3, y = 2)"),
        ("loss = a(3, x = 1)", "x", "loss = a(3)"),
        ("loss = a(\n  x = 1,\n  y = 2,\n)", "y", "loss = a(\n  x = 1,\n)"),
    ],
)
def test_the_rest_stays(text, place, left):
    source = Source("x.tfp", text)
    start = text.index(place)
    (edit,) = without_argument(Span(source, start, start + 1))
    assert text[: edit.span.start] + edit.replacement + text[edit.span.end :] == left


@pytest.mark.parametrize(("text", "place"), [("loss = a(x = 1)", "a"), ("a = b", "b")])
def test_what_is_no_argument_is_left_alone(text, place):
    source = Source("x.tfp", text)
    start = text.index(place)
    assert without_argument(Span(source, start, start + 1)) == ()
