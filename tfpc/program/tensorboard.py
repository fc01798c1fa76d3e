"""Charts for TensorBoard: numbers of training and validation, and pictures."""

from __future__ import annotations

import hashlib
import importlib.util
import math
import os
import pathlib
import sys

import tensorflow as tf

from tfpc.program.monitor import Monitor
from tfpc.program.run import Run
from tfpc.program.training import Training

CHART_FILES = "events.out.tfevents.*"


class Charts:
    """The files of charts: one folder a line, `train` and `validation`.

    Files of this run bear its sign in their names, since a folder may hold those of
    others. They only grow, so that their sizes say what a checkpoint knew of them: all
    behind that was written by a part of the run that is not gone on from.
    """

    def __init__(self, run: Run, folder: str | None) -> None:
        if importlib.util.find_spec("tensorboard") is None:
            message = (
                "`tensorboard` needs the package of that name, and this Python does not "
                "have it: pip install tensorboard"
            )
            run.reporter.event("failed", code="program", message=message, place=None)
            sys.exit(f"error: {message}")
        self.run = run
        self.folder = pathlib.Path(folder or run.folder / "tensorboard")
        self.folder.mkdir(parents=True, exist_ok=True)
        place = str(run.folder.resolve()).encode()
        self.sign = f".{hashlib.sha256(place).hexdigest()[:12]}.v2"
        self.sizes: dict[str, int] = {}
        self.writers: dict[str, tf.summary.SummaryWriter] = {}

    def line(self, name: str) -> tf.summary.SummaryWriter:
        """The writer of `train` or `validation`; the first one cuts files back.

        Used as a context it puts on the disk what was written, before any checkpoint.
        """
        if not self.writers:
            self.cut_back()
        if name not in self.writers:
            self.writers[name] = tf.summary.create_file_writer(
                str(self.folder / name), filename_suffix=self.sign
            )
        return self.writers[name]

    def files(self) -> dict[str, pathlib.Path]:
        """The files of this run by their names below the folder."""
        found = sorted(self.folder.glob(f"*/{CHART_FILES}{self.sign}"))
        return {path.relative_to(self.folder).as_posix(): path for path in found}

    def cut_back(self) -> None:
        """Takes away what is newer than the checkpoint that the run goes on from."""
        ours = self.files()
        for name, path in ours.items():
            if name in self.sizes:
                os.truncate(path, min(self.sizes[name], path.stat().st_size))
            else:
                path.unlink()
        if any(
            path not in ours.values() for path in self.folder.glob(f"*/{CHART_FILES}")
        ):
            self.run.reporter.warn(
                "charts-shared",
                f"{self.folder} holds charts of another run, which lie over those of "
                "this one: give each run a folder of its own",
            )

    def known(self) -> dict[str, int]:
        """The sizes of the files, for `sizes` after a restart."""
        if not self.writers:
            return self.sizes
        return {name: path.stat().st_size for name, path in self.files().items()}

    def close(self) -> None:
        """Ends the files."""
        for writer in self.writers.values():
            writer.close()


class Tensorboard(Monitor):
    """Metrics of training every `steps` steps and after each epoch, of validation after
    each epoch; learning rate, examples/s and waiting for input.
    """

    def __init__(self, charts: Charts, steps: int) -> None:
        self.charts = charts
        self.steps = steps
        self.written = 0
        self.examples = 0
        self.seconds = 0.0
        self.waited = 0.0

    def steps_until_due(self, training: Training) -> int:
        """Steps to the next point."""
        return self.steps - training.step % self.steps

    def after_steps(self, training: Training) -> None:
        """A point of training, if it is due."""
        if training.step % self.steps == 0:
            self.write_training(training)

    def after_epoch(self, training: Training) -> None:
        """The last point of training in the epoch, and that of validation."""
        if training.step != self.written:
            self.write_training(training)
        self.write(training, "validation", metrics_of(training, "validation"))

    def write_training(self, training: Training) -> None:
        """A point of training, and what came to pass since the last one."""
        rate = tf.convert_to_tensor(training.optimizer.learning_rate)
        values = metrics_of(training, "train") | {"learning_rate": float(rate)}
        seconds = training.seconds - self.seconds
        if seconds > 0:
            examples = training.examples - self.examples
            values["examples_per_s"] = examples / seconds
            values["input_wait"] = (training.waited - self.waited) / seconds
        self.write(training, "train", values)
        self.written = training.step
        self.examples = training.examples
        self.seconds, self.waited = training.seconds, training.waited

    def write(self, training: Training, name: str, values: dict[str, float]) -> None:
        """A point in each chart; what could not be measured has none."""
        if not values:
            return
        with self.charts.line(name).as_default(step=training.step):
            for tag, value in values.items():
                if tag != "input_wait" or not math.isnan(value):
                    tf.summary.scalar(tag, value)

    def at_end(self, training: Training) -> None:
        """Ends the files."""
        self.charts.close()

    def state(self) -> dict[str, object]:
        """The last point of training, and what the files hold."""
        return {"written": self.written, "sizes": self.charts.known()}

    def restore(self, state: dict[str, object]) -> None:
        """Takes back what `state` gave."""
        self.written = state["written"]  # type: ignore[assignment]
        self.charts.sizes = state["sizes"]  # type: ignore[assignment]


def metrics_of(training: Training, split: str) -> dict[str, float]:
    """The latest metrics of a split by their names alone, as in `accuracy`."""
    return {
        name.removeprefix(f"{split}."): value
        for name, value in training.results.items()
        if name.startswith(f"{split}.")
    }


class ShownPictures(Monitor):
    """The first `count` pictures of the first batch of each epoch.

    The step keeps those of every batch in a variable (a small copy), of which the host
    looks at the first one in an epoch. shape: of a picture; low, high: the range of its
    values, None where it is not known and the pictures themselves tell it.
    """

    def __init__(
        self,
        charts: Charts,
        count: int,
        shape: tuple[int | None, ...],
        low: float | None,
        high: float | None,
    ) -> None:
        self.charts = charts
        self.count = count
        self.low, self.high = low, high
        # With several devices each keeps its own, and those of the first are shown.
        self.kept = tf.Variable(
            tf.zeros([0, *(size or 0 for size in shape)]),
            trainable=False,
            shape=tf.TensorShape([None, *shape]),
            synchronization=tf.VariableSynchronization.ON_READ,
            aggregation=tf.VariableAggregation.ONLY_FIRST_REPLICA,
        )

    def keep(self, batch: tf.Tensor) -> None:
        """Called by the step with every batch."""
        self.kept.assign(tf.cast(batch[: self.count], tf.float32))

    def steps_until_due(self, training: Training) -> int | None:
        """The first step of an epoch is looked at alone."""
        return 1 if training.position.step == 0 else None

    def after_steps(self, training: Training) -> None:
        """Shows the pictures of the first step."""
        if training.position.step == 1:
            shown = as_bytes(self.kept.read_value(), self.low, self.high)
            with self.charts.line("train").as_default(step=training.step):
                tf.summary.image("pictures", shown, max_outputs=self.count)


def as_bytes(pictures: tf.Tensor, low: float | None, high: float | None) -> tf.Tensor:
    """Pictures as uint8; the range low..high (or that of the values) becomes 0..255."""
    least = tf.reduce_min(pictures) if low is None else low
    most = tf.reduce_max(pictures) if high is None else high
    scaled = 255.0 * tf.math.divide_no_nan(pictures - least, most - least)
    return tf.cast(tf.clip_by_value(tf.round(scaled), 0.0, 255.0), tf.uint8)
