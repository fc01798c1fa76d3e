"""Time that is over stops training, with the time of earlier parts counted in."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

pytestmark = pytest.mark.tensorflow


@pytest.fixture
def clock(monkeypatch):
    """A clock that tests set."""
    from tfpc.program import stop_after

    clock = SimpleNamespace(now=100.0, monotonic=lambda: clock.now)
    monkeypatch.setattr(stop_after, "time", clock)
    return clock


@pytest.fixture
def training():
    notes = []
    reporter = SimpleNamespace(note=notes.append)
    return SimpleNamespace(
        stop=None, run=SimpleNamespace(reporter=reporter), said=notes
    )


def monitor(seconds):
    from tfpc.program.stop_after import StopAfter

    return StopAfter(seconds)


def test_it_stops_when_the_time_is_over_and_not_before(clock, training):
    stop = monitor(60.0)
    clock.now += 59.9
    stop.after_steps(training)
    assert training.stop is None
    clock.now += 0.1
    stop.after_steps(training)
    assert training.stop == "stop_after"
    assert training.said == ["stopped after 0:01:00: the time of this run is over"]


def test_the_time_of_an_evaluation_counts(clock, training):
    stop = monitor(60.0)
    clock.now += 61
    stop.after_epoch(training)
    assert training.stop == "stop_after"


def test_another_reason_is_kept(clock, training):
    stop = monitor(60.0)
    training.stop = "signal"
    clock.now += 61
    stop.after_steps(training)
    assert training.stop == "signal"
    assert training.said == []


def test_earlier_parts_count_up_to_their_checkpoint(clock, training):
    first = monitor(60.0)
    clock.now += 45
    saved = first.state()
    assert saved == {"seconds": 45.0}
    clock.now += 1_000_000  # nobody ran anything
    second = monitor(60.0)
    second.restore(saved)
    clock.now += 14
    second.after_steps(training)
    assert training.stop is None
    assert second.state() == {"seconds": 59.0}
    clock.now += 1
    second.after_steps(training)
    assert training.stop == "stop_after"


class Loss:
    """A metric that is always one."""

    def result(self):
        return 1.0

    def reset_state(self):
        """It has none."""


def trained(clock, seconds):
    """Three epochs of five steps, of a second each, under a limit of time."""
    from tfpc.program.loop import train
    from tfpc.program.position import Position
    from tfpc.program.training import Training

    quiet = SimpleNamespace(
        event=lambda *given, **carried: None,
        say=lambda line: None,
        note=lambda line: None,
    )
    run = SimpleNamespace(
        reporter=quiet, interrupt=SimpleNamespace(signal=None, patient=False)
    )
    optimizer = SimpleNamespace(learning_rate=0.5)
    training = Training(
        run, 3, 5, 8, None, optimizer, Position(), metrics={"loss": Loss()}
    )
    stop, evaluated = monitor(seconds), []
    stop.steps_until_due = lambda training: 1

    def take_steps(count):
        clock.now += float(count)
        return 0.0

    def evaluate():
        evaluated.append(training.step)
        return {"validation.loss": 2.0}

    train(training, take_steps, evaluate, [stop])
    return training, evaluated


@pytest.mark.parametrize(
    ("seconds", "steps", "evaluated"),
    [
        (0.5, 1, []),
        (7.5, 8, [5]),
        # The last step of an epoch closes it, though the time is over with it.
        (10.0, 10, [5, 10]),
        (100.0, 15, [5, 10, 15]),
    ],
)
def test_the_loop_ends_where_the_time_does(clock, seconds, steps, evaluated):
    training, seen = trained(clock, seconds)
    assert training.step == steps
    assert seen == evaluated
    assert training.stop == ("stop_after" if seconds < 15 else None)
