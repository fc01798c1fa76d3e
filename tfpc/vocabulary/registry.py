"""All words by family; the module of a word is imported when the word is first used.

A model of pydantic takes a third of a millisecond to make, and a spec uses a few of the
many words there are: so their names stand here, and a test holds them to the classes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module

from tfpc.vocabulary.word import Word

# By family: the module, and the words that it defines.
FAMILIES: dict[str, dict[str, tuple[str, ...]]] = {
    "source": {
        "image_folder": ("image_folder",),
        "tfrecord": ("tfrecord",),
        "csv_file": ("csv",),
        "split": ("split",),
    },
    "labelling": {"labelling": ("filename",), "label_table": ("csv",)},
    "field": {"schema": ("string", "int64", "float32")},
    "step": {
        "decode": ("decode_jpeg", "decode_png"),
        "images": ("resize", "random_crop", "center_crop", "random_flip", "normalize"),
        "resized_crop": ("random_resized_crop",),
        "colors": (
            "random_brightness",
            "random_contrast",
            "random_saturation",
            "random_hue",
        ),
        "together": ("together",),
        "labels": ("one_hot", "offset"),
        "stream": ("cache", "shuffle", "batch", "prefetch", "when"),
    },
    "layer": {
        "dense": ("dense", "flatten", "dropout"),
        "convolution": ("conv2d", "conv1d"),
        "pooling": (
            "max_pooling2d",
            "average_pooling2d",
            "global_average_pooling2d",
            "global_max_pooling2d",
        ),
        "pooling1d": (
            "max_pooling1d",
            "average_pooling1d",
            "global_average_pooling1d",
            "global_max_pooling1d",
        ),
        "embedding": ("embedding",),
        "normalization": ("batch_normalization", "layer_normalization"),
        "activations": (
            "relu",
            "leaky_relu",
            "elu",
            "selu",
            "gelu",
            "silu",
            "tanh",
            "sigmoid",
            "softmax",
            "softplus",
            "softsign",
            "mish",
            "exponential",
            "relu6",
            "hard_sigmoid",
            "hard_silu",
        ),
        "prelu": ("prelu",),
        "structure": ("residual", "repeat"),
        "features": ("features",),
        "join": ("merge", "path", "add", "concat"),
    },
    "encoder": {"encoder": ("normalize", "one_hot", "embed")},
    "optimizer": {"optimizer": ("sgd", "adam", "adamw", "rmsprop")},
    "schedule": {
        "schedule": ("cosine",),
        "constant": ("constant",),
        "polynomial_decay": ("polynomial_decay",),
        "exponential_decay": ("exponential_decay",),
        "piecewise_constant": ("piecewise_constant",),
    },
    "loss": {"loss": ("crossentropy",), "regression": ("mse", "mae", "huber")},
    "metric": {
        "metric": ("accuracy",),
        "top_k": ("top_k",),
        "auc": ("auc",),
        "binary_metric": ("precision", "recall"),
        "regression_metric": ("mae", "root_mean_squared_error"),
    },
    "monitor": {
        "monitor": ("log", "checkpoint", "stop_early", "stop_after", "tensorboard"),
    },
    "strategy": {"settings": ("auto", "single"), "mirrored": ("mirrored",)},
    "precision": {"settings": ("float32",)},
    "memory": {"settings": ("growth",), "memory": ("limit", "async")},
}


class Words(Mapping[str, type[Word]]):
    """The words of a family by name; to look at the names imports nothing."""

    def __init__(self, family: str) -> None:
        self.family = family
        self.modules = {
            word: module
            for module, words_of_it in FAMILIES[family].items()
            for word in words_of_it
        }

    def __getitem__(self, word: str) -> type[Word]:
        """The class of a word. Raises KeyError if the family has none of that name."""
        module = import_module(f"tfpc.vocabulary.{self.modules[word]}")
        for value in vars(module).values():
            if (
                isinstance(value, type)
                and issubclass(value, Word)
                and vars(value).get("word") == word
                and value.family == self.family
            ):
                return value
        raise KeyError(word)

    def __iter__(self) -> Iterator[str]:
        return iter(self.modules)

    def __len__(self) -> int:
        return len(self.modules)

    def __contains__(self, word: object) -> bool:
        return word in self.modules


@cache
def words(family: str) -> Words:
    """The words of a family by name."""
    return Words(family)


def find(word: str) -> list[str]:
    """The families that have a word of that name."""
    return [family for family in FAMILIES if word in words(family)]
