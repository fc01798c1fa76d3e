"""CIFAR-10 by hand, as a good engineer would leave it after a day's work.

Decoded once into memory, batches gathered from there, the inner loop in the graph; the
same model, augmentation and evaluation as `specs/cifar10.tfp`. Prints one JSON line.
"""

from __future__ import annotations

import json
import os
import pathlib
import sys
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras
import tensorflow as tf

ROOT = pathlib.Path(sys.argv[1])
EPOCHS = int(sys.argv[2])
BATCH = 128
MEAN = tf.constant([125.3, 123.0, 113.9])
STD = tf.constant([63.0, 62.1, 66.7])


def load(split: str) -> tuple[tf.Tensor, tf.Tensor]:
    """All pictures of a split, uint8[n, 32, 32, 3], and their labels."""
    files: list[str] = []
    labels: list[int] = []
    for label, folder in enumerate(sorted((ROOT / split).iterdir())):
        found = sorted(map(str, folder.iterdir()))
        files += found
        labels += [label] * len(found)

    def decode(file: tf.Tensor) -> tf.Tensor:
        image = tf.io.decode_jpeg(tf.io.read_file(file), channels=3)
        return tf.ensure_shape(image, [32, 32, 3])

    dataset = tf.data.Dataset.from_tensor_slices(files)
    dataset = dataset.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    images = tf.concat(list(dataset.batch(1000).prefetch(2)), 0)
    return images, tf.constant(labels, tf.int64)


def augment(images: tf.Tensor, step: tf.Tensor) -> tf.Tensor:
    """Padded by 4, cut at random places, half of them mirrored."""
    places = tf.random.stateless_uniform([BATCH, 2], [step, 1], 0, 9, tf.int32)
    flip = tf.random.stateless_uniform([BATCH], [step, 2]) < 0.5
    images = tf.pad(images, [[0, 0], [4, 4], [4, 4], [0, 0]])
    rows = places[:, 0:1] + tf.range(32)
    columns = places[:, 1:2] + tf.range(32)
    columns = tf.where(flip[:, None], columns[:, ::-1], columns)
    images = tf.gather(images, rows, axis=1, batch_dims=1)
    return tf.gather(images, columns, axis=2, batch_dims=1)


def main() -> None:
    started = time.perf_counter()
    images, labels = load("train")
    test_images, test_labels = load("test")
    steps = len(labels) // BATCH

    def order(epoch: tf.Tensor) -> tf.data.Dataset:
        seed = [7, tf.cast(epoch, tf.int32)]
        places = tf.random.experimental.stateless_shuffle(tf.range(len(labels)), seed)
        return tf.data.Dataset.from_tensor_slices(places[: steps * BATCH]).batch(BATCH)

    def batch(step: tf.Tensor, places: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        found = augment(tf.gather(images, places), tf.cast(step, tf.int32))
        return found, tf.gather(labels, places)

    dataset = tf.data.Dataset.range(EPOCHS).flat_map(order).enumerate()
    dataset = dataset.map(batch, num_parallel_calls=tf.data.AUTOTUNE)
    batches = iter(dataset.prefetch(tf.data.AUTOTUNE))

    keras.utils.set_random_seed(1)
    model = keras.Sequential(
        [
            keras.Input((32, 32, 3)),
            keras.layers.Conv2D(32, 3, activation="relu"),
            keras.layers.MaxPooling2D(2),
            keras.layers.Conv2D(64, 3, activation="relu"),
            keras.layers.GlobalAveragePooling2D(),
            keras.layers.Dense(10),
        ]
    )
    optimizer = keras.optimizers.Adam(1e-3)
    optimizer.build(model.trainable_variables)
    loss_of = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    accuracy = keras.metrics.SparseCategoricalAccuracy()
    mean_loss = keras.metrics.Mean()

    def scores_of(pictures: tf.Tensor, *, training: bool) -> tf.Tensor:
        return model((tf.cast(pictures, tf.float32) - MEAN) / STD, training=training)

    @tf.function
    def train(count: tf.Tensor) -> None:
        for _ in tf.range(count):
            pictures, answers = next(batches)
            with tf.GradientTape() as tape:
                scores = scores_of(pictures, training=True)
                loss = loss_of(answers, scores)
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply(gradients, model.trainable_variables)
            accuracy.update_state(answers, scores)
            mean_loss.update_state(loss)

    @tf.function
    def evaluate() -> None:
        for first in tf.range(0, len(test_labels), BATCH):
            answers = test_labels[first : first + BATCH]
            scores = scores_of(test_images[first : first + BATCH], training=False)
            accuracy.update_state(answers, scores)
            mean_loss.update_state(loss_of(answers, scores))

    for _ in range(EPOCHS):
        for metric in (accuracy, mean_loss):
            metric.reset_state()
        for first in range(0, steps, 64):
            train(tf.constant(min(64, steps - first)))
        trained = float(mean_loss.result())
        for metric in (accuracy, mean_loss):
            metric.reset_state()
        evaluate()
    result = {
        "seconds": time.perf_counter() - started,
        "train_loss": trained,
        "accuracy": float(accuracy.result()),
    }
    print(json.dumps(result))


main()
