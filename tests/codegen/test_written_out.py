"""A spec with definitions and imports gives the program of the same lines written out."""

from __future__ import annotations

import re
from pathlib import Path

from tfpc.diagnostics.span import Source
from tfpc.driver import Options, compile_spec

REST = """\
data digits {
  train = tfrecord("train-*.tfrecord")
  validation = split(20%)
  schema {
    image = string
    label = int64(classes = 10)
  }
}

train classifier {
  epochs = 2
  optimizer = adam(learning_rate = 1e-3)
  loss = crossentropy
  metrics = [accuracy]
}
"""

WRITTEN_OUT = """
pipeline images from digits {
  decode_png(channels = 1)
  resize(28, 28)
  cache(memory)
  when(train) {
    shuffle
    random_crop(24, 24)
    random_flip(horizontal)
    random_crop(20, 20)
    random_flip(horizontal)
  }
  when(eval) {
    center_crop(20, 20)
  }
  normalize(mean = [0.0], std = [255.0])
  batch(32)
}

model classifier from images {
  conv2d(16, 3, padding = same)
  repeat(2) {
    residual {
      conv2d(16, 3, padding = same)
      relu
      conv2d(16, 5, padding = same)
    }
    relu
  }
  residual(shortcut = conv2d(8, 1, padding = same)) {
    conv2d(8, 3, padding = same)
  }
  flatten
  dense(10)
}
"""

DEFINED = """
import "layers/blocks.tfp" as blocks

steps cut(size) {
  random_crop(size, size)
  random_flip(horizontal)
}

pipeline images from digits {
  decode_png(channels = 1)
  resize(28, 28) -> (image = uint8[28, ?, 1], label = int64[])
  cache(memory)
  when(train) {
    shuffle
    cut(24)
    cut(size = 20)
  }
  when(eval) {
    center_crop(20, 20)
  }
  normalize(mean = [0.0], std = [255.0])
  batch(32)
}

model classifier from images {
  blocks.convolution(blocks.width)
  repeat(2) { blocks.block(blocks.width) }
  blocks.around(8, shortcut = blocks.convolution(8, 1))
  flatten
  dense(10)
}
"""

BLOCKS = """
let width = 16

layer convolution(filters, size = 3) {
  conv2d(filters, size, padding = same)
}

layer around(filters, shortcut = identity) {
  residual(shortcut = shortcut) {
    convolution(filters)
  }
}

layer block(filters) {
  residual {
    convolution(filters)
    relu
    convolution(filters, 2 + 3)
  }
  relu
}
"""


def program_of(text: str, folder: Path) -> str:
    """The program without the places of the spec and its digest."""
    source = Source(str(folder / "spec.tfp"), REST + text)
    compiled = compile_spec(source, Options(look_at_data=False), ".")
    assert compiled.program is not None, compiled.diagnostics
    text = re.sub(r'SPEC_DIGEST = "\w+"', "", compiled.program)
    return re.sub(r"\w+\.tfp:\d+:\d+", "", text)


def test_the_program_is_the_same(tmp_path):
    (tmp_path / "layers").mkdir()
    (tmp_path / "layers" / "blocks.tfp").write_text(BLOCKS)
    assert program_of(DEFINED, tmp_path) == program_of(WRITTEN_OUT, tmp_path)


def test_an_import_that_changes_is_another_spec(tmp_path):
    (tmp_path / "layers").mkdir()
    digests = set()
    for text in (BLOCKS, BLOCKS + "\n# a comment"):
        (tmp_path / "layers" / "blocks.tfp").write_text(text)
        source = Source(str(tmp_path / "spec.tfp"), REST + DEFINED)
        compiled = compile_spec(source, Options(look_at_data=False), ".")
        digests.add(compiled.plan.digest)
    assert len(digests) == 2


def test_a_type_error_in_a_definition_shows_its_use(tmp_path):
    (tmp_path / "layers").mkdir()
    (tmp_path / "layers" / "blocks.tfp").write_text(BLOCKS)
    text = DEFINED.replace("block(blocks.width)", "block(24)")
    source = Source(str(tmp_path / "spec.tfp"), REST + text)
    compiled = compile_spec(source, Options(look_at_data=False), ".")
    (problem,) = compiled.diagnostics
    assert problem.span.source.name.endswith("blocks.tfp")
    assert problem.span.text == "residual"
    assert problem.labels[-1].text == "reached from here, filters = 24"
    assert problem.labels[-1].span.text == "blocks.block(24)"
