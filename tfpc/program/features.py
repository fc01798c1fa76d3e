"""Columns of a table as rows of numbers, by what is learnt from the training split."""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import keras
import numpy as np
import tensorflow as tf

from tfpc.program.reporter import Reporter

# Rows of float32 carry the numbers of categories, which is exact up to here.
LARGEST_CATEGORY = 2**24
# Examples that are looked at together.
LEARNING_BATCH = 4096
# By column: what its encoder has learnt, as JSON holds it.
Learnt = Mapping[str, dict[str, Any]]


class FeatureColumn(Protocol):
    """How one column becomes numbers. learnt: what `learn` gave, as JSON holds it."""

    def start(self) -> Any:
        """Nothing learnt yet."""

    def learn(self, state: Any, values: np.ndarray) -> Any:
        """What is learnt when more values, [n, ...], have been seen."""

    def finish(self, state: Any) -> dict[str, Any]:
        """What is kept of it."""

    def carrier(self, learnt: dict[str, Any]) -> Callable[[tf.Tensor], tf.Tensor]:
        """From a batch of the column to what carries it, float32[batch, n]."""

    def layer(self, learnt: dict[str, Any], name: str) -> keras.layers.Layer | None:
        """What the model does with that, None if it takes it as it is."""


@dataclasses.dataclass(frozen=True)
class NormalizedColumn:
    """(value - mean) / standard deviation, of each value of the column."""

    def start(self) -> tuple[int, np.ndarray, np.ndarray]:
        """Count, mean, and sum of the squared distances from it."""
        return 0, np.zeros(1), np.zeros(1)

    def learn(
        self, state: tuple[int, np.ndarray, np.ndarray], values: np.ndarray
    ) -> tuple[int, np.ndarray, np.ndarray]:
        """Both parts' means and distances as one (Chan, Golub and LeVeque, 1983)."""
        count, mean, distance = state
        new = values.reshape(len(values), -1).astype(np.float64)
        new_mean = new.mean(0)
        total = count + len(new)
        apart = new_mean - mean
        distance = distance + ((new - new_mean) ** 2).sum(0)
        distance = distance + apart**2 * count * len(new) / total
        return total, mean + apart * len(new) / total, distance

    def finish(
        self, state: tuple[int, np.ndarray, np.ndarray]
    ) -> dict[str, list[float]]:
        """A column that never changes is left as it is."""
        count, mean, distance = state
        std = np.sqrt(distance / max(count, 1))
        std[std < 1e-12 * np.maximum(np.abs(mean), 1)] = 1.0
        return {"mean": mean.tolist(), "std": std.tolist()}

    def carrier(self, learnt: dict[str, Any]) -> Callable[[tf.Tensor], tf.Tensor]:
        """In float64, so that large numbers keep what differs."""
        mean = np.array(learnt["mean"])
        std = np.array(learnt["std"])

        def normalized(column: tf.Tensor) -> tf.Tensor:
            values = tf.reshape(tf.cast(column, tf.float64), [-1, len(mean)])
            return tf.cast((values - mean) / std, tf.float32)

        return normalized

    def layer(self, learnt: dict[str, Any], name: str) -> None:
        """It is a number already."""


@dataclasses.dataclass(frozen=True)
class CategoricalColumn:
    """A column of a few texts or whole numbers, each with a number of its own."""

    def start(self) -> set[Any]:
        """No values yet."""
        return set()

    def learn(self, state: set[Any], values: np.ndarray) -> set[Any]:
        """The values seen so far."""
        return state | set(values.tolist())

    def finish(self, state: set[Any]) -> dict[str, list[Any]]:
        """In order; text as text. Raises ValueError if there are too many."""
        if len(state) >= LARGEST_CATEGORY:
            raise ValueError(f"has {len(state)} values, more than {LARGEST_CATEGORY}")
        values = sorted(state)
        if values and isinstance(values[0], bytes):
            return {"values": [v.decode("utf-8", "surrogateescape") for v in values]}
        return {"values": values}

    def carrier(self, learnt: dict[str, Any]) -> Callable[[tf.Tensor], tf.Tensor]:
        """The number of the value; one more than the last if it was not seen."""
        values = learnt["values"]
        if values and isinstance(values[0], str):
            values = [value.encode("utf-8", "surrogateescape") for value in values]
        dtype = tf.string if values and isinstance(values[0], bytes) else tf.int64
        with tf.init_scope():
            table = tf.lookup.StaticHashTable(
                tf.lookup.KeyValueTensorInitializer(
                    tf.constant(values, dtype), tf.range(len(values), dtype=tf.int64)
                ),
                default_value=len(values),
            )

        def numbered(column: tf.Tensor) -> tf.Tensor:
            wide = column if dtype == tf.string else tf.cast(column, tf.int64)
            return tf.cast(table.lookup(wide), tf.float32)[:, tf.newaxis]

        return numbered


@dataclasses.dataclass(frozen=True)
class OneHotColumn(CategoricalColumn):
    """1 at the place of the value, 0 at all others; all 0 if it was not seen."""

    def layer(self, learnt: dict[str, Any], name: str) -> keras.layers.Layer:
        """float32[batch, 1] to float32[batch, values]."""
        return OneHotRows(len(learnt["values"]), name=name)


@dataclasses.dataclass(frozen=True)
class EmbeddedColumn(CategoricalColumn):
    """A trained vector of `dimension` numbers; zeros if the value was not seen."""

    dimension: int

    def layer(self, learnt: dict[str, Any], name: str) -> keras.layers.Layer:
        """float32[batch, 1] to float32[batch, dimension]."""
        return EmbeddedRows(len(learnt["values"]), self.dimension, name=name)


class OneHotRows(keras.layers.Layer):
    """A row of `size` for each number, zeros for `size` itself."""

    def __init__(self, size: int, name: str) -> None:
        super().__init__(name=name)
        self.size = size

    def call(self, inputs: tf.Tensor) -> tf.Tensor:
        """inputs: float32[batch, 1]."""
        numbers = tf.cast(inputs[:, 0], tf.int32)
        return tf.one_hot(numbers, self.size, dtype=self.compute_dtype)


class EmbeddedRows(keras.layers.Layer):
    """A vector for each number, zeros for `size` itself."""

    def __init__(self, size: int, dimension: int, name: str) -> None:
        super().__init__(name=name)
        self.size = size
        self.vectors = keras.layers.Embedding(max(size, 1), dimension, name="vectors")

    def build(self, shape: tuple[int | None, ...]) -> None:
        """Makes the vectors."""
        self.vectors.build((shape[0],))

    def call(self, inputs: tf.Tensor) -> tf.Tensor:
        """inputs: float32[batch, 1]."""
        numbers = tf.cast(inputs[:, 0], tf.int32)
        vectors = self.vectors(tf.minimum(numbers, max(self.size - 1, 0)))
        return vectors * tf.cast(numbers < self.size, vectors.dtype)[:, tf.newaxis]


class FeatureColumns(keras.layers.Layer):
    """Undoes a row that carries columns: what encoders make of each, side by side."""

    def __init__(
        self,
        features: Mapping[str, FeatureColumn],
        learnt: Learnt,
        name: str,
    ) -> None:
        super().__init__(name=name)
        self.widths = [len(learnt[each].get("mean", (0,))) for each in features]
        self.encoders = [
            feature.layer(learnt[each], each) or keras.layers.Identity(name=each)
            for each, feature in features.items()
        ]

    def build(self, shape: tuple[int | None, ...]) -> None:
        """Makes the weights of the encoders."""
        for encoder, width in zip(self.encoders, self.widths, strict=True):
            encoder.build((shape[0], width))

    def call(self, inputs: tf.Tensor) -> tf.Tensor:
        """inputs: float32[batch, carried]; returns float32[batch, numbers]."""
        columns = tf.split(inputs, self.widths, axis=1)
        parts = [
            encoder(column)
            for encoder, column in zip(self.encoders, columns, strict=True)
        ]
        return tf.concat(parts, axis=1)


class Rows:
    """Makes of a batch of columns the rows that carry them to the model."""

    def __init__(
        self,
        features: Mapping[str, FeatureColumn],
        learnt: Learnt,
    ) -> None:
        # The tables in them live as long as this does.
        self.carriers = [
            feature.carrier(learnt[name]) for name, feature in features.items()
        ]

    def __call__(self, *columns: tf.Tensor) -> tf.Tensor:
        """columns: [batch, ...] each, in the order of the features."""
        parts = [
            carrier(column)
            for carrier, column in zip(self.carriers, columns, strict=True)
        ]
        return tf.concat(parts, axis=1)


def learn_features(
    features: Mapping[str, FeatureColumn], names: list[str], batches: tf.data.Dataset
) -> Learnt:
    """What each feature must know, from all training examples, each seen once.

    names: of the components of a batch, in order. Raises ValueError if a column has
    too many values.
    """
    states = {name: feature.start() for name, feature in features.items()}
    for batch in batches.as_numpy_iterator():
        columns = dict(zip(names, batch, strict=True))
        for name, feature in features.items():
            states[name] = feature.learn(states[name], columns[name])
    return {name: feature.finish(states[name]) for name, feature in features.items()}


def learnt_in(
    folder: pathlib.Path,
    reporter: Reporter,
    learn: Callable[[], Learnt],
) -> Learnt:
    """What was learnt, from the run's folder; learns it and writes it down if new."""
    path = folder / "learnt.json"
    if path.exists():
        found: Learnt = json.loads(path.read_text("utf-8"))
        return found
    learnt = learn()
    aside = path.with_suffix(".json.part")
    aside.write_text(json.dumps(learnt, indent=1), "utf-8")
    os.replace(aside, path)
    said = ", ".join(f"{name} {size}" for name, size in sizes_of(learnt).items())
    reporter.decided("features", said, "numbers or values, learnt from train")
    return learnt


def sizes_of(learnt: Learnt) -> dict[str, int]:
    """How many numbers or values each feature has."""
    return {
        name: len(found["values" if "values" in found else "mean"])
        for name, found in learnt.items()
    }


def without_index(
    parse: Callable[[tf.Tensor], tuple[tf.Tensor, ...]],
) -> Callable[[tf.Tensor, tf.Tensor], tuple[tf.Tensor, ...]]:
    """From what records are read by, (index, record), to their components."""
    return lambda index, record: parse(record)
