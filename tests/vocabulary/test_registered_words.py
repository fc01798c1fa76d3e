"""Every word is registered once, and is documented."""

from __future__ import annotations

import importlib
import pkgutil
import subprocess
import sys

import pytest

import tfpc.vocabulary
from tfpc.vocabulary.python_word import PythonWord
from tfpc.vocabulary.registry import FAMILIES, find, words
from tfpc.vocabulary.together import SameSize
from tfpc.vocabulary.word import Word

EXPECTED = {
    "layer": {
        "dense",
        "conv2d",
        "conv1d",
        "max_pooling2d",
        "average_pooling2d",
        "global_average_pooling2d",
        "global_max_pooling2d",
        "max_pooling1d",
        "average_pooling1d",
        "global_average_pooling1d",
        "global_max_pooling1d",
        "embedding",
        "flatten",
        "batch_normalization",
        "layer_normalization",
        "dropout",
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
        "prelu",
        "residual",
        "features",
        "repeat",
        "merge",
        "path",
        "add",
        "concat",
    },
    "optimizer": {"sgd", "adam", "adamw", "rmsprop"},
    "schedule": {
        "cosine",
        "constant",
        "polynomial_decay",
        "exponential_decay",
        "piecewise_constant",
    },
    "loss": {"crossentropy", "mse", "mae", "huber"},
    "metric": {
        "accuracy",
        "top_k",
        "auc",
        "precision",
        "recall",
        "mae",
        "root_mean_squared_error",
    },
    "monitor": {"log", "checkpoint", "stop_early", "stop_after", "tensorboard"},
    "strategy": {"auto", "single", "mirrored"},
    "precision": {"float32"},
    "memory": {"growth", "limit", "async"},
}


def subclasses(cls: type) -> set[type]:
    """All classes below one."""
    direct = set(cls.__subclasses__())
    return direct.union(*(subclasses(each) for each in direct))


def defined_words() -> list[type[Word]]:
    """Every class of a word in the package, registered or not."""
    for module in pkgutil.iter_modules(tfpc.vocabulary.__path__):
        importlib.import_module(f"tfpc.vocabulary.{module.name}")
    found = [
        cls
        for cls in subclasses(Word)
        if "word" in vars(cls)
        and cls.__module__.startswith("tfpc.vocabulary.")
        # `python` is found by its text, and what checks sizes is no word of a spec.
        and cls not in (PythonWord, SameSize)
    ]
    return sorted(found, key=lambda cls: (cls.family, cls.word))


WORDS = defined_words()
registered = pytest.mark.parametrize(
    "cls", WORDS, ids=[f"{cls.family}-{cls.word}" for cls in WORDS]
)


@registered
def test_a_word_is_registered_once(cls):
    assert words(cls.family)[cls.word] is cls
    module = cls.__module__.removeprefix("tfpc.vocabulary.")
    assert cls.word in FAMILIES[cls.family][module]
    assert [(c.family, c.word) for c in WORDS].count((cls.family, cls.word)) == 1


@registered
def test_a_word_is_documented(cls):
    assert cls.__doc__ != cls.__bases__[0].__doc__
    assert cls.__doc__.strip().endswith((".", ")"))
    assert cls.word in cls.example
    for name, info in cls.model_fields.items():
        assert info.description, f"`{name}` of `{cls.word}` has no description"


@registered
def test_positional_arguments_are_arguments(cls):
    assert set(cls.positional) <= set(cls.model_fields)
    required = [name for name, info in cls.model_fields.items() if info.is_required()]
    optional = [name for name in cls.positional if name not in required]
    # What may be left out comes after what may not.
    assert list(cls.positional[len(cls.positional) - len(optional) :]) == optional


@pytest.mark.parametrize("family", EXPECTED)
def test_a_family_has_its_words(family):
    assert set(words(family)) == EXPECTED[family]


def test_no_name_is_without_a_class():
    named = {(family, word) for family in FAMILIES for word in words(family)}
    assert named == {(cls.family, cls.word) for cls in WORDS}
    with pytest.raises(KeyError):
        words("layer")["dens"]


def test_find_names_the_families_of_a_word():
    assert find("dense") == ["layer"]
    assert find("float32") == ["field", "precision"]
    assert find("dens") == []


def in_new_python(code: str) -> str:
    """What a fresh interpreter prints."""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_a_word_is_imported_when_it_is_used():
    loaded = in_new_python(
        "import sys; from tfpc.vocabulary.registry import find, words;"
        "list(words('layer')); find('dense'); words('layer')['dense'];"
        "print(*(f'tfpc.vocabulary.{name}' in sys.modules"
        " for name in ('dense', 'pooling', 'tfrecord')))"
    )
    assert loaded == "True False False"


def test_no_word_imports_tensorflow():
    loaded = in_new_python(
        "import sys; from tfpc.vocabulary.registry import FAMILIES, words;"
        "[list(words(family).values()) for family in FAMILIES];"
        "print([m for m in ('tensorflow', 'keras', 'numpy') if m in sys.modules])"
    )
    assert loaded == "[]"
    assert FAMILIES
