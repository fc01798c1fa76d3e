"""Weights that a user's Python makes in the wrong place; nothing of it is ever run."""

from __future__ import annotations

import pathlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfpc.python_source.module import Module, Unreadable, find, parsed, split
from tfpc.python_source.signature import find as find_signature
from tfpc.python_source.weights import Kind, Reader

IMPORTS = """\
import functools
import keras
import tensorflow as tf
from keras import layers as L
from tensorflow.keras.layers import Dense
from functools import lru_cache
"""


def module_of(text):
    found = parsed("nets", pathlib.Path("nets.py"), IMPORTS + text)
    assert isinstance(found, Module)
    return found


def kinds(text):
    reader = Reader(module_of(text))
    return [each.kind for each in (*reader.at_import(), *reader.within("net"))]


NET = "def net(x):\n    return layer(x)\n"
WRONG = {
    "layer": ("layer = keras.layers.Dense(3)\n" + NET, Kind.AT_IMPORT),
    "by alias": ("layer = L.Dense(3)\n" + NET, Kind.AT_IMPORT),
    "by name": ("layer = Dense(3)\n" + NET, Kind.AT_IMPORT),
    "through tf": ("layer = tf.keras.layers.Dense(3)\n" + NET, Kind.AT_IMPORT),
    "model": (
        "layer = keras.applications.ResNet50(weights=None)\n" + NET,
        Kind.AT_IMPORT,
    ),
    "in a list": ("layers = [Dense(3) for _ in range(4)]\n" + NET, Kind.AT_IMPORT),
    "below an if": ("if True:\n    layer = Dense(3)\n" + NET, Kind.AT_IMPORT),
    "in a class": ("class A:\n    layer = Dense(3)\n" + NET, Kind.AT_IMPORT),
    "variable": ("scale = tf.Variable(1.0)\n" + NET, Kind.AT_IMPORT),
    "optimizer": ("best = keras.optimizers.Adam()\n" + NET, Kind.AT_IMPORT),
    "random": ("drop = keras.layers.Dropout(0.5)\n" + NET, Kind.AT_IMPORT),
    "loaded": ("layer = keras.models.load_model('x')\n" + NET, Kind.AT_IMPORT),
    "own layer": (
        "class Own(keras.layers.Layer):\n    pass\nlayer = Own()\n" + NET,
        Kind.AT_IMPORT,
    ),
    "own layer of an own one": (
        "class A(L.Layer):\n    pass\nclass B(A):\n    pass\nlayer = B()\n" + NET,
        Kind.AT_IMPORT,
    ),
    "default": ("def net(x, layer=Dense(3)):\n    return layer(x)\n", Kind.DEFAULT),
    "default by name": (
        "def net(x, *, to=Dense(3)):\n    return to(x)\n",
        Kind.DEFAULT,
    ),
    "global": (
        "made = None\ndef net(x):\n    global made\n    if made is None:\n"
        "        made = Dense(3)\n    return made(x)\n",
        Kind.GLOBAL,
    ),
    "in a dict": (
        "made = {}\ndef net(x):\n    made['a'] = Dense(3)\n    return made['a'](x)\n",
        Kind.GLOBAL,
    ),
    "cached": ("@lru_cache(maxsize=1)\ndef net():\n    return Dense(3)\n", Kind.CACHED),
    "cached by module": (
        "@functools.cache\ndef net():\n    return keras.Sequential([Dense(3)])\n",
        Kind.CACHED,
    ),
    "cached below": (
        "@functools.cache\ndef made():\n    return Dense(3)\n"
        "def net(x):\n    return made()(x)\n",
        Kind.CACHED,
    ),
    "raw": ("def net(x):\n    return x * tf.Variable(1.0)\n", Kind.UNSEEN),
    "raw in build": (
        "class net(L.Layer):\n    def build(self, shape):\n"
        "        self.a = tf.Variable(1.0)\n",
        Kind.UNSEEN,
    ),
    "strategy": (
        "def net():\n    s = tf.distribute.MirroredStrategy()\n    return Dense(3)\n",
        Kind.STRATEGY,
    ),
}
RIGHT = {
    "in the function": "def net(x):\n    return Dense(3)(x)\n",
    "no weights": "flat = keras.layers.Flatten()\n" + NET,
    "rescaling": "scale = keras.layers.Rescaling(1 / 255)\n" + NET,
    "initializer": "start = keras.initializers.HeNormal()\n" + NET,
    "regularizer": "less = keras.regularizers.L2(1e-4)\n" + NET,
    "main": "if __name__ == '__main__':\n    layer = Dense(3)\n" + NET,
    "own class of that name": ("class Conv2D:\n    pass\nlayer = Conv2D()\n" + NET),
    "unknown": "from mine import Thing\nlayer = Thing()\n" + NET,
    "function of that name": "def Variable(x):\n    return x\nlayer = Variable(1)\n"
    + NET,
    "lambda": "make = lambda: Dense(3)\n" + NET,
    "partial": "make = functools.partial(Dense, 3)\n" + NET,
    "class kept": "Layer = keras.layers.Dense\n" + NET,
    "list in a function": (
        "def net(x):\n    made = {}\n    made['a'] = Dense(3)\n    return made['a'](x)\n"
    ),
    "self": (
        "class net(L.Layer):\n    def __init__(self):\n        super().__init__()\n"
        "        self.inner = Dense(3)\n"
    ),
    "add_weight": (
        "class net(L.Layer):\n    def build(self, shape):\n"
        "        self.a = self.add_weight(shape=())\n"
    ),
    "not reached": "def other():\n    return tf.Variable(1.0)\n" + NET,
    "cached without weights": "@functools.cache\ndef net():\n    return 3\n",
    "global without weights": "n = 0\ndef net(x):\n    global n\n    n = 3\n    return x\n",
    "text": "layer = 'keras.layers.Dense(3)'\n" + NET,
    "device": "def net(x):\n    tf.distribute.get_strategy()\n    return x\n",
}


@pytest.mark.parametrize("name", WRONG)
def test_weights_in_the_wrong_place_are_found(name):
    text, kind = WRONG[name]
    assert kind in kinds(text)


@pytest.mark.parametrize("name", RIGHT)
def test_weights_in_the_right_place_are_no_finding(name):
    assert kinds(RIGHT[name]) == []


@given(st.text())
def test_any_text_is_read_or_refused(text):
    found = parsed("x", pathlib.Path("x.py"), text)
    if isinstance(found, Module):
        list(Reader(found).at_import())
    else:
        assert isinstance(found, Unreadable)
        assert found.message


@pytest.mark.parametrize(
    "text", ["(" * 300, "-" * 100_000 + "1", "\0", "x = " + "[" * 90]
)
def test_hostile_text_is_refused(text):
    assert isinstance(parsed("x", pathlib.Path("x.py"), text), Unreadable)


@pytest.mark.parametrize(
    ("named", "parts"),
    [
        ("nets:block", ("nets", "block")),
        ("photos.models:Net", ("photos.models", "Net")),
        ("nets.py:block:x", None),
        ("nets", None),
        ("../nets:block", None),
        ("nets:block()", None),
        (":block", None),
    ],
)
def test_what_names_a_function(named, parts):
    assert split(named) == parts


def test_a_module_is_found_in_files_and_packages(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "__init__.py").write_text("")
    (tmp_path / "a" / "b.py").write_text("")
    assert find(tmp_path, "a") == tmp_path / "a" / "__init__.py"
    assert find(tmp_path, "a.b") == tmp_path / "a" / "b.py"
    assert find(tmp_path, "c") is None


def test_signatures():
    text = """
def net(x, /, filters, *, rate=0.1, **more): ...
class Base:
    def __init__(self, units, name=None): ...
class Made(Base): ...
class Other(keras.layers.Dense): ...
"""
    module = module_of(text)
    net = find_signature(module, "net")
    assert net.names == ("filters", "rate")
    assert net.lacking(frozenset()) == ("x", "filters")
    assert net.open_names
    made = find_signature(module, "Made")
    assert (made.is_class, made.names) == (True, ("units", "name"))
    assert not find_signature(module, "Other").known
    assert find_signature(module, "none") is None
