"""Text from a spec is a literal in the program, whatever is in it."""

from __future__ import annotations

import ast

import pytest

from tfpc.diagnostics.span import Source
from tfpc.diagnostics.text import render_all
from tfpc.driver import Options, compile_spec

SPEC = """
data photos {{
  train = image_folder({text})
}}

pipeline images from photos {{
  decode_jpeg(channels = 3)
  resize(8, 8)
  when(train) {{ shuffle }}
  batch(1)
}}

model classifier from images {{
  flatten
  dense(2)
}}

train classifier {{
  epochs = 1
  optimizer = sgd(learning_rate = 0.01)
  loss = crossentropy
}}
"""
HOSTILE = [
    "plain",
    'quote"quote',
    "apostrophe's",
    "both\"and'",
    '"""',
    "'''",
    "{braces} {0} %s %(x)s ${y}",
    "back\\slash\\",
    "new\nline",
    'x"); import os; os._exit(7) #',
    "\\N{DIGIT ONE}",
    "tab\there",
    "ünïcödé 漢字 🙂",
    "\x7f\u2028\u202e",
]


def escaped(text):
    for plain, written in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\t", "\\t")):
        text = text.replace(plain, written)
    return '"' + text.replace("$", "\\$") + '"'


@pytest.mark.parametrize("text", HOSTILE)
def test_a_path_stays_a_literal(text, tmp_path):
    for name in "ab":
        folder = tmp_path / text / name
        folder.mkdir(parents=True)
        (folder / "x.jpg").write_bytes(b"")
    source = Source(str(tmp_path / "x.tfp"), SPEC.format(text=escaped(text)))
    compiled = compile_spec(source, Options(), ".")
    if compiled.program is None:
        # Characters that nobody can see are refused with a message.
        assert "TFP" in render_all(compiled.diagnostics)
        assert not text.isprintable()
        return
    tree = ast.parse(compiled.program)
    literals = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    assert text in literals
    plain = Source(
        str(tmp_path / "x.tfp"), SPEC.format(text=escaped(text)).replace("photos", "p")
    )
    assert ast.dump(ast.parse(compile_spec(plain, Options(), ".").program))


@pytest.mark.parametrize(
    "name", ["tf", "class", "print", "epoch", "random_flip", "SEED", "record", "keras"]
)
def test_a_field_may_have_any_name(name, tmp_path):
    spec = SPEC.format(text='"x"').replace(
        'image_folder("x")',
        f'tfrecord("x")\n  schema {{\n {name} = string\n label = int64(classes = 2)\n}}',
    )
    compiled = compile_spec(Source("x.tfp", spec), Options(look_at_data=False), ".")
    assert compiled.program is not None, render_all(compiled.diagnostics)
    assert f'example["{name}"]' in compiled.program
    functions = {
        node.name: node
        for node in ast.walk(ast.parse(compiled.program))
        if isinstance(node, ast.FunctionDef)
    }
    # Its variable is called otherwise, so that nothing else changes its meaning.
    for function in ("train_example", "eval_example", "train_step"):
        node = functions.get(function)
        for inner in ast.walk(node) if node is not None else ():
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                assert inner.id != name


def test_names_in_quotes_never_leave_them(tmp_path):
    key = '"], {}); raise SystemExit(9) #'
    spec = SPEC.format(text='"x"').replace(
        'image_folder("x")',
        f'tfrecord("x")\n schema {{\n image = string(key = {escaped(key)})\n'
        " label = int64(classes = 2)\n}",
    )
    compiled = compile_spec(Source("x.tfp", spec), Options(look_at_data=False), ".")
    assert compiled.program is not None, render_all(compiled.diagnostics)
    tree = ast.parse(compiled.program)
    assert key in [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant)]
    assert not any(
        isinstance(node, ast.Name) and node.id == "SystemExit"
        for node in ast.walk(tree)
    )
