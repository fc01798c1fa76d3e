"""Imported files: what they give, and where their own paths start."""

from __future__ import annotations

import pytest

from tfpc.diagnostics.span import Source
from tfpc.resolve.resolve import resolve
from tfpc.rules.standard import whole_spec
from tfpc.syntax.parser import parse

MODEL = "model classifier from images {{\n  {}\n}}\n"


@pytest.fixture
def resolve_in(tmp_path):
    """Resolves `spec.tfp` in a folder with the given files."""

    def run(text, **files):
        for name, content in files.items():
            path = tmp_path / name.replace("__", "/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.with_suffix(".tfp").write_text(content)
        document, problems = parse(Source(str(tmp_path / "spec.tfp"), whole_spec(text)))
        assert document is not None, problems
        return resolve(document, (), lambda node, name: None)

    return run


def layers(resolved):
    (model,) = resolved.nodes("model")
    return [
        (item.word, [value.content for value in item.positional]) for item in model.body
    ]


BLOCKS = "let width = 16\n\nlayer block(units) {\n  dense(units + width)\n}\n"


def test_layers_and_lets(resolve_in):
    text = 'import "layers/blocks.tfp" as blocks\n\n' + MODEL.format(
        "blocks.block(4)\n  dense(blocks.width)"
    )
    resolved, problems = resolve_in(text, layers__blocks=BLOCKS)
    assert problems == []
    assert layers(resolved) == [("dense", [20]), ("dense", [16])]
    assert [source.name.rpartition("/")[2] for source in resolved.sources] == [
        "spec.tfp",
        "blocks.tfp",
    ]


def test_an_import_of_an_import_starts_at_its_own_folder(resolve_in):
    text = 'import "layers/outer.tfp" as outer\n\n' + MODEL.format("outer.two(1)")
    outer = (
        'import "deep/blocks.tfp" as inner\n\n'
        "layer two(units) {\n  inner.block(units)\n  dense(inner.width)\n}\n"
    )
    resolved, problems = resolve_in(
        text, layers__outer=outer, layers__deep__blocks=BLOCKS
    )
    assert problems == []
    assert layers(resolved) == [("dense", [17]), ("dense", [16])]


def test_a_file_that_two_import_is_read_once(resolve_in):
    text = (
        'import "one.tfp" as one\nimport "two.tfp" as two\n'
        'import "./one.tfp" as again\n\n' + MODEL.format("one.a\n  two.b\n  again.a")
    )
    one = 'import "blocks.tfp" as blocks\n\nlayer a() {\n  blocks.block(1)\n}\n'
    two = 'import "blocks.tfp" as blocks\n\nlayer b() {\n  blocks.block(2)\n}\n'
    resolved, problems = resolve_in(text, one=one, two=two, blocks=BLOCKS)
    assert problems == []
    assert layers(resolved) == [("dense", [17]), ("dense", [18]), ("dense", [17])]
    assert len(resolved.sources) == 4


def test_names_of_a_spec_are_not_those_of_its_imports(resolve_in):
    text = 'import "blocks.tfp" as blocks\n\nlet width = 1\n\n' + MODEL.format(
        "blocks.block(4)\n  dense(width)"
    )
    resolved, problems = resolve_in(text, blocks=BLOCKS)
    assert problems == []
    assert layers(resolved) == [("dense", [20]), ("dense", [1])]


def test_a_problem_in_an_import_is_told_there(resolve_in):
    text = 'import "blocks.tfp" as blocks\n\n' + MODEL.format("blocks.block(4)")
    broken = "let width = 1 / 0\n\nlayer block(units) {\n  dense(units)\n}\n"
    resolved, (problem,) = resolve_in(text, blocks=broken)
    assert resolved is None
    assert problem.span.source.name.endswith("blocks.tfp")
    assert problem.code == "TFP124"


def test_nothing_is_said_twice_of_what_can_not_be_read(resolve_in):
    text = 'import "gone.tfp" as gone\n\n' + MODEL.format("gone.a\n  gone.b(3)")
    _, (problem,) = resolve_in(text)
    assert problem.code == "TFP130"
