"""`csv`: what lint learns of a table from its first rows, and what it says of odd ones."""

from __future__ import annotations

import pytest

from tfpc.vocabulary.csv_file import Csv
from tfpc.vocabulary.schema import Float32Field, Int64Field, StringField
from tfpc.vocabulary.source import Probe
from tfpc.vocabulary.word import Mismatch

TABLE = """\
age, job,pay per hour,rich
39, cook,12.5,no
50,"nurse, night",30,yes

 28, cook ,7,no
"""


@pytest.fixture
def probe(tmp_path):
    """Probes a table; returns what it tells."""

    def look(text, schema=None, label="rich", **given):
        data = text if isinstance(text, bytes) else text.encode()
        (tmp_path / "t.csv").write_bytes(data)
        return Csv(files="t.csv", **given).probe(tmp_path, schema, label)

    return look


def test_types_are_taken_from_the_first_rows(probe):
    found = probe(TABLE)
    assert isinstance(found, Probe)
    assert str(found.element) == (
        "(age = int64[], job = string[], pay_per_hour = float32[], rich = int64[])"
    )
    assert found.facts.class_names == ("no", "yes")
    assert found.element["rich"].classes == 2
    assert found.fields["pay_per_hour"].key == "pay per hour"


def test_a_schema_chooses_columns_and_types(probe):
    schema = {
        "wage": Float32Field(key="pay per hour"),
        "rich": StringField(values=("yes", "no")),
    }
    found = probe(TABLE, schema)
    assert str(found.element) == "(wage = float32[], rich = int64[])"
    assert found.facts.class_names == ("yes", "no")


def test_a_class_may_be_written_in_several_ways(probe):
    schema = {"rich": StringField(values=(("no", "no."), "yes"))}
    found = probe(TABLE.replace("7,no", "7,no."), schema)
    assert found.facts.class_names == ("no", "yes")


def test_columns_without_a_header(probe):
    rows = "\n".join(TABLE.splitlines()[1:])
    found = probe(rows, columns=("a", "b", "c", "rich"))
    assert found.element.names == ("a", "b", "c", "rich")
    assert found.facts.class_names == ("no", "yes")


def test_a_header_is_left_out_where_columns_are_named_anew(probe):
    found = probe(TABLE, columns=("a", "b", "c", "rich"), header=True)
    assert found.element["a"].dtype == "int64"


def test_other_delimiters_and_missing_texts(probe):
    found = probe("x;rich\na;no\n?;yes\n", delimiter=";", missing="?")
    assert isinstance(found, Probe)
    assert found.element["x"].dtype == "string"


def test_a_byte_order_mark_is_no_part_of_a_name(probe):
    found = probe(b"\xef\xbb\xbf" + TABLE.encode())
    assert found.element.names[0] == "age"


NUMBER = {"age": Float32Field(), "rich": StringField(values=("no", "yes"))}


@pytest.mark.parametrize(
    ("text", "schema", "given", "said"),
    [
        ("a,b\n1,2\n3\n", None, {}, "line 3 has 1 fields, there are 2 columns"),
        ("", None, {}, "it has no rows"),
        ("a,b\n", None, {}, "it has no rows"),
        (",b\n1,2\n", None, {}, "a column has no name"),
        ("a,a\n1,2\n", None, {}, 'two columns are named "a"'),
        ("1,2\n", None, {"columns": ("a", "a")}, 'two columns are named "a"'),
        ("1,2\n", None, {"header": False}, "leaves the columns without names"),
        (b"a\n\xff\xfe\n", None, {}, "not text in UTF-8"),
        ('a\n"x"y\n', None, {}, "line 2"),
        ("age,rich\nold,no\n", NUMBER, {}, '"old" in line 2'),
        ("age,rich\nnan,no\n", NUMBER, {}, '"nan" in line 2'),
        ("age,rich\n1,no\n,yes\n", NUMBER, {}, "no value in line 3"),
        ("age,rich\n?,no\n", NUMBER, {"missing": "?"}, "no value in line 2"),
        ("age,rich\n1,maybe\n", NUMBER, {}, '"maybe" in line 2'),
        ("years,rich\n1,no\n", NUMBER, {}, 'no column "age"'),
        ("age,rich\n1.5,no\n", {**NUMBER, "age": Int64Field()}, {}, '"1.5" in line 2'),
        ("a,rich\n1,no\n", None, {}, "the classes of the label `rich`"),
        ("age,rich\n1,no\n", {"age": Float32Field(shape=(2,))}, {}, "one value a row"),
    ],
)
def test_what_is_odd_is_named(probe, text, schema, given, said):
    found = probe(text, schema, **given)
    assert isinstance(found, Mismatch)
    assert said in f"{found.headline} {found.label} {found.why}"
    assert found.fix


def test_a_number_with_a_default_may_be_missing(probe):
    schema = {**NUMBER, "age": Float32Field(default=40)}
    assert isinstance(probe("age,rich\n,no\n", schema), Probe)
