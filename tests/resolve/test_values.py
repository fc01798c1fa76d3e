"""What expressions come to, and where their values are said to come from."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfpc.diagnostics.span import Source
from tfpc.resolve.arithmetic import LARGEST
from tfpc.resolve.resolve import resolve
from tfpc.resolve.tree import Entry
from tfpc.syntax.parser import parse
from tfpc.types.quantity import Bytes, Epochs, Percent, Seconds, Steps
from tfpc.types.value import Anything, Interval, Symbol

VALUES = {
    "42": 42,
    "1_000": 1000,
    "-3": -3,
    "- -3": 3,
    "1e-3": 1e-3,
    "true": True,
    "false": False,
    '""': "",
    '"a\\tb"': "a\tb",
    "?": Anything(),
    "20%": Percent(0.2),
    "3epochs": Epochs(3),
    "1epoch": Epochs(1),
    "0.5epochs": Epochs(0.5),
    "100steps": Steps(100),
    "1e2steps": Steps(100),
    "90s": Seconds(90),
    "30min": Seconds(1800),
    "2h": Seconds(7200),
    "1d": Seconds(86400),
    "512B": Bytes(512),
    "1KB": Bytes(1000),
    "1KiB": Bytes(1024),
    "1.5GiB": Bytes(3 * 2**29),
    "2 + 3 * 4": 14,
    "(2 + 3) * 4": 20,
    "7 - 10": -3,
    "6 / 3": 2,
    "7 / 2": 3.5,
    "6.0 / 3": 2.0,
    "2 * 3epochs": Epochs(6),
    "3epochs * 2": Epochs(6),
    "3epochs / 2": Epochs(1.5),
    "10steps / 2": Steps(5),
    "1h + 30min": Seconds(5400),
    "50% - 20%": Percent(0.3),
    "1GiB - 1MiB": Bytes(2**30 - 2**20),
}


@pytest.mark.parametrize("expression", VALUES)
def test_an_expression_comes_to(expression, value_of):
    content = value_of(expression).content
    assert content == VALUES[expression]
    assert type(content) is type(VALUES[expression])


def test_lists_ranges_and_words(value_of):
    items = value_of("[1, 2.5, relu]").content
    assert [item.content for item in items[:2]] == [1, 2.5]
    assert items[2].content.word == "relu"
    interval = value_of("0.08..1.0").content
    assert isinstance(interval, Interval)
    assert (interval.low.content, interval.high.content) == (0.08, 1.0)
    symbol = value_of("adam(1, rate = cosine(2))").content
    assert isinstance(symbol, Symbol)
    assert (symbol.word, symbol.called) == ("adam", True)
    assert [value.content for value in symbol.positional] == [1]
    name, inner, span = symbol.keywords[0]
    assert (name, span.text, inner.content.word) == ("rate", "rate", "cosine")
    sizes = value_of("float32[?, 3]").content.shape
    assert [size.content for size in sizes] == [Anything(), 3]
    assert value_of("validation.loss").content.word == "validation.loss"


NUMBERS = st.integers(-1000, 1000)


def result_of(expression: str) -> object:
    document, problems = parse(Source("x", f"it = {expression}"))
    assert document is not None, problems
    resolved, problems = resolve(document, (), lambda node, fact: None)
    if resolved is None:
        return problems[0].code
    entry = resolved.items[0]
    assert isinstance(entry, Entry)
    return entry.value.content


@given(NUMBERS, st.sampled_from("+-*/"), NUMBERS, st.sampled_from("+-*/"), NUMBERS)
def test_whole_numbers_compute_as_fractions_do(a, first, b, second, c):
    text = f"({a} {first} {b}) {second} {c}"
    wrapped = f"(Fraction({a}) {first} Fraction({b})) {second} Fraction({c})"
    try:
        expected = eval(wrapped, {"Fraction": Fraction})
    except ZeroDivisionError:
        assert result_of(text) == "TFP124"
        return
    found = result_of(text)
    assert isinstance(found, int | float)
    assert found == pytest.approx(float(expected))
    if first != "/" and expected.denominator == 1:
        assert isinstance(found, int)


@given(st.integers(0, 2**70), st.sampled_from("+*"), st.integers(0, 2**70))
def test_no_number_leaves_64_bits(a, operator, b):
    found = result_of(f"{a} {operator} {b}")
    assert found == "TFP120" or (isinstance(found, int) and found <= LARGEST)


@given(
    st.floats(0, 1e308),
    st.sampled_from(
        ["%", "s", "min", "h", "d", "B", "KB", "TiB", "epochs", "steps", "x", "G"]
    ),
)
def test_a_quantity_has_a_value_or_a_message(number, unit):
    found = result_of(f"{number!r}{unit}".replace("+", ""))
    codes = ("TFP012", "TFP120")
    assert found in codes or isinstance(
        found, Percent | Epochs | Steps | Seconds | Bytes
    )


# ------------------------------------------------------------------ names and origins


def test_a_let_is_its_value_with_its_place(value_of):
    value = value_of("size", before="let size = 224")
    assert value.content == 224
    assert value.span.text == "size"
    assert (value.origin.text, value.how) == ("224", "set by `let size`")


def test_the_first_let_of_a_chain_is_the_origin(value_of):
    value = value_of("c", before="let a = 3\nlet b = a\nlet c = b")
    assert (value.content, value.origin.text) == (3, "3")
    assert value.how == "set by `let a`"


def test_arithmetic_keeps_the_place_of_what_it_uses(value_of):
    value = value_of("2 * size + 1", before="let size = 224")
    assert (value.content, value.origin.text) == (449, "224")
    assert value_of("2 * 3").origin is None


def test_a_let_of_a_word_keeps_its_arguments(value_of):
    value = value_of("best", before="let rate = 0.1\nlet best = adam(rate)")
    assert value.content.word == "adam"
    assert value.content.positional[0].content == 0.1
    assert value.origin.text == "adam(rate)"


def test_text_takes_in_lets_of_text_and_numbers(value_of):
    before = 'let root = "data"\nlet n = 3\nlet part = 0.5'
    assert value_of('"${root}/a${n}-${part}.x"', before).content == "data/a3-0.5.x"
    assert value_of('"\\${root}"', before).content == "${root}"


def test_text_that_is_one_name_keeps_its_place(value_of):
    value = value_of('"${root}"', 'let root = "data"')
    assert (value.content, value.origin.text) == ("data", '"data"')
    assert value_of('"${root}/x"', 'let root = "data"').origin is None


def test_a_let_that_is_not_used_is_fine(resolve_text):
    resolved, problems = resolve_text("let size = 224\nseed = 1\n")
    assert not problems
    assert [item.path for item in resolved.items] == ["seed"]


def test_a_block_may_use_a_let_below_it(resolve_text, node_at):
    text = 'data d {\n  train = image_folder("${root}/a")\n}\nlet root = "x"\n'
    resolved, _ = resolve_text(text)
    entry = node_at(resolved, "data").body[0]
    assert entry.value.content.positional[0].content == "x/a"


def test_ten_thousand_lets_in_a_chain(value_of):
    lines = ["let a0 = 1", *(f"let a{i} = a{i - 1} + 1" for i in range(1, 10_000))]
    assert value_of("a9999", "\n".join(lines)).content == 10_000


# ------------------------------------------------------------------------ environment


def test_env_reads_a_variable(value_of, monkeypatch):
    monkeypatch.setenv("TFPC_TEST", "/data")
    value = value_of('env("TFPC_TEST")')
    assert value.content == "/data"
    assert value.how == "read from the environment variable TFPC_TEST"
    assert value_of('"${root}/x"', 'let root = env("TFPC_TEST")').content == "/data/x"


def test_env_falls_back_to_its_default(value_of, monkeypatch):
    monkeypatch.delenv("TFPC_TEST", raising=False)
    value = value_of('env("TFPC_TEST", default = "data")')
    assert value.content == "data"
    assert "TFPC_TEST is not set" in value.how


def test_an_empty_variable_is_set(value_of, monkeypatch):
    monkeypatch.setenv("TFPC_TEST", "")
    assert value_of('env("TFPC_TEST", default = "data")').content == ""


def test_what_is_in_a_variable_is_never_evaluated(value_of, monkeypatch):
    monkeypatch.setenv("TFPC_TEST", "${size} 1 + 1 \\n")
    assert value_of('env("TFPC_TEST")', "let size = 1").content == "${size} 1 + 1 \\n"


def test_a_variable_that_is_no_text_is_refused(resolve_text, monkeypatch):
    monkeypatch.setenv("TFPC_TEST", "\udcff")
    resolved, problems = resolve_text('it = env("TFPC_TEST")')
    assert resolved is None
    assert problems[0].headline == "the environment variable TFPC_TEST is not UTF-8"


# ------------------------------------------------------------------------------ facts

DATA = 'data digits {\n  train = tfrecord("a")\n}\n'


def test_a_fact_is_asked_of_the_data(value_of):
    facts = {"classes": 10, "size": 1500}
    value = value_of("digits.classes", DATA, facts=facts)
    assert (value.content, value.how) == (10, "read from the data of `digits`")
    assert value_of("digits.size / 2", DATA, facts=facts).content == 750


def test_only_facts_that_are_used_are_asked_for():
    document, _ = parse(Source("x", DATA + "a = digits.size\nb = digits.size\n"))
    asked = []

    def fact(node, name):
        asked.append((node.name, name))
        return 3

    resolved, problems = resolve(document, (), fact)
    assert resolved is not None, problems
    assert asked == [("digits", "size")] * 2
    asked.clear()
    document, _ = parse(Source("x", DATA))
    resolve(document, (), fact)
    assert asked == []


def test_a_let_may_ask_data_that_uses_lets_further_down(value_of):
    data = 'data digits {\n  train = tfrecord("${root}")\n}\n'
    before = f'let n = digits.classes\nlet root = "a"\n{data}'
    assert value_of("n", before, facts={"classes": 10}).content == 10


def test_the_data_is_asked_as_it_is_after_overrides():
    document, _ = parse(Source("x", DATA + "a = digits.size\n"))
    limits = []

    def fact(node, name):
        limits.extend(item.value.content for item in node.body if item.path == "limit")
        return 3

    resolve(document, ("digits.limit=7",), fact)
    assert limits == [7]


def test_a_problem_of_the_data_is_told_once(resolve_text):
    text = (
        'data digits {\n  train = tfrecord("a")\n  limit = 1 / 0\n}\n'
        "let n = digits.classes\na = digits.classes\nb = n\n"
    )
    resolved, problems = resolve_text(text, facts={"classes": 10})
    assert resolved is None
    assert [problem.headline for problem in problems] == ["this divides by zero"]


def test_data_with_a_problem_is_not_looked_at():
    text = 'data digits {\n  train = tfrecord("${rot}")\n}\na = digits.classes\n'
    document, _ = parse(Source("x", text))
    asked = []

    def fact(node, name):
        asked.append(name)
        return 10

    resolved, problems = resolve(document, (), fact)
    assert resolved is None
    assert [problem.code for problem in problems] == ["TFP121"]
    assert asked == []
