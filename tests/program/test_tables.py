"""Tables as the program reads them: every row where it belongs, or named."""

from __future__ import annotations

import csv

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytestmark = pytest.mark.tensorflow


def read(folder, text, *, name="t.csv", **given):
    from tfpc.program.tables import csv_table

    (folder / name).write_text(text, encoding="utf-8", newline="")
    return csv_table(folder, "*.csv", "x.tfp:1:1", **given)


def columns():
    from tfpc.program.tables import Column

    return {
        "age": Column("float32", "age"),
        "job": Column("string", "job", default=""),
        "rich": Column("int64", "rich", values=(("no", "no."), ("yes",))),
    }


TEXT = 'job,age,rich\n cook, 1.5 ,no\n\n"a ""b"", c",2,yes\n?,3,no.\n\n'


def test_rows_are_read_by_the_names_of_their_columns(tmp_path):
    table = read(tmp_path, TEXT, header=True, missing=["?"], columns=columns())
    assert table.count == 3
    age, job, rich = table.read(np.array([2, 0, 1]))
    assert age.numpy().tolist() == [3.0, 1.5, 2.0]
    assert job.numpy().tolist() == [b"", b"cook", b'a "b", c']
    assert rich.numpy().tolist() == [0, 0, 1]
    assert table.file_of(2).endswith("t.csv, line 5")
    chosen = table.select(np.array([False, True, True]))
    assert chosen.count == 2
    assert chosen.file_of(1).endswith("line 5")


def test_files_may_have_their_columns_in_another_order(tmp_path):
    (tmp_path / "a.csv").write_text("rich,age,job\nyes,7,x\n")
    table = read(tmp_path, TEXT, header=True, missing=["?"], columns=columns())
    assert table.arrays["age"].tolist() == [7.0, 1.5, 2.0, 3.0]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("a,b\n", "line 2 has 2 fields instead of 3"),
        ("a,old,no\n", "line 2 has no value for `age`: 'old' is no number"),
        ("a,inf,no\n", "line 2 has no value for `age`: 'inf' is no finite number"),
        ("a,,no\n", "the field is empty, and the column has no default"),
        (
            "a,1,maybe\n",
            "line 2 has no value for `rich`: 'maybe' is none of its values",
        ),
        ('a,1,"no\n', "line 2 can't be read"),
        ("", "there is no row"),
    ],
)
def test_a_row_that_is_not_as_it_should_be_is_named(tmp_path, row, said):
    from tfpc.program.failures import InputError

    with pytest.raises(InputError) as caught:
        read(tmp_path, "job,age,rich\n" + row, header=True, columns=columns())
    assert said in caught.value.message
    assert "t.csv" in caught.value.message
    assert caught.value.place == "x.tfp:1:1"


def test_a_column_that_a_file_lacks_is_named(tmp_path):
    from tfpc.program.failures import InputError

    with pytest.raises(InputError, match="without 'age': job, years, rich"):
        read(tmp_path, "job,years,rich\na,1,no\n", header=True, columns=columns())


TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]))


@given(rows=st.lists(st.tuples(TEXTS, st.integers(-(2**63), 2**63 - 1)), min_size=1))
def test_what_is_written_is_read(tmp_path_factory, rows):
    from tfpc.program.tables import Column

    folder = tmp_path_factory.mktemp("csv")
    with open(folder / "t.csv", "w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, quoting=csv.QUOTE_ALL).writerows(rows)
    names = {
        "text": Column("string", "text", default=""),
        "number": Column("int64", "number"),
    }
    text = (folder / "t.csv").read_text(encoding="utf-8")
    table = read(folder, text, names=["text", "number"], columns=names)
    assert table.arrays["text"].tolist() == [text.strip() for text, _ in rows]
    assert table.arrays["number"].tolist() == [number for _, number in rows]
