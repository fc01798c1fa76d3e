"""A small network, an augmentation, a loss and a metric, to be named in a spec."""

import keras
import tensorflow as tf


def noisy(image, seed, amount):
    """Adds noise to a picture, drawn anew for each example in each epoch."""
    noise = tf.random.stateless_normal(tf.shape(image), seed, stddev=amount)
    return tf.cast(image, tf.float32) + noise


def squeeze(x, ratio):
    """Weighs the channels by what is in them (https://arxiv.org/abs/1709.01507)."""
    filters = x.shape[-1]
    weights = keras.layers.GlobalAveragePooling2D(keepdims=True)(x)
    weights = keras.layers.Dense(filters // ratio, activation="relu")(weights)
    weights = keras.layers.Dense(filters, activation="sigmoid")(weights)
    return keras.layers.Multiply()([x, weights])


def head(classes):
    """A Keras model from pictures to one score for each class."""
    return keras.Sequential(
        [
            keras.layers.Flatten(),
            keras.layers.Dropout(0.2),
            keras.layers.Dense(classes),
        ]
    )


def focal(label, scores, gamma):
    """Cross-entropy that counts sure answers less (https://arxiv.org/abs/1708.02002)."""
    sure = tf.gather(tf.nn.softmax(scores), tf.cast(label, tf.int32), batch_dims=1)
    return -((1.0 - sure) ** gamma) * tf.math.log(sure + 1e-7)


def confidence(label, scores):
    """The share that the model gives to its own answer."""
    return tf.reduce_max(tf.nn.softmax(scores), axis=-1)
