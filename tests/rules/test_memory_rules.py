"""What is judged by the machine: caches and buffers, on machines of any size."""

from __future__ import annotations

import pathlib

import pytest

from tfpc.diagnostics.diagnostic import Severity
from tfpc.diagnostics.span import Source
from tfpc.diagnostics.text import render_all
from tfpc.driver import Options, check
from tfpc.machine.memory import usable_memory
from tfpc.rules.standard import whole_spec
from tfpc.vocabulary.example_proto import first_record

DIGITS = pathlib.Path(__file__).parents[2] / "specs" / "data" / "digits"

PICTURES = """
data digits {
  train = image_folder("ten_pictures")
}

model classifier from images {
  flatten
  dense(2)
}
"""
CACHED = """
pipeline images from digits {
  decode_png(channels = 1)
  resize(100, 100)
  NORMALIZE
  cache(memory)
  when(train) {
    shuffle
  }
  batch(2)
}
"""
RECORDS = """
data digits {
  train = tfrecord("train-*.tfrecord")
  schema {
    values = float32[1000]
    label = int64(classes = 10)
  }
}

pipeline images from digits {
  when(train) {
    shuffle(buffer = 1_000)
  }
  batch(32)
}
"""
# An example is 100 x 100 bytes, and a label of 8.
TEN = 10 * (100 * 100 + 8)
# A record is 1,000 numbers of 4 bytes, and a label of 1 at least; twice 1,000 of them.
HELD = 2 * 1_000 * 4_001


@pytest.fixture
def found(pictures, machine):
    """(severity, slug) of all that lint finds on a machine with that much memory."""

    def find(blocks, memory, slugs=None):
        machine(memory)
        source = Source(str(pictures / "x.tfp"), whole_spec(blocks))
        options = Options(look_at_data="image_folder" in blocks, rules=slugs)
        problems = check(source, options).diagnostics
        return [(each.severity, each.slug) for each in problems]

    return find


@pytest.mark.parametrize("normalize", ["", "normalize(mean = [127.5], std = [127.5])"])
@pytest.mark.parametrize(
    ("memory", "severity"),
    [
        (TEN - 1, Severity.ERROR),
        (TEN, Severity.WARNING),
        (int(TEN / 0.71), Severity.WARNING),
        (int(TEN / 0.69), None),
        (1 << 40, None),
        (None, None),
    ],
)
def test_a_cache_counts_what_is_kept(found, normalize, memory, severity):
    """`normalize` above it makes floats of bytes, but a pass moves it below."""
    blocks = PICTURES + CACHED.replace("NORMALIZE\n", normalize + "\n")
    said = found(blocks, memory)
    assert said == ([] if severity is None else [(severity, "cache-larger-than-ram")])


def test_what_is_held_out_is_kept_as_well(found):
    blocks = (PICTURES + CACHED.replace("NORMALIZE\n", "\n")).replace(
        '"ten_pictures")', '"ten_pictures")\n  validation = split(50%)'
    )
    assert found(blocks, TEN - 1) == [(Severity.ERROR, "cache-larger-than-ram")]


def test_encoded_pictures_are_of_any_size(found):
    blocks = PICTURES + CACHED.replace("NORMALIZE\n", "\n").replace("  resize", "  # ")
    said = found(blocks.replace("  decode_png(channels = 1)\n", ""), 1)
    assert "cache-larger-than-ram" not in [slug for _, slug in said]


def test_the_message_says_both_sizes(pictures, machine):
    machine(64 << 10)
    spec = whole_spec(PICTURES + CACHED.replace("NORMALIZE\n", "\n"))
    source = Source(str(pictures / "x.tfp"), spec)
    text = render_all(check(source, Options()).diagnostics)
    assert "`cache` keeps 97.7 KiB, this machine has 64.0 KiB" in text
    assert "10 examples of 9.8 KiB" in text
    machine(120 << 10)
    text = render_all(check(source, Options()).diagnostics)
    assert "`cache` keeps 97.7 KiB, 81% of the memory of this machine" in text


def test_an_allow_is_of_use_on_another_machine(found):
    """On a large one it is not reported as unused."""
    blocks = PICTURES + CACHED.replace("NORMALIZE\n", "\n")
    reason = "cache(memory)  # allow(cache-larger-than-ram): runs on a large machine"
    allowed = blocks.replace("cache(memory)", reason)
    assert found(allowed, TEN - 1) == found(allowed, 1 << 40) == []


def test_work_below_a_cache_that_could_not_be_kept_is_right(found):
    """`expensive-after-cache` would say to keep what does not fit."""
    below = CACHED.replace("  cache(memory)\n", "").replace("NORMALIZE\n", "\n")
    blocks = PICTURES + below.replace("  decode", "  cache(memory)\n  decode")
    assert [slug for _, slug in found(blocks, TEN)] == []
    assert [slug for _, slug in found(blocks, 10 * TEN)] == ["expensive-after-cache"]


@pytest.mark.parametrize(
    ("memory", "severity"),
    [
        (HELD - 1, Severity.ERROR),
        (HELD, Severity.WARNING),
        (2 * HELD - 1, Severity.WARNING),
        (2 * HELD, None),
        (None, None),
    ],
)
def test_a_buffer_of_records(found, memory, severity):
    said = found(RECORDS, memory)
    assert said == ([] if severity is None else [(severity, "shuffle-buffer-bytes")])


DECODED = """
pipeline images from digits {
  decode_png(channels = 3)
  resize(512, 512)
  normalize(mean = [127.5], std = [127.5])
  when(train) {
    shuffle(buffer = 50_000)
  }
  batch(32)
}
"""


def test_decoded_pictures_are_never_in_a_buffer(found):
    """Of a folder, numbers are shuffled; of records, those that are still encoded."""
    assert found(DECODED, 1 << 30) == []
    slugs = {"shuffle-buffer-bytes"}
    assert found(PICTURES + DECODED, 1, slugs) == []
    cached = RECORDS.replace("  when", "  cache(memory)\n  when", 1)
    assert found(cached, 1, slugs) == []


def test_records_are_weighed_by_the_first_one(machine):
    """And no more is held than there are bytes in all files."""
    files = sorted(DIGITS.glob("digits-*.tfrecord"))
    size = len(first_record(files[0]))
    count, everything = 100, sum(file.stat().st_size for file in files)

    def said(buffer):
        spec = (DIGITS.parents[1] / "digits.tfp").read_text()
        spec = spec.replace("  cache(memory)\n", "")
        spec = spec.replace("    shuffle\n", f"    shuffle(buffer = {buffer})\n")
        source = Source(str(DIGITS.parents[1] / "x.tfp"), spec)
        options = Options(rules={"shuffle-buffer-bytes"})
        return [each.severity for each in check(source, options).diagnostics]

    machine(2 * count * size)
    assert said(count) == [Severity.WARNING]
    assert said(count + 1) == [Severity.ERROR]
    machine(4 * everything)
    assert said(2**31 - 1) == []
    machine(4 * everything - 1)
    assert said(2**31 - 1) == [Severity.WARNING]


@pytest.mark.parametrize(
    ("change", "memory", "told"),
    [
        (("", ""), 1 << 30, True),
        (("", ""), 2 * TEN, True),
        (("", ""), 2 * TEN - 1, False),
        (("", ""), None, True),
        (("epochs = 2", "epochs = 1"), 1 << 30, False),
        (("  decode", "  cache(memory)\n  decode"), 1 << 30, False),
    ],
)
def test_what_a_cache_could_keep(found, change, memory, told):
    pipeline = CACHED.replace("  cache(memory)\n", "").replace("NORMALIZE\n", "\n")
    train = """
train classifier {
  epochs = 2
  optimizer = adam(learning_rate = 1e-3)
  loss = crossentropy
}
"""
    blocks = (PICTURES + pipeline + train).replace(*change)
    said = found(blocks, memory, {"cache-candidate"})
    assert said == ([(Severity.NOTE, "cache-candidate")] if told else [])


def test_this_machine_has_some_memory():
    assert usable_memory() > 1 << 20
