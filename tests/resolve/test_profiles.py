"""Profiles: over the spec, in their order, below `--set`."""

from __future__ import annotations

import pytest

from tfpc.resolve.tree import Entry
from tfpc.rules.standard import whole_spec

PROFILES = """\
let short = 3

strategy = auto

profile smoke {
  train.epochs = short
  strategy = single
}

profile long {
  train.epochs = 30
}
"""


@pytest.fixture
def epochs(resolve_text):
    def run(*settings, profiles=()):
        resolved, problems = resolve_text(
            whole_spec(PROFILES), *settings, profiles=profiles
        )
        assert problems == []
        (train,) = resolved.nodes("train")
        (value,) = [
            item.value
            for item in train.body
            if isinstance(item, Entry) and item.path == "epochs"
        ]
        (strategy,) = [item for item in resolved.items if isinstance(item, Entry)]
        return value, strategy.value.content.word

    return run


def test_a_profile_is_used_only_when_it_is_chosen(epochs):
    value, strategy = epochs()
    assert (value.content, strategy) == (2, "auto")
    value, strategy = epochs(profiles=["smoke"])
    assert (value.content, strategy) == (3, "single")
    assert value.how == "set by `let short`"


def test_the_last_one_wins(epochs):
    assert epochs(profiles=["smoke", "long"])[0].content == 30
    assert epochs(profiles=["long", "smoke"])[0].content == 3
    value, _ = epochs(profiles=["long"])
    assert value.how == "set by profile `long`"


def test_set_comes_after(epochs):
    value, strategy = epochs("train.epochs=7", profiles=["smoke", "long"])
    assert (value.content, strategy) == (7, "single")
    assert value.how == "set by --set"
