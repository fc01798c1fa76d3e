"""Charts as TensorBoard reads them: one point for each step, whatever was killed."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

pytestmark = pytest.mark.tensorflow

STEPS_PER_EPOCH = 10


class Run:
    """As much of a run as charts ask of it."""

    def __init__(self, folder):
        self.folder = folder
        self.warned = []
        self.events = []
        self.reporter = SimpleNamespace(
            warn=lambda code, message: self.warned.append((code, message)),
            event=lambda name, **carried: self.events.append((name, carried)),
        )


class Training:
    """Training that does nothing but count; its loss tells the step."""

    def __init__(self, step=0):
        import tensorflow as tf

        self.optimizer = SimpleNamespace(learning_rate=tf.constant(0.5))
        self.results = {}
        self.examples, self.seconds, self.waited = 0, 0.0, 0.0
        self.at(step)

    def at(self, step, *, whole=False):
        """After that step; whole: the epoch that it ends is closed."""
        epoch, place = divmod(step, STEPS_PER_EPOCH)
        if place == 0 and step and not whole:
            epoch, place = epoch - 1, STEPS_PER_EPOCH
        self.position = SimpleNamespace(epoch=epoch, step=place)
        self.step = step
        self.results["train.loss"] = float(step)

    def walk(self, monitors, last):
        """Steps up to `last`, with an epoch's end after each tenth."""
        for step in range(self.step + 1, last + 1):
            self.at(step)
            self.examples, self.seconds = self.examples + 8, self.seconds + 0.5
            self.waited += 0.125
            for monitor in monitors:
                monitor.after_steps(self)
            if step % STEPS_PER_EPOCH == 0:
                self.results["validation.loss"] = step / 100
                self.at(step, whole=True)
                for monitor in monitors:
                    monitor.after_epoch(self)


def made(run, folder=None, steps=4):
    from tfpc.program.tensorboard import Charts, Tensorboard

    return Tensorboard(Charts(run, folder), steps)


def points(folder, line):
    """All points of a line by tag, doubles and all."""
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
    from tensorboard.util.tensor_util import make_ndarray

    found = {}
    for path in sorted((folder / line).glob("events.out.*")):
        events = EventAccumulator(
            str(path), size_guidance={"tensors": 0}, purge_orphaned_data=False
        )
        for tag in events.Reload().Tags()["tensors"]:
            for each in events.Tensors(tag):
                value = float(make_ndarray(each.tensor_proto))
                found.setdefault(tag, []).append((each.step, value))
    return {tag: sorted(values) for tag, values in found.items()}


def test_train_and_validation_are_two_lines_of_one_chart(tmp_path):
    run = Run(tmp_path)
    Training().walk([made(run)], 20)
    training = points(tmp_path / "tensorboard", "train")
    # Every fourth step and both ends of an epoch; step 20 is both, and stands once.
    steps = [4, 8, 10, 12, 16, 20]
    assert training["loss"] == [(step, float(step)) for step in steps]
    assert training["learning_rate"] == [(step, 0.5) for step in steps]
    assert training["examples_per_s"] == [(step, 16.0) for step in steps]
    assert training["input_wait"] == [(step, 0.25) for step in steps]
    validation = points(tmp_path / "tensorboard", "validation")
    assert list(validation) == ["loss"]
    assert [step for step, _ in validation["loss"]] == [10, 20]
    assert run.warned == []


def test_what_was_not_measured_has_no_chart_but_a_lost_loss_has(tmp_path):
    training = Training()
    training.waited = math.nan
    monitor = made(Run(tmp_path))
    training.at(4)
    training.seconds, training.results["train.loss"] = 1.0, math.nan
    monitor.after_steps(training)
    found = points(tmp_path / "tensorboard", "train")
    assert "input_wait" not in found
    assert math.isnan(found["loss"][0][1])


# The step that the checkpoint stands at, and that at which the run is killed.
@pytest.mark.parametrize(
    ("saved", "killed"), [(0, 3), (0, 9), (4, 5), (6, 19), (8, 20), (10, 13), (20, 20)]
)
def test_killed_and_resumed_there_is_no_gap_and_no_double(tmp_path, saved, killed):
    expected = tmp_path / "expected"
    Training().walk([made(Run(expected))], 24)
    run = Run(tmp_path / "killed")
    monitor, training = made(run), Training()
    training.walk([monitor], saved)
    state = monitor.state()
    training.walk([monitor], killed)  # and never closed
    again, resumed = made(run), Training()
    again.restore(state)
    resumed.results = {"validation.loss": 0.0}
    resumed.at(saved, whole=True)
    resumed.walk([again], 24)
    again.at_end(resumed)
    for line in ("train", "validation"):
        one = points(expected / "tensorboard", line)
        other = points(run.folder / "tensorboard", line)
        assert one.keys() == other.keys()
        for tag in one:
            assert other[tag] == one[tag], tag
    assert run.warned == []


def test_killed_in_the_evaluation_at_the_end_of_an_epoch(tmp_path):
    run = Run(tmp_path)
    monitor, training = made(run, steps=5), Training()
    training.walk([monitor], 9)
    training.at(10)
    monitor.after_steps(training)
    state = monitor.state()  # a checkpoint by steps, before the epoch is closed
    training.results["validation.loss"] = 0.1
    monitor.after_epoch(training)
    again, resumed = made(run, steps=5), Training(10)
    again.restore(state)
    resumed.results["validation.loss"] = 0.1
    again.after_epoch(resumed)
    charts = tmp_path / "tensorboard"
    assert [step for step, _ in points(charts, "train")["loss"]] == [5, 10]
    assert [step for step, _ in points(charts, "validation")["loss"]] == [10]


def test_killed_before_any_checkpoint_the_charts_begin_anew(tmp_path):
    run = Run(tmp_path)
    Training().walk([made(run)], 15)
    Training().walk([made(run)], 4)
    assert [s for s, _ in points(tmp_path / "tensorboard", "train")["loss"]] == [4]
    assert not points(tmp_path / "tensorboard", "validation")


def test_a_checkpoint_before_the_first_new_point_knows_what_was_cut(tmp_path):
    run = Run(tmp_path)
    monitor, training = made(run), Training()
    training.walk([monitor], 8)
    state = monitor.state()
    training.walk([monitor], 20)
    again = made(run)
    again.restore(state)
    assert again.state() == state


def test_charts_of_another_run_are_left_alone_and_warned_of(tmp_path):
    charts = tmp_path / "charts"
    first, second = Run(tmp_path / "one"), Run(tmp_path / "two")
    Training().walk([made(first, str(charts))], 8)
    before = {path: path.read_bytes() for path in charts.glob("*/*")}
    Training().walk([made(second, str(charts))], 8)
    assert first.warned == []
    ((code, message),) = second.warned
    assert code == "charts-shared"
    assert str(charts) in message
    for path, content in before.items():
        assert path.read_bytes() == content


def test_without_the_package_it_says_what_to_install(tmp_path, monkeypatch):
    from tfpc.program import tensorboard

    monkeypatch.setattr(tensorboard.importlib.util, "find_spec", lambda name: None)
    run = Run(tmp_path)
    with pytest.raises(SystemExit) as ended:
        made(run)
    assert "pip install tensorboard" in str(ended.value)
    assert [name for name, _ in run.events] == ["failed"]


def test_the_first_pictures_of_each_epoch_are_shown(tmp_path):
    import tensorflow as tf

    from tfpc.program.tensorboard import Charts, ShownPictures

    pictures = ShownPictures(Charts(Run(tmp_path), None), 2, (None, 3, 1), 0, 255)
    training = Training()
    assert pictures.steps_until_due(training) == 1
    for step in range(1, 23):
        batch = tf.fill([5, 4, 3, 1], tf.constant(step, tf.uint8))
        pictures.keep(batch)
        training.at(step)
        pictures.after_steps(training)
    assert pictures.steps_until_due(training) is None
    (path,) = (tmp_path / "tensorboard" / "train").iterdir()
    shown = {
        event.step: tf.make_ndarray(value.tensor)
        for event in tf.compat.v1.train.summary_iterator(str(path))
        for value in event.summary.value
    }
    assert list(shown) == [1, 11, 21]
    for step, (width, height, *encoded) in shown.items():
        assert (width, height, len(encoded)) == (b"3", b"4", 2)
        for each in encoded:
            np.testing.assert_array_equal(
                tf.io.decode_png(each), np.full((4, 3, 1), step)
            )


@pytest.mark.parametrize(
    ("values", "low", "high", "expected"),
    [
        ([0.0, 128.0, 255.0], 0, 255, [0, 128, 255]),
        ([-1.0, 0.0, 1.0], -1.0, 1.0, [0, 128, 255]),
        ([-2.0, 0.0, 3.0], -1.0, 1.0, [0, 128, 255]),
        ([2.0, 3.0, 4.0], None, None, [0, 128, 255]),
        ([2.0, 2.0, 2.0], None, None, [0, 0, 0]),
    ],
)
def test_floats_become_bytes(values, low, high, expected):
    import tensorflow as tf

    from tfpc.program.tensorboard import as_bytes

    found = as_bytes(tf.reshape(values, [1, 1, 3, 1]), low, high)
    assert found.dtype == tf.uint8
    assert found.numpy().ravel().tolist() == expected
