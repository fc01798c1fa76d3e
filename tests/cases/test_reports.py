"""Mistakes that others reported: each is refused, and its mended spec trains.

The reports are in `reports.md`, a pair of specs each.
"""

from __future__ import annotations

import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import zlib
from dataclasses import dataclass

import pytest

from tfpc.diagnostics.diagnostic import Severity
from tfpc.diagnostics.span import Source
from tfpc.diagnostics.text import render_all
from tfpc.driver import Options, compile_spec
from tfpc.rules.standard import whole_spec

PAGE = pathlib.Path(__file__).with_name("reports.md").read_text(encoding="utf-8")
WRONG = re.compile(r"^<!-- (TFP\d+) -->\n```tfp-wrong\n(.*?)^```$", re.M | re.S)
RIGHT = re.compile(r"^(<!-- runs -->\n)?```tfp\n(.*?)^```$", re.M | re.S)
MEMORY = 16 << 30
# Every program of a list in one process: TensorFlow starts once.
RUN_ALL = """
import json, os, runpy, sys
for name in json.loads(sys.argv[1]):
    os.environ["TFPC_EVENTS"] = f"{name}.jsonl"
    sys.argv = [f"{name}.py", "--run-dir", f"ran/{name}"]
    runpy.run_path(f"{name}.py", run_name="__main__")
"""


@dataclass(frozen=True)
class Report:
    """One report: (code, blocks) of what is wrong, and what is right.

    runs: whether the mended spec is also trained.
    """

    name: str
    wrong: list[tuple[str, str]]
    right: str
    runs: bool

    @property
    def file(self):
        """The name as that of a module."""
        return "case_" + re.sub(r"\W", "_", self.name).lower()


def read_page():
    """The reports, in order."""
    found = []
    for section in re.split(r"^## ", PAGE, flags=re.M)[1:]:
        ((runs, right),) = RIGHT.findall(section)
        name = section.partition("\n")[0].strip()
        found.append(Report(name, WRONG.findall(section), right, bool(runs)))
    return found


REPORTS = read_page()
reports = pytest.mark.parametrize("report", REPORTS, ids=lambda each: each.name)
MENDED = [report for report in REPORTS if report.runs]


def png(number, height, width):
    """A gray picture, brighter with its number; no more of PNG than it needs."""

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    rows = b"".join(
        b"\0" + bytes((number * 7 + x * y) % 256 for x in range(width))
        for y in range(height)
    )
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    data = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows))
    return b"\x89PNG\r\n\x1a\n" + data + chunk(b"IEND", b"")


@pytest.fixture(scope="session")
def here(tmp_path_factory):
    """A folder with `photos/`: twenty pictures of several sizes, in two classes."""
    folder = tmp_path_factory.mktemp("reports")
    for number in range(20):
        place = folder / "photos" / ("cats", "dogs")[number % 2]
        place.mkdir(parents=True, exist_ok=True)
        picture = png(number, 9 + number % 4, 12)
        (place / f"{number:02}.png").write_bytes(picture)
    return folder


def said(blocks, folder, *, look):
    """What tfpc says of a spec with these blocks in the folder."""
    source = Source(str(folder / "case.tfp"), whole_spec(blocks))
    return compile_spec(source, Options(look_at_data=look), ".")


@pytest.fixture(autouse=True)
def machine(monkeypatch):
    """A machine of 16 GiB, whatever the tests run on."""
    monkeypatch.setattr("tfpc.rules.footprint.usable_memory", lambda: MEMORY)


def test_the_page_is_read_whole():
    assert len(REPORTS) == len(re.findall(r"^## ", PAGE, re.M))
    assert all(report.wrong for report in REPORTS)
    assert sum(len(report.wrong) for report in REPORTS) == PAGE.count("```tfp-wrong")
    assert len({report.file for report in REPORTS}) == len(REPORTS)
    rules = [code for report in REPORTS for code, _ in report.wrong]
    assert len(rules) >= 10


@reports
def test_what_was_reported_is_refused(report, here):
    for code, blocks in report.wrong:
        compiled = said(blocks, here, look="image_folder" in blocks)
        loud = [each for each in compiled.diagnostics if each.severity > Severity.NOTE]
        assert {each.code for each in loud} == {code}, render_all(loud)


@reports
def test_what_is_mended_is_silent(report, here):
    compiled = said(report.right, here, look="image_folder" in report.right)
    loud = [each for each in compiled.diagnostics if each.severity > Severity.NOTE]
    assert not loud, render_all(loud)
    assert compiled.program is not None


@reports
def test_programs_lack_what_reports_went_wrong_with(report, here):
    """Not in any program, so that it can't go wrong in one."""
    compiled = said(report.right, here, look="image_folder" in report.right)
    for absent in (".fit(", ".cache(", ".shuffle(", "jit_compile", "decode_image"):
        assert absent not in compiled.program


# ------------------------------------------------------------------------- trained


def write_records(folder, name, rows):
    """A file of records; rows: (feature of int64 or bytes by name) each."""
    import tensorflow as tf

    def feature(value):
        if isinstance(value, bytes):
            return tf.train.Feature(bytes_list=tf.train.BytesList(value=[value]))
        return tf.train.Feature(int64_list=tf.train.Int64List(value=value))

    with tf.io.TFRecordWriter(str(folder / f"{name}-0.tfrecord")) as out:
        for row in rows:
            features = {key: feature(value) for key, value in row.items()}
            example = tf.train.Example(features=tf.train.Features(feature=features))
            out.write(example.SerializeToString())


def digits(count, first):
    """Records of pictures with their class."""
    for number in range(first, first + count):
        yield {"image": png(number, 12, 10), "label": [number % 10]}


def sentences():
    """Records of five words each, numbered 0..5."""
    for number in range(24):
        words = [(number + place) % 6 for place in range(5)]
        yield {"words": words, "label": [number % 2]}


@pytest.fixture(scope="session")
def trained(here):
    """The events of each mended spec by its report's name, trained one by one."""
    write_records(here, "train", digits(100, 0))
    write_records(here, "validation", digits(20, 100))
    write_records(here, "sentences", sentences())
    for report in MENDED:
        compiled = said(report.right, here, look=True)
        loud = [each for each in compiled.diagnostics if each.severity > Severity.NOTE]
        assert not loud, render_all(loud)
        (here / f"{report.file}.py").write_text(compiled.program, encoding="utf-8")
    alone = [report.file for report in MENDED if "mirrored(" in report.right]
    # Two mirrored trainings in one process end each other (tensorflow#61314).
    for names in [[name] for name in alone] + [
        [report.file for report in MENDED if report.file not in alone]
    ]:
        process = subprocess.run(
            [sys.executable, "-c", RUN_ALL, json.dumps(names)],
            cwd=here,
            env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert process.returncode == 0, process.stdout + process.stderr
    return {
        report.name: [
            json.loads(line)
            for line in (here / f"{report.file}.jsonl").read_text().splitlines()
        ]
        for report in MENDED
    }


@pytest.mark.tensorflow
@pytest.mark.slow
@pytest.mark.parametrize("report", MENDED, ids=lambda each: each.name)
def test_what_is_mended_trains(report, trained):
    told = trained[report.name]
    assert told[-1]["event"] == "finished"
    assert told[-1]["reason"] == "done"
    epochs = [each for each in told if each["event"] == "epoch"]
    written = re.search(r"epochs = (\d+)", whole_spec(report.right))
    assert len(epochs) == int(written[1])
    for value in told[-1]["metrics"].values():
        assert isinstance(value, float)  # one that is no number is told as text
    assert not [each for each in told if each["event"] == "warned"]


def steps_of(told):
    """How many steps each epoch had."""
    last = {}
    for each in told:
        if each["event"] == "progress":
            last[each["epoch"]] = each["step"]
    return list(last.values())


@pytest.mark.tensorflow
@pytest.mark.slow
def test_data_never_runs_out(trained):
    """Every epoch of tensorflow#25254 has all whole batches of the data."""
    told = trained["tensorflow/tensorflow#25254"]
    assert steps_of(told) == [3, 3, 3]
    assert told[-1]["steps"] == 9
    # The cache of the report with `repeat` is complete after one reading of each split.
    loaded = [
        each["count"]
        for each in trained["SmilingWolf/SW-CV-ModelZoo#6"]
        if each["event"] == "loaded"
    ]
    assert loaded == [100, 20]


@pytest.fixture(scope="module")
def program(trained, here):
    """The program of a report as a module; nothing of it is started."""
    import importlib.util

    def load(name):
        (report,) = [each for each in REPORTS if each.name == name]
        path = here / f"{report.file}.py"
        spec = importlib.util.spec_from_file_location(report.file, path)
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module  # dataclasses look themselves up
        spec.loader.exec_module(module)
        return module

    return load


@pytest.mark.tensorflow
@pytest.mark.slow
def test_splits_stay_apart_in_every_epoch(program, here):
    """No record that validation reads is ever trained on (tensorflow#59279)."""
    module = program("tensorflow/tensorflow#59279")
    sources = module.open_sources(here)
    validation = sources["validation"].keys()
    held_out = {record.numpy() for _, record in validation}
    trained_on = [
        record.numpy()
        for _, _, record in module.train_keys(sources["train"], module.Position())
    ]
    assert len(held_out) == 30
    assert len(trained_on) == 2 * 64  # two epochs of two batches of 32
    assert not held_out & set(trained_on)
    assert len(set(trained_on)) > 64  # another order, and others are left out


@pytest.mark.tensorflow
@pytest.mark.slow
def test_frozen_flips_are_drawn_anew(program, here):
    """The mended order of tensorflow#47755 sees other pictures in the second epoch."""
    module = program("tensorflow/tensorflow#47755")
    batches = [image.numpy() for image, _ in module.train_dataset(here)]
    half = len(batches) // 2
    first, second = (
        {picture.tobytes() for batch in part for picture in batch}
        for part in (batches[:half], batches[half:])
    )
    assert half == 3
    assert second - first, "the second epoch replays the first"
