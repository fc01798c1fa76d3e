"""Texts that are right: which nodes they give, and where those stand."""

from __future__ import annotations

from dataclasses import fields, is_dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfpc.diagnostics.span import Source, Span
from tfpc.syntax import nodes
from tfpc.syntax.parser import parse

SPEC = """\
# A spec with a bit of everything.
import "layers/resnet.tfp" as resnet

let root = env("IMAGES", default = "/data")   # where they are
let classes = 1_000

data photos {
  train = tfrecord("${root}/train-*")
  validation = split(20%, seed = 7)
  schema {
    image = string(key = "image/encoded")
  }
}

pipeline images from photos {  # one step a line
  when(train) {
    random_resized_crop(224, 224, area = 0.08..1.0)
  }
  python "photos.augment:mixup"(alpha = 0.2) -> (
    image = float32[?, 224, 3],  # asserted
    label = float32[],
  )
  offset(label, -1)
  batch(2 * 64 + classes / 10)
}

model resnet50 from images {
  resnet.stage(64, blocks = 3)
  repeat(2) { bidirectional { lstm(64) } as summary }
  keras.layers.GroupNormalization(groups = 8)
}

train resnet50 as head { epochs = 1 }
train resnet50 as fine {
  from = head
  loss = python "photos.losses:focal"(gamma = 2.0)
}

observe {
}

memory = limit(70GiB)
profile smoke { data.photos.limit = 4_096 }
# the end"""


def read(text: str) -> nodes.Document:
    document, problems = parse(Source("spec.tfp", text))
    assert not problems, [problem.headline for problem in problems]
    assert document is not None
    return document


def value(text: str) -> nodes.Expression:
    (setting,) = read(f"x = {text}").statements
    assert isinstance(setting, nodes.Setting)
    return setting.value


def written(node: object) -> str:
    """A value as nested prefix notation, to compare shapes at a glance."""
    match node:
        case nodes.Binary(_, operator, left, right):
            return f"({operator} {written(left)} {written(right)})"
        case nodes.Negate(_, operand):
            return f"(- {written(operand)})"
        case nodes.Range(_, low, high):
            return f"(.. {written(low)} {written(high)})"
        case nodes.List(_, items):
            return f"[{' '.join(map(written, items))}]"
        case nodes.Arguments(_, positional, keywords):
            return " ".join(map(written, (*positional, *keywords)))
        case nodes.Keyword(_, name, inner):
            return f"{name.text}={written(inner)}"
        case nodes.Call(_, path, arguments, shape):
            text = path.text
            text += f"<{written(arguments)}>" if arguments else ""
            return text + (
                "" if shape is None else f"[{' '.join(map(written, shape))}]"
            )
        case nodes.Text(_, parts, _):
            return "".join(
                part if isinstance(part, str) else f"<{part.text}>" for part in parts
            )
        case nodes.PythonCall(_, target, arguments):
            return f"python:{written(target)}<{written(arguments)}>"
        case nodes.Integer(_, number, _) | nodes.Float(_, number, _):
            return repr(number)
        case nodes.Quantity(_, number, unit, _):
            return f"{number!r}{unit}"
        case nodes.Boolean(_, flag):
            return str(flag).lower()
        case nodes.Unknown():
            return "?"
    return "none"


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("10", "10"),
        ("1_000", "1000"),
        ("1e-3", "0.001"),
        ("0.5", "0.5"),
        ("1_0.5e+2", "1050.0"),
        ("3epochs", "3epochs"),
        ("0.5h", "0.5h"),
        ("1e3steps", "1000.0steps"),
        ("1e2_048", "1e2_048"),
        ("70GiB", "70GiB"),
        ("20%", "20%"),
        ("128M", "128M"),
        ("0.08..1.0", "(.. 0.08 1.0)"),
        ("200steps..220steps", "(.. 200steps 220steps)"),
        ("-1..n - 1", "(.. (- 1) (- n 1))"),
        ("1 - 2 - 3", "(- (- 1 2) 3)"),
        ("1 - (2 - 3)", "(- 1 (- 2 3))"),
        ("1 + 2 * 3 / 4", "(+ 1 (/ (* 2 3) 4))"),
        ("(1 + 2) * -3", "(* (+ 1 2) (- 3))"),
        ("--1", "(- (- 1))"),
        ("a-1", "(- a 1)"),
        ("true", "true"),
        ("True", "True"),
        ("relu", "relu"),
        ("validation.accuracy", "validation.accuracy"),
        ("adam()", "adam<>"),
        ("adam(1, rate = 2,)", "adam<1 rate=2>"),
        ("float32[?, 224, 3]", "float32[? 224 3]"),
        ("float32[]", "float32[]"),
        ("int64(key = k)[3]", "int64<key=k>[3]"),
        ("[]", "[]"),
        ("[1, [2], ]", "[1 [2]]"),
        ("[\n  1, # one\n\n  2\n]", "[1 2]"),
        ("f(\n)", "f<>"),
        ('python "m:f"(2)', "python:m:f<2>"),
        ('""', ""),
        (r'"a\\b\"c\n\t\$"', 'a\\b"c\n\t$'),
        ('"${a}/${ b.c }x"', "<a>/<b.c>x"),
        (r'"\${a} $b {c}"', "${a} $b {c}"),
        ('"größe 数据"', "größe 数据"),
        ('"# no comment"', "# no comment"),
        ("from", "from"),
    ],
)
def test_value(text: str, shape: str) -> None:
    assert written(value(text)) == shape


def test_literals_are_kept_as_written() -> None:
    assert value("1_000").literal == "1_000"
    assert value("1e-3").literal == "1e-3"
    assert value("2.0h").literal == "2.0h"
    assert value(r'"a\n"').literal == r'"a\n"'


def test_plain_text() -> None:
    assert value('"a"').plain == "a"
    assert value('""').plain == ""
    assert value('"${a}"').plain is None


def test_names_inside_text_have_their_own_span() -> None:
    text = value(r'"a\n${ data.size }"')
    path = text.parts[1]
    assert isinstance(path, nodes.Path)
    assert path.span.text == "data.size"
    assert [name.span.text for name in path.names] == ["data", "size"]


def test_block_with_all_its_parts() -> None:
    text = "a.b name(1, k = 2) from c.d { e } as f -> (g = h)"
    (block,) = read(text + "\n").statements
    assert isinstance(block, nodes.Block)
    assert block.word.text == "a.b"
    assert block.name
    assert block.name.text == "name"
    assert block.arguments
    assert len(block.arguments.positional) == 1
    assert block.source
    assert block.source.text == "c.d"
    assert block.body
    assert len(block.body) == 1
    assert block.alias
    assert block.alias.text == "f"
    assert block.asserted
    assert block.asserted.keywords[0].name.text == "g"
    assert block.head.text == "a.b name(1, k = 2)"
    assert block.span.text == text


def test_alias_may_stand_before_the_body() -> None:
    (before,) = read("train m as head { epochs = 1 }").statements
    (behind,) = read("train m { epochs = 1 } as head").statements
    assert isinstance(before, nodes.Block)
    assert isinstance(behind, nodes.Block)
    assert before.alias
    assert behind.alias
    assert before.alias.text == behind.alias.text == "head"
    assert before.body
    assert behind.body


def test_bare_word_has_nothing() -> None:
    (block,) = read("shuffle").statements
    assert block == nodes.Block(
        span=block.span,
        word=block.word,
        target=None,
        name=None,
        arguments=None,
        source=None,
        body=None,
        alias=None,
        asserted=None,
        head=block.span,
    )


def test_empty_bodies_are_not_missing_ones() -> None:
    for text in ("a {}", "a { }", "a {\n}", "a {\n\n  # nothing\n\n}"):
        (block,) = read(text).statements
        assert isinstance(block, nodes.Block)
        assert block.body == ()


def test_python_as_a_step() -> None:
    (block,) = read('python "m:f"(depth = 12)').statements
    assert isinstance(block, nodes.Block)
    assert block.word.text == "python"
    assert block.target
    assert block.target.plain == "m:f"
    assert block.head.text == 'python "m:f"(depth = 12)'


def test_from_is_a_setting_where_a_line_starts() -> None:
    (setting,) = read("from = head").statements
    assert isinstance(setting, nodes.Setting)
    assert setting.path.text == "from"


def test_spans_of_values_in_parentheses_include_them() -> None:
    node = value("(a + b) * c")
    assert isinstance(node, nodes.Binary)
    assert node.span.text == "(a + b) * c"
    assert node.left.span.text == "(a + b)"


def test_comments_are_all_kept_in_order() -> None:
    assert [comment.text for comment in read(SPEC).comments] == [
        "# A spec with a bit of everything.",
        "# where they are",
        "# one step a line",
        "# asserted",
        "# the end",
    ]


@pytest.mark.parametrize(
    "text",
    ["", "\n", "  \t ", "# only", "# only\n", "\n\n# a\n\n# b\n\n", "\ufeff", "\r\n"],
)
def test_nothing_but_blanks_and_comments(text: str) -> None:
    assert read(text).statements == ()


def test_windows_line_ends_read_the_same() -> None:
    one, two = read(SPEC), read(SPEC.replace("\n", "\r\n"))
    assert list(map(shape_of, one.statements)) == list(map(shape_of, two.statements))
    assert [c.text for c in one.comments] == [c.text for c in two.comments]


def test_a_byte_order_mark_changes_no_column() -> None:
    (setting,) = read("\ufeffx = 1").statements
    assert (setting.span.line, setting.span.column) == (1, 1)
    assert setting.span.text == "x = 1"


def test_parsing_may_start_inside_a_text() -> None:
    source = Source("command line", "--set train.epochs=3")
    document, problems = parse(source, 6)
    assert not problems
    assert document is not None
    (setting,) = document.statements
    assert (setting.span.text, setting.span.column) == ("train.epochs=3", 7)


def shape_of(node: object) -> object:
    """A node without its spans."""
    if isinstance(node, tuple):
        return tuple(map(shape_of, node))
    if not is_dataclass(node):
        return node
    parts = [
        shape_of(getattr(node, field.name))
        for field in fields(node)
        if not isinstance(getattr(node, field.name), Span)
    ]
    return (type(node).__name__, *parts)


def all_nodes(node: object):
    if isinstance(node, tuple):
        for item in node:
            yield from all_nodes(item)
    elif is_dataclass(node) and not isinstance(node, Span | Source):
        yield node
        for field in fields(node):
            yield from all_nodes(getattr(node, field.name))


def test_spans_hold_their_children_and_no_blanks() -> None:
    document = read(SPEC)
    for node in all_nodes(document.statements):
        text = node.span.text
        assert text
        assert text == text.strip()
        for child in all_nodes(
            tuple(getattr(node, field.name) for field in fields(node))
        ):
            assert node.span.start <= child.span.start
            assert child.span.end <= node.span.end


def test_a_span_says_what_its_node_says() -> None:
    """Reading the text of a value's span alone gives the same value."""
    for node in all_nodes(read(SPEC).statements):
        if isinstance(node, nodes.Expression):
            assert shape_of(value(node.span.text)) == shape_of(node)


words = st.sampled_from(["a", "relu", "b.c", "x1", "_y"])
numbers = st.sampled_from(["1", "0.5", "1e-3", "20%", "3epochs", "1_000"])
texts = st.sampled_from(['"t"', '""', '"${a}/b"', "true", "?", "float32[?, 3]"])
values = st.recursive(
    words | numbers | texts,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("+-*/"), inner).map(" ".join),
        inner.map("({})".format),
        inner.map("-{}".format),
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
        st.tuples(words, inner).map(lambda pair: f"{pair[0]}({pair[1]}, k = 1)"),
    ),
    max_leaves=12,
)


@given(values)
def test_any_value_reads_and_its_parts_read_again(text: str) -> None:
    node = value(text)
    assert node.span.text == text
    for part in all_nodes(node):
        if isinstance(part, nodes.Expression):
            assert shape_of(value(part.span.text)) == shape_of(part)
