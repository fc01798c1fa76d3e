"""Small data of both kinds, and programs loaded as modules."""

from __future__ import annotations

import importlib.util
import itertools
import sys

import numpy as np
import pytest

COUNT = 23


def picture(number, height=20, width=24):
    """A noisy color picture, another one for each number."""
    import tensorflow as tf

    noise = np.random.default_rng(number).integers(0, 256, (height, width, 3), np.uint8)
    return tf.io.encode_jpeg(noise, quality=95).numpy()


@pytest.fixture(scope="session")
def data(tmp_path_factory):
    """A folder with `pictures/` (two classes) and `records/` (three files)."""
    import tensorflow as tf

    folder = tmp_path_factory.mktemp("data")
    for number in range(COUNT):
        place = folder / "pictures" / "ab"[number % 2]
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{number:03}.jpg").write_bytes(picture(number))
    (folder / "records").mkdir()
    for file in range(3):
        with tf.io.TFRecordWriter(str(folder / "records" / f"{file}.tfrecord")) as out:
            for number in range(file, COUNT, 3):
                feature = {
                    "image": tf.train.Feature(
                        bytes_list=tf.train.BytesList(value=[picture(number)])
                    ),
                    "label": tf.train.Feature(
                        int64_list=tf.train.Int64List(value=[number % 2])
                    ),
                }
                features = tf.train.Features(feature=feature)
                example = tf.train.Example(features=features)
                out.write(example.SerializeToString())
    return folder


@pytest.fixture(scope="session")
def load(tmp_path_factory):
    """The text of a program as a module; nothing of it is started."""
    folder = tmp_path_factory.mktemp("programs")
    numbers = itertools.count()

    def loaded(text):
        name = f"program_{next(numbers)}"
        path = folder / f"{name}.py"
        path.write_text(text, encoding="utf-8")
        spec = importlib.util.spec_from_file_location(name, path)
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module  # dataclasses look themselves up
        spec.loader.exec_module(module)
        return module

    return loaded
