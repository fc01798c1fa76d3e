"""The spec around the examples of the rules: they replace its blocks."""

from __future__ import annotations

BLOCKS = {
    "data": """\
data digits {
  train = tfrecord("train-*.tfrecord")
  validation = tfrecord("validation-*.tfrecord")
  schema {
    image = string
    label = int64(classes = 10)
  }
}""",
    "pipeline": """\
pipeline images from digits {
  decode_png(channels = 1)
  resize(8, 8)
  when(train) {
    shuffle
  }
  normalize(mean = [127.5], std = [127.5])
  batch(32)
}""",
    "model": """\
model classifier from images {
  flatten
  dense(10)
}""",
    "train": """\
train classifier {
  epochs = 2
  optimizer = adam(learning_rate = 1e-3)
  loss = crossentropy
  metrics = [accuracy]
}""",
}


def whole_spec(blocks: str) -> str:
    """The standard spec with these blocks in the place of its own.

    Every block begins at the left margin with its word.
    """
    lines = blocks.strip().splitlines()
    given = {line.split()[0] for line in lines if line and line[0].isalpha()}
    kept = [text for word, text in BLOCKS.items() if word not in given]
    return "\n\n".join([*kept, blocks.strip()]) + "\n"
