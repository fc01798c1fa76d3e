"""Every rule: its page, and its own two examples."""

from __future__ import annotations

import inspect

import pytest

from tfpc.diagnostics.diagnostic import Severity
from tfpc.diagnostics.span import Source
from tfpc.diagnostics.text import render_all
from tfpc.driver import Options, check
from tfpc.rules.registry import RULES, find
from tfpc.rules.standard import whole_spec

HEADINGS = ("What it finds", "Why", "Sources")
slugs = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.slug)


def said(blocks, folder, **severities):
    """What lint says of a spec with these blocks, and the message as text."""
    source = Source(str(folder / "x.tfp"), whole_spec(blocks))
    look = "image_folder" in blocks
    compiled = check(source, Options(look_at_data=look, severities=severities))
    return compiled.diagnostics, render_all(compiled.diagnostics)


@slugs
def test_its_page_has_all_headings_in_order(rule):
    page = inspect.cleandoc(rule.__doc__)
    places = [page.index(f"\n{heading}\n") for heading in HEADINGS]
    assert places == sorted(places)
    assert page.splitlines()[0].endswith(".")
    assert "https://" in page[places[-1] :]


@slugs
def test_it_is_found_by_code_and_slug(rule):
    assert find(rule.code) is rule
    assert find(rule.slug) is rule
    assert find(rule.slug.replace("-", "_")) is rule
    assert rule.code in rule.page()


@slugs
def test_its_file_has_its_name(rule):
    assert type(rule).__module__ == "tfpc.rules." + rule.slug.replace("-", "_")


def test_codes_and_slugs_are_unique():
    assert len({rule.code for rule in RULES}) == len(RULES)
    assert len({rule.slug for rule in RULES}) == len(RULES)


@slugs
def test_its_bad_example_fires_it_and_only_it(rule, pictures):
    found, text = said(rule.bad, pictures)
    loud = [each for each in found if each.severity > Severity.NOTE]
    if rule.severity is Severity.NOTE:
        assert not loud, text
        assert {each.slug for each in found} == {rule.slug}, text
    else:
        assert {each.slug for each in loud} == {rule.slug}, text


@slugs
def test_its_good_example_is_silent(rule, pictures):
    found, text = said(rule.good, pictures)
    assert not [each for each in found if each.severity > Severity.NOTE], text
    assert rule.slug not in {each.slug for each in found}, text


def test_a_note_can_be_made_an_error(pictures):
    rule = find("augment-after-cache")
    severities = {"augment-after-cache": Severity.ERROR}
    source = Source("x.tfp", whole_spec(rule.bad))
    found = check(
        source, Options(look_at_data=False, severities=severities)
    ).diagnostics
    assert [each.severity for each in found] == [Severity.ERROR]


SILENT = {
    "shuffle, batch, shuffle": """
pipeline images from digits {
  decode_png(channels = 1)
  resize(8, 8)
  cache(memory)
  when(train) { shuffle }
  batch(32)
  when(train) { shuffle }
}
""",
    "random work below the cache, then decoding of it": """
pipeline images from digits {
  decode_png(channels = 1)
  resize(16, 16)
  cache(memory)
  when(train) {
    shuffle
    random_crop(8, 8)
  }
  when(eval) { center_crop(8, 8) }
  batch(32)
}
""",
    "a softmax in the middle of a model": """
model classifier from images {
  flatten
  dense(10, activation = softmax)
  dense(10)
}
""",
    "one score for two classes": """
data digits {
  train = tfrecord("train-*.tfrecord")
  schema {
    image = string
    label = int64(classes = 2)
  }
}

model classifier from images {
  flatten
  dense(1)
}
""",
}


@pytest.mark.parametrize("case", SILENT)
def test_what_is_right_stays_silent(case, pictures):
    found, text = said(SILENT[case], pictures)
    assert not [each for each in found if each.severity > Severity.NOTE], text
