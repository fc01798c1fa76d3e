"""Which order of cache and augmentation freezes: TensorFlow shows it, lint says it."""

from __future__ import annotations

import numpy as np
import pytest

from tfpc.diagnostics.span import Source
from tfpc.driver import Options, check
from tfpc.rules.standard import whole_spec

EPOCHS = 3
ABOVE = """
pipeline images from digits {
  decode_png(channels = 1)
  resize(8, 8)
  when(train) {
    random_flip(horizontal)
  }
  cache(memory)
  when(train) {
    shuffle
  }
  batch(32)
}
"""
BELOW = """
pipeline images from digits {
  decode_png(channels = 1)
  resize(8, 8)
  cache(memory)
  when(train) {
    shuffle
    random_flip(horizontal)
  }
  batch(32)
}
"""


def slugs(blocks):
    """What lint says of a pipeline."""
    source = Source("x.tfp", whole_spec(blocks))
    compiled = check(source, Options(look_at_data=False))
    return {problem.slug for problem in compiled.diagnostics}


def epochs_of(dataset):
    """Every element of three epochs."""
    return [np.stack(list(dataset.as_numpy_iterator())) for _ in range(EPOCHS)]


def freezes(epochs):
    """Whether every epoch replays the first."""
    return all((epoch == epochs[0]).all() for epoch in epochs[1:])


@pytest.fixture(scope="module")
def pictures():
    import tensorflow as tf

    images = np.random.default_rng(0).integers(0, 256, (64, 8, 8, 1), np.uint8)
    return tf.data.Dataset.from_tensor_slices(images)


@pytest.mark.tensorflow
def test_a_random_step_above_a_cache_is_frozen(pictures):
    import tensorflow as tf

    dataset = pictures.map(tf.image.random_flip_left_right).cache()
    assert freezes(epochs_of(dataset))
    assert "cache-after-random" in slugs(ABOVE)
    assert "augment-after-cache" not in slugs(ABOVE)


@pytest.mark.tensorflow
def test_a_random_step_below_a_cache_is_redrawn(pictures):
    import tensorflow as tf

    dataset = pictures.cache().map(tf.image.random_flip_left_right)
    assert not freezes(epochs_of(dataset))
    assert slugs(BELOW) == {"augment-after-cache"}


@pytest.mark.tensorflow
def test_a_second_cache_below_freezes_after_all(pictures):
    import tensorflow as tf

    dataset = pictures.cache().map(tf.image.random_flip_left_right).cache()
    assert freezes(epochs_of(dataset))


@pytest.mark.tensorflow
def test_a_fixed_seed_below_a_cache_replays_after_all(pictures):
    """The case of `augment-after-cache` that the steps of tfpc can't get into."""
    import tensorflow as tf

    def flip(image):
        return tf.image.stateless_random_flip_left_right(image, seed=(1, 2))

    assert freezes(epochs_of(pictures.cache().map(flip)))

    def flip_by_global_seed():
        tf.random.set_seed(7)
        dataset = pictures.cache().map(tf.image.random_flip_left_right)
        return np.stack(list(dataset.as_numpy_iterator()))

    assert freezes([flip_by_global_seed() for _ in range(EPOCHS)])


@pytest.mark.tensorflow
def test_the_program_redraws_in_every_epoch(tmp_path):
    """What tfpc itself writes for the order that lint lets pass."""
    import functools
    import importlib.util
    import sys

    import tensorflow as tf

    from tfpc.driver import compile_spec

    for number in range(32):
        folder = tmp_path / "pictures" / "ab"[number % 2]
        folder.mkdir(parents=True, exist_ok=True)
        noise = np.random.default_rng(number).integers(0, 256, (8, 8, 1), np.uint8)
        (folder / f"{number:02}.png").write_bytes(tf.io.encode_png(noise).numpy())
    blocks = f'data digits {{\n  train = image_folder("pictures")\n}}\n{BELOW}'
    source = Source(str(tmp_path / "x.tfp"), whole_spec(blocks))
    compiled = compile_spec(source, Options(("train.epochs=3",)), ".")
    path = tmp_path / "program.py"
    path.write_text(compiled.program)
    spec = importlib.util.spec_from_file_location("redrawing_program", path)
    program = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = program
    spec.loader.exec_module(program)

    source_of = program.open_sources(tmp_path)["train"]
    kept = program.kept_in_memory(
        program.Reporter(),
        "train",
        source_of,
        functools.partial(program.prepare, source_of),
    )
    index = tf.range(32, dtype=tf.int64)
    epochs = [
        program.train_batch(kept, tf.constant(epoch, tf.int64), index)[0].numpy()
        for epoch in range(EPOCHS)
    ]
    assert not freezes(epochs)
    again = program.train_batch(kept, tf.constant(1, tf.int64), index)[0].numpy()
    assert (again == epochs[1]).all()
