"""A definition stands for its lines, with the arguments of each use."""

from __future__ import annotations

import pytest

from tfpc.diagnostics.reached import with_uses
from tfpc.resolve.tree import Node
from tfpc.rules.standard import whole_spec

MODEL = """\
{definitions}

model classifier from images {{
  {lines}
  dense(10)
}}
"""


@pytest.fixture
def lines_of(resolve_text):
    """The layers of a model, as (word, positional, keywords), nested ones in lists."""

    def shown(item):
        assert isinstance(item, Node)
        values = [value.content for value in item.positional]
        named = {each.name: each.value.content for each in item.keywords}
        body = [shown(each) for each in item.body] if item.body is not None else []
        return (item.word, values, named, *body)

    def run(lines, definitions=""):
        text = whole_spec(MODEL.format(lines=lines, definitions=definitions))
        resolved, problems = resolve_text(text)
        assert resolved is not None, problems
        (model,) = resolved.nodes("model")
        return [shown(item) for item in model.body][:-1]

    return run


BLOCK = """\
layer block(units, rate = 0.5) {
  dense(2 * units)
  dropout(rate = rate)
}
"""


def test_arguments_by_position_by_name_and_by_default(lines_of):
    assert lines_of("block(3)", BLOCK) == [
        ("dense", [6], {}),
        ("dropout", [], {"rate": 0.5}),
    ]
    assert lines_of("block(rate = 0.1, units = 4)", BLOCK) == [
        ("dense", [8], {}),
        ("dropout", [], {"rate": 0.1}),
    ]


def test_a_definition_in_others_and_in_braces(lines_of):
    two = """
layer two(units) {
  residual {
    block(units + 1, rate = 0.2)
  }
  block(units)
}
"""
    block = ("dense", [4], {}), ("dropout", [], {"rate": 0.2})
    after = ("dense", [2], {}), ("dropout", [], {"rate": 0.5})
    expected = ("residual", [], {}, *block), *after
    assert lines_of("repeat(2) { two(1) }", BLOCK + two) == [
        ("repeat", [2], {}, *expected)
    ]


def test_a_parameter_is_not_known_where_it_was_not_given(lines_of):
    inner = "layer inner() {\n  dense(units)\n}\n"
    outer = "layer outer(units) {\n  inner\n}\n"
    ((_, (value,), _),) = lines_of("outer(3)", inner + outer)
    assert value.word == "units"  # a bare word, which no layer takes


def test_text_and_lets_in_a_definition(lines_of):
    definitions = (
        "let wide = 8\n\nlayer block(padding) {\n  conv2d(wide, 3, padding)\n}"
    )
    ((_, values, _),) = lines_of("block(same)", definitions)
    assert values[:2] == [8, 3]
    assert values[2].word == "same"


def test_an_alias_is_that_of_the_last_line(resolve_text):
    text = MODEL.format(lines="block(3) as summary", definitions=BLOCK)
    resolved, _ = resolve_text(whole_spec(text))
    (model,) = resolved.nodes("model")
    assert [item.alias for item in model.body] == [None, "summary", None]


def test_steps_in_a_pipeline(resolve_text):
    text = """\
steps augment(size) {
  random_crop(size, size)
  when(train) {
    random_flip(horizontal)
  }
}

pipeline images from digits {
  decode_png(channels = 1)
  augment(8)
  batch(2)
}
"""
    resolved, problems = resolve_text(whole_spec(text))
    assert resolved is not None, problems
    (pipeline,) = resolved.nodes("pipeline")
    words = [item.word for item in pipeline.body]
    assert words == ["decode_png", "random_crop", "when", "batch"]


def test_every_place_says_how_it_was_reached(resolve_text):
    two = "layer two(units) {\n  block(units, 0.25)\n}\n"
    text = MODEL.format(lines="two(3)", definitions=BLOCK + two)
    resolved, _ = resolve_text(whole_spec(text))
    (model,) = resolved.nodes("model")
    dense = model.body[0]
    inner, outer = dense.head.uses
    assert inner.span.text == "block(units, 0.25)"
    assert inner.parameters == "units = 3, rate = 0.25"
    assert outer.span.text == "two(3)"
    assert dense.positional[0].span.uses == dense.head.uses
    assert model.body[-1].head.uses == ()


def test_what_is_given_knows_where(resolve_text):
    text = MODEL.format(lines="block(3)", definitions=BLOCK)
    resolved, _ = resolve_text(whole_spec(text))
    (model,) = resolved.nodes("model")
    (units,) = model.body[0].positional
    assert units.origin.text == "3"
    assert units.how == "given as `units`"


def test_the_same_mistake_of_two_uses_is_told_of_each(resolve_text):
    half = "layer half(by) {\n  dense(10 / by)\n}\n"
    text = MODEL.format(lines="half(0)\n  half(5)\n  half(0)", definitions=half)
    _, problems = resolve_text(whole_spec(text))
    told = [with_uses(each) for each in problems]
    assert [each.labels[-1].span.text for each in told] == ["half(0)", "half(0)"]
    assert len({each.labels[-1].span.start for each in told}) == 2
