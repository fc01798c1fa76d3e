"""Labels of pictures from names and tables: classes, and what is said of wrong data."""

from __future__ import annotations

import pytest

from tfpc.diagnostics.diagnostic import Severity
from tfpc.diagnostics.span import Source
from tfpc.diagnostics.text import render_all
from tfpc.driver import Options, check
from tfpc.rules.standard import whole_spec
from tfpc.vocabulary.label_pattern import labels_in

DATA = """
data digits {{
  train = image_folder("photos", labels = {labels})
  {more}
}}

pipeline images from digits {{
  decode_png(channels = 1)
  resize(8, 8)
  when(train) {{
    shuffle
  }}
  batch(1)
}}

model classifier from images {{
  flatten
  dense(digits.classes)
}}
"""


@pytest.fixture
def pictures(tmp_path):
    """Makes files, and a table with these rows."""

    def make(*names, rows=(), folder="photos"):
        for name in names:
            path = tmp_path / folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"")
        (tmp_path / "labels.csv").write_text("".join(f"{row}\n" for row in rows))
        return tmp_path

    return make


def checked(folder, labels, more=""):
    """The plan, and all that is said on lines one behind the other."""
    text = whole_spec(DATA.format(labels=labels, more=more))
    checked = check(Source(str(folder / "case.tfp"), text), Options())
    said = [d for d in checked.diagnostics if d.severity is Severity.ERROR]
    text = " ".join(render_all(said).split())
    return checked.plan, text


def classes(folder, labels, more=""):
    plan, said = checked(folder, labels, more)
    assert not said
    return plan.data.splits["train"].facts.class_names


@pytest.mark.parametrize(
    ("pattern", "name", "labels"),
    [
        ("{label}_*", "cat_1.jpg", ["cat"]),
        ("{label}_*", "cat_.jpg", ["cat"]),
        ("{label}_*", "bull_dog_1.jpg", ["bull", "bull_dog"]),
        ("{label}_*_*", "bull_dog_1.jpg", ["bull"]),
        ("*-{label}.jpg", "a-cat.jpg", ["cat"]),
        ("*-{label}.jpg", "a-cat.JPG", ["cat"]),
        ("*-{label}.jpg", "a-cat.png", []),
        ("*-{label}", "a.b-cat.jpeg", ["cat"]),
        ("*-{label}.*", "a-cat.png", ["cat"]),
        ("{label}", "cat.png", ["cat"]),
        ("{label}_*", "_1.jpg", []),
        ("x*y-{label}-z", "xaybyy-c-z.png", ["c"]),
        ("x*y-{label}-z", "xy-c-zz.png", []),
        ("*_{label}_*", "a_b_c_d.jpg", ["b_c", "b", "c"]),
        ("(.+)+{label}", "(.+)+a.jpg", ["a"]),
    ],
)
def test_the_label_in_a_name(pattern, name, labels):
    assert sorted(labels_in(pattern, name)) == sorted(labels)


def test_a_long_name_takes_no_time():
    assert labels_in("*a*a*a*a*a*a*a-{label}-b*", "a" * 20_000 + ".jpg") == []


def test_classes_by_names(pictures):
    folder = pictures("10_a.jpg", "sub/deep/9_a.PNG", "9_b.jpg", "notes.txt", ".x_.jpg")
    assert classes(folder, 'filename("{label}_*")') == ("9", "10")
    folder = pictures("b_1.jpg", folder="photos")
    assert classes(folder, 'filename("{label}_*")') == ("10", "9", "b")


@pytest.mark.parametrize(
    ("take", "wanted"), [("longest", "bull_dog"), ("shortest", "bull")]
)
def test_which_part_of_a_name(pictures, take, wanted):
    folder = pictures("bull_dog_1.jpg", "cat_1.jpg")
    labels = f'filename("{{label}}_*", take = {take})'
    assert classes(folder, labels) == (wanted, "cat")


@pytest.mark.parametrize(
    ("labels", "rows"),
    [
        ('csv("labels.csv")', ["file,label", "a.jpg,x", "s/b.jpg,y"]),
        ('csv("labels.csv")', ["file,label", " a , x ", "", "./s/b,y"]),
        ('csv("labels.csv")', ["file,label", "a,x", "b.jpg,y", "b.jpg,y"]),
        ('csv("labels.csv", header = false)', ["a,x", "b,y"]),
        ('csv("labels.csv", label = "k")', ["k,f", "x,a", "y,b"]),
        ('csv("labels.csv", file = "f")', ["k,f", "x,a", "y,b"]),
        ('csv("labels.csv", file = "f", label = "k")', [",f,k", "0,a,x", "1,b,y"]),
        ('csv("labels.csv", columns = ["n", "k"], delimiter = ";")', ["a;x", "b;y"]),
        ('csv("labels.csv", partial = true)', ["file,label", "a,x", "b,y", "c,z"]),
        ('csv("labels.csv")', ["file,label", "a,x", "s\\b.jpg,y"]),
    ],
)
def test_classes_by_a_table(pictures, labels, rows):
    assert classes(pictures("a.jpg", "s/b.jpg", rows=rows), labels) == ("x", "y")


def test_the_longer_name_comes_first(pictures):
    rows = ["file,label", "a,x", "s/a,y", "s/a.png,z"]
    folder = pictures("a.jpg", "s/a.jpg", "s/a.png", rows=rows)
    assert "means several pictures" in checked(folder, 'csv("labels.csv")')[1]
    rows = ["file,label", "a,x", "s/a.jpg,y", "s/a.png,z"]
    folder = pictures("a.jpg", "s/a.jpg", "s/a.png", rows=rows)
    assert classes(folder, 'csv("labels.csv")') == ("x", "y", "z")


HEAD = "file,label"


@pytest.mark.parametrize(
    ("labels", "rows", "said"),
    [
        ('filename("{label}_*")', [], '3 of 3 pictures do not fit "{label}_*"'),
        ('filename("*{label}")', [], "must have text between `*` and `{label}`"),
        ('filename("cat")', [], "must hold `{label}` once"),
        ('filename("{id}_{label}")', [], "no other braces than `{label}`"),
        ('filename("s/{label}_*")', [], "the file's name alone"),
        ('filename("a?{label}")', [], "must hold no `?`"),
        (
            '"labels.csv"',
            [],
            'write `folder`, or a labelling, such as `csv("labels.csv")`',
        ),
        ('csv("none.csv")', [], 'there is no file "none.csv"'),
        ('csv("photos")', [], "can't be read as a table"),
        ('csv("labels.csv")', [], "has no rows"),
        ('csv("labels.csv")', [HEAD], "has no rows"),
        ('csv("labels.csv")', [HEAD, "a,x", "b"], "has a wrong row: line 3"),
        ('csv("labels.csv")', [HEAD, "a,x", "b,"], "has no label in line 3"),
        ('csv("labels.csv")', [HEAD, ",x"], "has no picture in line 2"),
        ('csv("labels.csv")', [HEAD, '"a,x'], "line 2: unexpected end of data"),
        ('csv("labels.csv")', ["file", "a"], "has one column only"),
        ('csv("labels.csv", label = "lable")', [HEAD, "a,x"], "did you mean `label`?"),
        ('csv("labels.csv", label = "k")', ["f,k,k", "a,x,x"], 'several columns "k"'),
        (
            'csv("labels.csv", file = "label", label = "label")',
            [HEAD, "a,x"],
            "takes one column for both",
        ),
        ('csv("labels.csv")', [HEAD, "a,x"], "has no row for 2 of 3 pictures"),
        ('csv("labels.csv")', [HEAD, "a,x"], '"b.jpg", "c.png"'),
        ('csv("labels.csv")', ["a,x", "b,x", "c,y"], "header = false"),
        ('csv("labels.csv")', [HEAD, "a,x", "d,x"], '"d" in line 3'),
        (
            'csv("labels.csv")',
            [HEAD, *(f"p{n},x" for n in range(9))],
            '"p0" in line 2, "p1" in line 3, "p2" in line 4 and 6 more',
        ),
        ('csv("labels.csv")', [HEAD, "a,x", "a.jpg,y"], '"x" in line 2, "y" in line 3'),
        (
            'csv("labels.csv", kind = number)',
            [HEAD, "a,1", "b,2.5", "c,old"],
            'the label of "c" in line 4 is "old", which is no number',
        ),
    ],
)
def test_what_is_wrong_is_named(pictures, labels, rows, said):
    plan, text = checked(pictures("a.jpg", "b.jpg", "c.png", rows=rows), labels)
    assert plan is None
    assert said in text
    assert "case.tfp:" in text


def test_numbers_are_no_classes(pictures):
    folder = pictures("3_a.jpg", "4.5_a.jpg")
    text = whole_spec(
        DATA.format(labels='filename("{label}_*", kind = number)', more="").replace(
            "digits.classes", "1"
        )
        + "\ntrain classifier {\n  epochs = 1\n  optimizer = adam(learning_rate = 1e-3)\n"
        "  loss = mse\n}\n"
    )
    plan = check(Source(str(folder / "case.tfp"), text), Options()).plan
    label = plan.chains["train"].source["label"]
    assert (label.dtype, label.classes) == ("float32", None)


def test_classes_that_train_has_not(pictures):
    pictures("a_1.jpg", "b_1.jpg")
    folder = pictures("a_1.jpg", "c_1.jpg", folder="more")
    labels = 'filename("{label}_*")'
    more = f'validation = image_folder("more", labels = {labels})'
    _, said = checked(folder, labels, more)
    assert '`validation` has classes that `train` has not: "c"' in said
    assert "name the files alike in both" in said


def test_one_class_is_nothing_to_learn(pictures):
    _, said = checked(pictures("a_1.jpg", "a_2.jpg"), 'filename("{label}_*")')
    assert "TFP409" in said
    assert "sub-folders" not in said


def test_pictures_lie_at_any_depth_below_a_class(pictures):
    folder = pictures("a/1.jpg", "a/more/2.jpg", "b/3.jpg", "4.jpg", "b/.x/5.jpg")
    plan, said = checked(folder, "folder")
    assert not said
    assert plan.data.splits["train"].facts.count == 3


def test_a_link_back_is_no_endless_way(pictures):
    folder = pictures("a_1.jpg", "s/b_2.jpg")
    (folder / "photos" / "s" / "up").symlink_to(folder / "photos")
    (folder / "photos" / "again").symlink_to(folder / "photos" / "s")
    plan, said = checked(folder, 'filename("{label}_*")')
    assert not said
    assert plan.data.splits["train"].facts.count == 3
