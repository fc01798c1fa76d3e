"""A real run names the file that it can't read, and the line of the spec."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

SPEC = """\
data pictures {
  train = image_folder("pictures")
}
pipeline images from pictures {
  decode_png(channels = 1)
  resize(8, 8)
  cache(memory)
  shuffle
  normalize(mean = [0.5], std = [0.5])
  batch(4)
}
model classifier from images {
  flatten
  dense(pictures.classes)
}
train classifier {
  epochs = 1
  optimizer = adam(learning_rate = 1e-3)
  loss = crossentropy
}
"""


def png(gray: int) -> bytes:
    """A picture of 8 x 8 pixels of one gray."""

    def chunk(name: bytes, data: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(name + data))
        return struct.pack(">I", len(data)) + name + data + check

    header = struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, 0)
    rows = zlib.compress((b"\0" + bytes([gray]) * 8) * 8)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", rows)
        + chunk(b"IEND", b"")
    )


@pytest.mark.tensorflow
def test_a_picture_that_is_cut_off(tfpc: Callable[..., Result]) -> None:
    for name in ("cats", "dogs"):
        folder = Path("pictures", name)
        folder.mkdir(parents=True)
        for number in range(8):
            (folder / f"{number}.png").write_bytes(png(30 * number))
    cut = Path("pictures/dogs/5.png")
    cut.write_bytes(cut.read_bytes()[:50])
    Path("x.tfp").write_text(SPEC)

    result = tfpc("run", "x.tfp", "--run-dir", "run")

    assert result.exit_code == 1
    assert "error[TFP901]: " in result.stderr
    assert "pictures/dogs/5.png can't be read" in result.stderr
    assert " --> x.tfp:2:11\n" in result.stderr
    assert "Traceback" not in result.output
    # What the run has left can be read.
    for name in ("flags.json", "plan.json"):
        json.loads(Path("run", name).read_text(encoding="utf-8"))
    events = Path("run/events.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(events[-1])["event"] == "failed"
    assert Path("run/spec/x.tfp").read_text() == SPEC
