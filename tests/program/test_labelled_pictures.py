"""Pictures with labels in names and tables, as the program finds them at its start."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfpc.vocabulary import label_pattern
from tfpc.vocabulary.named_pictures import Named

pytestmark = pytest.mark.tensorflow


@pytest.fixture
def pictures(tmp_path):
    for name in ("2_a.jpg", "s/10_b.png", "s/t/9_c.jpeg", ".9_x.jpg", "s/labels.txt"):
        (tmp_path / "p" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "p" / name).write_text(name)
    return tmp_path


def opened(folder, labels, **given):
    from tfpc.program.labelled_pictures import labelled_pictures

    return labelled_pictures(folder / "p", labels, "x.tfp:1:1", **given)


def in_names(*given):
    from tfpc.program.labels_in_names import LabelsInNames

    return LabelsInNames(*given)


def in_table(folder, text, **given):
    from tfpc.program.labels_in_table import LabelsInTable

    (folder / "t.csv").write_text(text)
    return LabelsInTable(folder / "t.csv", **given)


def test_classes_by_names(pictures):
    found = opened(pictures, in_names("{label}_*"), classes=3)
    assert found.class_names == ["2", "9", "10"]
    assert found.labels.tolist() == [0, 2, 1]
    image, label = found.read(1)
    assert (image.numpy(), int(label)) == (b"s/10_b.png", 2)
    assert found.file_of(2).endswith("p/s/t/9_c.jpeg")


def test_classes_by_a_table(pictures):
    text = "file,kind\n10_b,emu\n2_a.jpg,cat\n\ns/t/9_c,emu\n"
    found = opened(pictures, in_table(pictures, text, header=True), classes=2)
    assert found.class_names == ["cat", "emu"]
    assert found.labels.tolist() == [0, 1, 1]
    like = opened(pictures, in_names("{label}_*"))
    labels = in_table(pictures, "10_b,2\n2_a,9\n9_c,9\n9_d,1\n", partial=True)
    assert opened(pictures, labels, like=like).labels.tolist() == [1, 0, 1]


def test_labels_that_are_numbers(pictures):
    text = "age;file\n1.5;2_a\n2;10_b\n-3;9_c\n"
    table = in_table(pictures, text, header=True, file="file", delimiter=";")
    found = opened(pictures, table, numbers=True)
    assert found.labels.dtype == "float32"
    assert found.labels.tolist() == [1.5, 2.0, -3.0]
    assert found.class_names == []


HEAD = "file,kind\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (HEAD, "there is no row in"),
        (HEAD + "2_a,x,y\n", "t.csv, line 2 has 3 fields instead of 2"),
        (HEAD + "2_a,\n", "t.csv, line 2 has no label"),
        (HEAD + ",x\n", "t.csv, line 2 has no picture"),
        (HEAD + "3_a,x\n", "line 2 names a picture that is not there: '3_a'"),
        (HEAD + "2_a,x\n\n2_a.jpg,y\n", "line 4 has another label for '2_a.jpg'"),
        (HEAD + "2_a,x\n", "t.csv has no row for 2 pictures: s/10_b.png"),
        ("name,kind\n2_a,x\n", "needs the columns ['file'], and has ['name', 'kind']"),
        (HEAD + '2_a,"x\n', "line 2 can't be read"),
    ],
)
def test_a_row_that_is_not_as_it_should_be_is_named(pictures, text, said):
    from tfpc.program.failures import InputError

    table = in_table(pictures, text, header=True, file="file")
    with pytest.raises(InputError) as caught:
        opened(pictures, table)
    assert said in caught.value.message
    assert caught.value.place == "x.tfp:1:1"


def test_what_has_changed_since_is_named(pictures):
    from tfpc.program.failures import InputError

    train = opened(pictures, in_names("{label}_*"))
    (pictures / "p" / "7_d.jpg").touch()
    for labels, more, said in (
        (in_names("{label}_*"), {"like": train}, "the class '7' of"),
        (in_names("{label}_*"), {"classes": 3}, "have 4 classes"),
        (in_names("{label}_a"), {}, "7_d.jpg does not fit '{label}_a'"),
        (in_names("{label}_*", None), {"numbers": True}, "'x' is no number"),
    ):
        if "numbers" in more:
            (pictures / "p" / "x_d.jpg").touch()
        with pytest.raises(InputError) as caught:
            opened(pictures, labels, **more)
        assert said in caught.value.message


def test_a_name_that_fits_in_several_ways(pictures):
    from tfpc.program.failures import InputError

    (pictures / "p" / "2_b_1.jpg").touch()
    with pytest.raises(InputError, match="in several ways: 2_b, 2"):
        opened(pictures, in_names("{label}_*"))
    longest = opened(pictures, in_names("{label}_*", "longest"))
    assert longest.class_names == ["10", "2", "2_b", "9"]


PIECES = st.text("ab_-.*", max_size=6)
NAMES = st.text("ab_-.", min_size=1, max_size=8)


@given(before=PIECES, after=PIECES, name=NAMES)
def test_a_check_finds_the_labels_that_a_run_finds(before, after, name):
    from tfpc.program.labels_in_names import labels_in

    pattern = f"{before}{{label}}{after}"
    for suffix in (".jpg", ".PNG"):
        found = label_pattern.labels_in(pattern, name + suffix)
        assert found == labels_in(pattern, name + suffix)


PATHS = st.lists(st.sampled_from(["a.jpg", "a.png", "b.jpg", "s/a.jpg", "s/b/a.jpg"]))


@given(paths=PATHS, name=st.sampled_from(["a", "a.jpg", "s/a", "./b", "s\\a.jpg", "x"]))
def test_a_check_finds_the_picture_that_a_run_finds(paths, name):
    from tfpc.program.labels_in_table import NamedPictures

    paths = list(dict.fromkeys(paths))
    assert Named(paths).find(name) == NamedPictures(paths).find(name)
