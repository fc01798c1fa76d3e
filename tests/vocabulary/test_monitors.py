"""Arguments of monitors: what they take, and what they say of what they don't."""

from __future__ import annotations

import math

import pytest
from pydantic import ValidationError

from tfpc.types.quantity import Bytes, Epochs, Seconds, Steps
from tfpc.vocabulary.bare_name import OfMetric
from tfpc.vocabulary.registry import words

LOG, CHECKPOINT, STOP_EARLY, STOP_AFTER, TENSORBOARD = (
    words("monitor")[word]
    for word in ("log", "checkpoint", "stop_early", "stop_after", "tensorboard")
)
LIMIT = words("memory")["limit"]


def test_defaults():
    checkpoint = CHECKPOINT()
    assert checkpoint.every == Epochs(1)
    assert (checkpoint.keep, checkpoint.monitor, checkpoint.mode) == (3, None, None)
    stop = STOP_EARLY(monitor="validation.loss", patience=Epochs(3))
    assert (stop.mode, stop.min_delta) == (None, 0.0)
    charts = TENSORBOARD()
    assert (charts.folder, charts.images, charts.every) == (None, 0, Steps(100))


@pytest.mark.parametrize("every", [Epochs(2), Epochs(2.0), Steps(5), Seconds(0.5)])
def test_a_checkpoint_counts_epochs_steps_or_seconds(every):
    assert CHECKPOINT(every=every).every == every


@pytest.mark.parametrize(
    ("cls", "arguments", "blamed"),
    [
        (CHECKPOINT, {"every": Epochs(0.5)}, "every"),
        (CHECKPOINT, {"every": Epochs(1.5)}, "every"),
        (STOP_EARLY, {"monitor": "train.loss", "patience": Epochs(2.5)}, "patience"),
    ],
)
def test_a_part_of_an_epoch_is_refused_in_a_sentence(cls, arguments, blamed):
    with pytest.raises(ValidationError) as failure:
        cls(**arguments)
    (error,) = failure.value.errors()
    assert error["type"] == "value_error"
    assert error["loc"] == (blamed,)
    assert "whole epochs" in str(error["ctx"]["error"])


@pytest.mark.parametrize(
    ("cls", "arguments", "blamed"),
    [
        (LOG, {}, "every"),
        (LOG, {"every": 100}, "every"),
        (LOG, {"every": Epochs(1)}, "every"),
        (LOG, {"every": Steps(0)}, "every"),
        (CHECKPOINT, {"every": Seconds(0.0)}, "every"),
        (CHECKPOINT, {"every": Steps(-1)}, "every"),
        (CHECKPOINT, {"every": Epochs(math.inf)}, "every"),
        (CHECKPOINT, {"keep": 0}, "keep"),
        (CHECKPOINT, {"mode": "auto"}, "mode"),
        (STOP_EARLY, {"monitor": "train.loss"}, "patience"),
        (STOP_EARLY, {"monitor": "train.loss", "patience": Steps(3)}, "patience"),
        (STOP_EARLY, {"monitor": "train.loss", "patience": Epochs(0)}, "patience"),
        (
            STOP_EARLY,
            {"monitor": "train.loss", "patience": Epochs(1), "min_delta": -1.0},
            "min_delta",
        ),
        (STOP_AFTER, {}, "time"),
        (STOP_AFTER, {"time": 48}, "time"),
        (STOP_AFTER, {"time": Epochs(1)}, "time"),
        (STOP_AFTER, {"time": Seconds(0)}, "time"),
        (STOP_AFTER, {"time": Seconds(math.inf)}, "time"),
        (TENSORBOARD, {"folder": ""}, "folder"),
        (TENSORBOARD, {"images": -1}, "images"),
        (TENSORBOARD, {"every": 100}, "every"),
        (TENSORBOARD, {"every": Steps(0)}, "every"),
        (TENSORBOARD, {"every": Epochs(1)}, "every"),
        (LIMIT, {}, "size"),
        (LIMIT, {"size": 70}, "size"),
        (LIMIT, {"size": Bytes(2**20 - 1)}, "size"),
    ],
)
def test_wrong_arguments_are_blamed(cls, arguments, blamed):
    with pytest.raises(ValidationError) as failure:
        cls(**arguments)
    assert {error["loc"][0] for error in failure.value.errors()} == {blamed}


def test_metric_paths_are_marked():
    required = STOP_EARLY.model_fields["monitor"]
    assert OfMetric in required.metadata
    optional = CHECKPOINT.model_fields["monitor"]
    inner = optional.annotation.__args__[0]
    assert OfMetric in inner.__metadata__
