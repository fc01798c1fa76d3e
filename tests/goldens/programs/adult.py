"""Trains a model as its spec says, without needing tfpc.

Written by tfpc; change the spec, not this file. It decides on the machine
only what depends on the machine, and says so when it starts.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import dataclasses
import functools
import glob
import hashlib
import json
import math
import os
import pathlib
import platform
import re
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

os.environ["KERAS_BACKEND"] = "tensorflow"
# TensorFlow's own remarks on start; 0 shows all of them.
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import keras
import numpy as np
import tensorflow as tf

# Settings -----------------------------------------------------------------------------

NAME = "adult"
SPEC_DIGEST = "e2aa6147d2f1b0cb27b2602347ae18b7190ab76d9c06cdafc4342911e4d79bec"
# Where the spec was, seen from this file: its paths start there.
SPEC_FOLDER = pathlib.Path(__file__).resolve().parent
SEED = 42
EPOCHS = 5
BATCH = 256
EVALUATION_BATCH = 256


# What went wrong, in words, and which line of the spec asked for it.


class InputError(Exception):
    """Data that is not there, or not what it should be.

    place: the line of the spec that reads it; file: the file or folder, if one is known.
    """

    def __init__(self, message: str, place: str, file: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        self.file = file


class DeviceError(Exception):
    """Devices that are not there, or can't do what the spec asks of them.

    place: the line of the spec that asks for them.
    """

    def __init__(self, message: str, place: str) -> None:
        super().__init__(message)
        self.message = message
        self.place = place


# Where training stands in the data.


@dataclasses.dataclass(frozen=True)
class Position:
    """The next batch: `step` batches of `epoch` are done (both count from zero)."""

    epoch: int = 0
    step: int = 0


# SIGINT and SIGTERM: the first one ends after the current step, a second one at once.


class Interrupt:
    """Remembers the signal that asked the program to stop.

    patient: whether there is a step to finish; before, a signal ends the program.
    """

    def __init__(self) -> None:
        self.signal: int | None = None
        self.patient = False
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self.receive)

    def receive(self, number: int, frame: object) -> None:
        """Notes the signal; the next one has its usual effect."""
        if not self.patient:
            sys.exit(128 + number)
        self.signal = number
        for again in (signal.SIGINT, signal.SIGTERM):
            signal.signal(again, signal.SIG_DFL)


# What the program tells: lines for a person, and events for the process that watches.

EVENTS_VERSION = 1


def plain(value: object) -> object:
    """A value as JSON can hold it; numbers that are none become text."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def in_words(metrics: dict[str, float]) -> str:
    """Metrics on one line: `train.loss 0.0123  train.accuracy 0.9876`."""
    return "  ".join(f"{name} {value:.4f}" for name, value in metrics.items())


class Reporter:
    """Writes lines to standard output and, where `TFPC_EVENTS` names a file, events.

    `TFPC_EVENTS` is a path, or `fd:N` for an open file descriptor.
    """

    def __init__(self) -> None:
        target = os.environ.get("TFPC_EVENTS", "")
        self.events: int | None = None
        if target.startswith("fd:"):
            self.events = int(target[3:])
        elif target:
            self.events = os.open(target, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)

    def event(self, name: str, **carried: object) -> None:
        """Writes one event, a JSON object on a line of its own, in one go."""
        if self.events is None:
            return
        record = {"event": name, "time": time.time(), **carried}
        line = json.dumps(plain(record), allow_nan=False) + "\n"
        os.write(self.events, line.encode())

    def say(self, line: str) -> None:
        """Writes one line for a person."""
        print(line, flush=True)

    def note(self, line: str) -> None:
        """Writes one line for a person, wherever that person looks."""
        self.event("logged", line=line)
        self.say(line)

    def decided(self, what: str, value: object, why: str) -> None:
        """Tells what was decided at start, on this machine."""
        self.event("decided", what=what, value=value, why=why)
        self.say(f"{what}: {value} ({why})")

    def warn(self, code: str, message: str, **carried: object) -> None:
        """Tells of something that does not stop the run."""
        self.event("warned", code=code, message=message, **carried)
        self.say(f"warning: {message}")

    def loading(self, what: str, done: int, count: int) -> None:
        """Tells how far a split is read into memory."""
        self.event("loading", what=what, done=done, count=count)

    def loaded(self, what: str, count: int, size: int, seconds: float) -> None:
        """Tells that a split is in memory; size in bytes."""
        self.event("loaded", what=what, count=count, bytes=size, seconds=seconds)
        self.say(
            f"{what}: {count:,} examples in memory, {size / 2**20:,.0f} MiB, "
            f"read in {seconds:.1f} s"
        )


# One run of the program: its flags, its folder, and how it ends.


@dataclasses.dataclass(frozen=True)
class Run:
    """What every part of the program may ask: where things are, and whom to tell.

    root: the folder that the spec's paths are relative to; folder: where the run
    leaves what it makes.
    """

    root: pathlib.Path
    folder: pathlib.Path
    reporter: Reporter
    interrupt: Interrupt


def program_flags(description: str, root: pathlib.Path) -> argparse.ArgumentParser:
    """The flags that every program has."""
    flags = argparse.ArgumentParser(description=description.partition("\n")[0])
    flags.add_argument(
        "--root",
        type=pathlib.Path,
        default=root,
        help="the folder that the spec's paths are relative to (default: %(default)s)",
    )
    flags.add_argument(
        "--run-dir",
        type=pathlib.Path,
        help="where the run leaves what it makes (default: a new folder below runs/)",
    )
    return flags


def new_run_folder(name: str) -> pathlib.Path:
    """A folder for this run, named by the time."""
    return pathlib.Path("runs") / name / time.strftime("%Y-%m-%dT%H-%M-%S")


def open_run(root: pathlib.Path, folder: pathlib.Path, spec_digest: str) -> Run:
    """Makes the run's folder and says what starts."""
    folder.mkdir(parents=True, exist_ok=True)
    run = Run(root.resolve(), folder, Reporter(), Interrupt())
    program = pathlib.Path(sys.argv[0]).read_bytes()
    run.reporter.event(
        "started",
        version=EVENTS_VERSION,
        program=hashlib.sha256(program).hexdigest(),
        spec=spec_digest,
        python=platform.python_version(),
        tensorflow=tf.__version__,
        keras=keras.__version__,
        pid=os.getpid(),
        folder=str(folder),
    )
    return run


@contextlib.contextmanager
def failures_told(run: Run) -> Iterator[None]:
    """Tells of a failure in words and ends with 1; what was written stays readable."""
    try:
        yield
    except InputError as error:
        run.reporter.event(
            "failed",
            code="input",
            message=error.message,
            place=error.place,
            file=error.file,
        )
        sys.exit(f"error: {error.message}\n  read by {error.place}")
    except DeviceError as error:
        run.reporter.event(
            "failed", code="devices", message=error.message, place=error.place
        )
        sys.exit(f"error: {error.message}\n  asked for by {error.place}")
    except Exception as error:
        message = f"{type(error).__name__}: {error}"
        run.reporter.event("failed", code="program", message=message, place=None)
        raise


def end(run: Run) -> None:
    """Ends with the code of the signal that stopped the run, if one did."""
    if run.interrupt.signal is not None:
        sys.exit(128 + run.interrupt.signal)


# What every source of the program offers.


class Source(Protocol):
    """Numbered examples. place: the line of the spec that names them."""

    place: str

    @property
    def count(self) -> int:
        """The number of examples."""

    def keys(self) -> tf.data.Dataset:
        """(index, ...) of each example, once: what is needed to read it."""

    def file_of(self, index: int) -> str:
        """Where an example comes from."""

    def damaged_file(self) -> tuple[str, str] | None:
        """The first file that can't be read as such, and why, if there is one."""


# Where training stands: what the loop moves on and the monitors look at.


@dataclasses.dataclass
class Training:
    """Where training stands, for the loop and its monitors.

    results: the latest metrics by name, as in `validation.accuracy`.
    """

    run: Run
    epochs: int
    steps_per_epoch: int
    batch: int
    model: keras.Model
    optimizer: keras.Optimizer
    position: Position
    metrics: dict[str, keras.metrics.Metric]
    results: dict[str, float] = dataclasses.field(default_factory=dict)
    stop: str | None = None
    diverged: bool = False
    seconds: float = 0.0
    waited: float = 0.0
    examples: int = 0

    @property
    def step(self) -> int:
        """Steps done since the beginning, over all epochs and restarts."""
        return self.position.epoch * self.steps_per_epoch + self.position.step

    def advance(self, steps: int) -> None:
        """Moves the position forward within the epoch."""
        self.position = Position(self.position.epoch, self.position.step + steps)
        self.examples += steps * self.batch


def steps_in(source: Source, batch: int) -> int:
    """Whole batches in an epoch. Raises InputError if there is none."""
    if source.count < batch:
        raise InputError(
            f"{source.count} examples do not fill one batch of {batch}", source.place
        )
    return source.count // batch


# What a monitor is: something that looks at training from outside.


class Monitor:
    """Looks in after some steps and after each epoch; may ask training to stop.

    What it must remember over a restart it gives in `state`, as JSON values.
    """

    def steps_until_due(self, training: Training) -> int | None:
        """How many more steps until it wants to look, if it counts steps."""
        return None

    def after_steps(self, training: Training) -> None:
        """Called whenever the host looks in."""

    def after_epoch(self, training: Training) -> None:
        """Called when an epoch is over and evaluated."""

    def at_end(self, training: Training) -> None:
        """Called once when training ends, for whatever reason."""

    def state(self) -> dict[str, object]:
        """What must survive a restart."""
        return {}

    def restore(self, state: dict[str, object]) -> None:
        """Takes back what `state` gave."""


# Checkpoints: all that a run needs to go on with the very next batch.


def add_resume_flag(flags: argparse.ArgumentParser) -> None:
    """Adds `--resume`."""
    flags.add_argument(
        "--resume",
        action="store_true",
        help="continue the run in --run-dir, or else the latest one",
    )


def latest_run_folder(name: str) -> pathlib.Path:
    """The folder of the latest run that left a checkpoint. Exits if there is none."""
    saved = pathlib.Path("runs").glob(f"{glob.escape(name)}/*/checkpoints/step-*")
    folders = sorted({path.parent.parent for path in saved})
    if not folders:
        sys.exit(f"no run below runs/{name} has a checkpoint: name one by --run-dir")
    return folders[-1]


def variables_of(training: Training) -> list[tf.Variable]:
    """Every variable that training changes: weights, their moments, running metrics."""
    variables = [*training.model.variables, *training.optimizer.variables]
    for metric in training.metrics.values():
        variables += metric.variables
    return [variable.value for variable in variables]


def write_aside(
    folder: pathlib.Path, variables: list[tf.Variable], state: object
) -> None:
    """Writes a checkpoint under another name and renames it: whole, or not there."""
    aside = folder.with_name(f".{folder.name}.new")
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(parents=True)
    tf.train.Checkpoint(variables=variables).write(str(aside / "variables"))
    (aside / "state.json").write_text(json.dumps(state, indent=2), encoding="utf-8")
    shutil.rmtree(folder, ignore_errors=True)
    aside.rename(folder)


def read_variables(folder: pathlib.Path, variables: list[tf.Variable]) -> None:
    """Takes the variables of a checkpoint over."""
    status = tf.train.Checkpoint(variables=variables).read(str(folder / "variables"))
    status.assert_consumed()


class Checkpoint(Monitor):
    """Saves every so many steps, epochs or seconds, and keeps the newest `keep`.

    Monitors that stand in `remembered` keep their state in it.
    """

    def __init__(
        self,
        run: Run,
        remembered: Sequence[Monitor],
        *,
        keep: int,
        steps: int | None = None,
        epochs: int | None = None,
        seconds: float | None = None,
    ) -> None:
        self.run = run
        self.folder = run.folder / "checkpoints"
        self.remembered = remembered
        self.keep = keep
        self.steps = steps
        self.epochs = epochs
        self.seconds = seconds
        self.saved_at = time.monotonic()
        self.saved_step = -1

    def steps_until_due(self, training: Training) -> int | None:
        """Steps to the next one, if they are counted in steps."""
        return None if self.steps is None else self.steps - training.step % self.steps

    def after_steps(self, training: Training) -> None:
        """Saves if steps or time say so."""
        waited = time.monotonic() - self.saved_at
        by_steps = self.steps is not None and training.step % self.steps == 0
        if by_steps or (self.seconds is not None and waited >= self.seconds):
            self.save(training, "every")

    def after_epoch(self, training: Training) -> None:
        """Saves if epochs say so."""
        if self.epochs is not None and training.position.epoch % self.epochs == 0:
            self.save(training, "every")

    def at_end(self, training: Training) -> None:
        """Saves what came since the last one."""
        if training.step != self.saved_step:
            self.save(training, training.stop or "done")

    def save(self, training: Training, why: str) -> None:
        """Writes a checkpoint and drops those that are too old."""
        folder = self.folder / f"step-{training.step:09d}"
        position = training.position
        state = {
            "epoch": position.epoch,
            "step": position.step,
            "results": training.results,
            "stop": None if training.stop == "signal" else training.stop,
            "monitors": [monitor.state() for monitor in self.remembered],
        }
        write_aside(folder, variables_of(training), state)
        self.saved_at, self.saved_step = time.monotonic(), training.step
        for old in self.saved()[: -self.keep]:
            shutil.rmtree(old)
        self.run.reporter.event("saved", path=str(folder), step=training.step, why=why)

    def saved(self) -> list[pathlib.Path]:
        """The checkpoints that are there, the newest last."""
        return sorted(
            path
            for path in self.folder.glob("step-*")
            if re.fullmatch(r"step-\d+", path.name)
        )

    def restore_latest(self, training: Training) -> None:
        """Goes on where the newest checkpoint stands, or begins at the beginning."""
        saved = self.saved()
        if not saved:
            self.run.reporter.say("no checkpoint yet: starts from the beginning")
            return
        state = json.loads((saved[-1] / "state.json").read_text(encoding="utf-8"))
        read_variables(saved[-1], variables_of(training))
        training.position = Position(state["epoch"], state["step"])
        training.results, training.stop = state["results"], state["stop"]
        for monitor, remembered in zip(self.remembered, state["monitors"], strict=True):
            monitor.restore(remembered)
        self.saved_step = training.step
        self.run.reporter.decided("resume", str(saved[-1]), "the newest checkpoint")


# The best weights so far, by a metric, kept in the run folder.


class Best(Monitor):
    """Keeps the weights of the epoch in which a metric was best.

    metric: as in `validation.accuracy`; mode: `max` or `min`.
    """

    def __init__(self, run: Run, metric: str, mode: str) -> None:
        self.run = run
        self.folder = run.folder / "checkpoints" / "best"
        self.metric = metric
        self.sign = 1.0 if mode == "max" else -1.0
        self.value: float | None = None
        self.epoch = 0

    def after_epoch(self, training: Training) -> None:
        """Keeps the weights if the metric is better than ever."""
        value = training.results[self.metric]
        if math.isnan(value) or (
            self.value is not None and self.sign * value <= self.sign * self.value
        ):
            return
        self.value, self.epoch = value, training.position.epoch
        variables = [variable.value for variable in training.model.variables]
        state = {"metric": self.metric, "value": value, "epoch": self.epoch}
        write_aside(self.folder, variables, state)
        self.run.reporter.event(
            "saved", path=str(self.folder), step=training.step, why="best"
        )

    def state(self) -> dict[str, object]:
        """The best value, and when it was."""
        return {"value": self.value, "epoch": self.epoch}

    def restore(self, state: dict[str, object]) -> None:
        """Takes back what `state` gave."""
        self.value, self.epoch = state["value"], state["epoch"]

    def at_end(self, training: Training) -> None:
        """Takes the best weights over, if training came to its end."""
        if training.stop == "signal" or self.value is None:
            return
        variables = [variable.value for variable in training.model.variables]
        read_variables(self.folder, variables)
        self.run.reporter.note(
            f"best {self.metric} {self.value:.4f} in epoch {self.epoch}"
        )


# Devices and threads: decided on the machine, before TensorFlow touches them.


def one_device(reporter: Reporter) -> tf.distribute.Strategy:
    """A strategy for the first GPU, or for the CPU where there is none."""
    gpus = tf.config.list_physical_devices("GPU")
    if not gpus:
        reporter.decided("device", "CPU", "TensorFlow sees no GPU")
        return tf.distribute.OneDeviceStrategy("/cpu:0")
    why = "the only GPU" if len(gpus) == 1 else f"the first of {len(gpus)} GPUs"
    reporter.decided("device", "GPU:0", why)
    return tf.distribute.OneDeviceStrategy("/gpu:0")


# Counter-based random numbers: a draw is a function of what it is for, never of when.


def mix(x: tf.Tensor) -> tf.Tensor:
    """Scrambles uint32 values, each to each (a bijection).

    The constants are those of the `lowbias32` search, github.com/skeeto/hash-prospector.
    """
    x = tf.bitwise.bitwise_xor(x, tf.bitwise.right_shift(x, tf.constant(16, tf.uint32)))
    x = x * tf.constant(0x7FEB352D, tf.uint32)
    x = tf.bitwise.bitwise_xor(x, tf.bitwise.right_shift(x, tf.constant(15, tf.uint32)))
    x = x * tf.constant(0x846CA68B, tf.uint32)
    return tf.bitwise.bitwise_xor(
        x, tf.bitwise.right_shift(x, tf.constant(16, tf.uint32))
    )


def draw(seed: int, stream: int, epoch: tf.Tensor, index: tf.Tensor) -> tf.Tensor:
    """32 random bits for each example.

    seed, stream: which run, and which random step of it; epoch: integer scalar;
    index: integer tensor of any shape. Returns uint32 in the shape of `index`.
    """
    bits = mix(tf.constant((seed ^ (stream * 0x9E3779B9)) & 0xFFFFFFFF, tf.uint32))
    bits = mix(tf.bitwise.bitwise_xor(bits, tf.cast(epoch, tf.uint32)))
    index = tf.cast(index, tf.uint32)
    # Twice, so that neighbours in (epoch, index) share no structure.
    return mix(mix(index * tf.constant(0x9E3779B9, tf.uint32) + bits) + bits)


# Dropout whose mask is a function of (seed, layer, step, place in the global batch).


class CounterDropout(keras.layers.Layer):
    """Sets a share `rate` of the inputs to zero in training and scales the others.

    No generator, no state: the same mask on one replica and on eight, with XLA and
    without, and after a restart. `clock` counts the steps (the optimizer's iterations),
    `batch` is the size of the global batch.
    """

    def __init__(
        self,
        rate: float,
        seed: int,
        stream: int,
        clock: tf.Variable,
        batch: int,
        name: str,
    ) -> None:
        super().__init__(name=name)
        self.rate = rate
        self.seed = seed
        self.stream = stream
        self.clock = clock
        self.batch = batch

    def call(self, inputs: tf.Tensor, training: bool = False) -> tf.Tensor:
        """inputs: float[b, ...]; returns the same shape and dtype."""
        if not training:
            return inputs
        context = tf.distribute.get_replica_context()
        # Each replica has ceil(batch / replicas) examples, the last one maybe less.
        share = -(-self.batch // context.num_replicas_in_sync)
        count = tf.size(inputs)
        each = count // tf.maximum(tf.shape(inputs)[0], 1)
        first = context.replica_id_in_sync_group * share * each
        places = tf.reshape(first + tf.range(count), tf.shape(inputs))
        bits = draw(self.seed, self.stream, self.clock, places)
        kept = bits >= tf.constant(min(int(self.rate * 2**32), 2**32 - 1), tf.uint32)
        scale = tf.cast(1.0 / (1.0 - self.rate), inputs.dtype)
        return tf.where(kept, inputs * scale, tf.zeros_like(inputs))


# How much is left to the graph between two looks of the host.

SECONDS_BETWEEN_LOOKS = 0.5


class Pace:
    """How many steps to leave to the graph so that the host looks in often enough."""

    def __init__(self) -> None:
        self.steps = 1
        self.warm = False

    def took(self, steps: int, seconds: float) -> None:
        """Learns from a call; the first one is not counted, it traces the graph."""
        if self.warm:
            per_step = seconds / steps
            fitting = int(SECONDS_BETWEEN_LOOKS / max(per_step, 1e-6))
            self.steps = max(1, min(fitting, 2 * self.steps))
        self.warm = True


# Exact evaluation: every example counts once, whatever the batch.


def padded(batch: int) -> Callable[..., tuple[tf.Tensor, ...]]:
    """Fills an incomplete last batch with zeros and adds the weights that say so.

    The weights, float32[batch], are 1 for an example and 0 for a filler.
    """

    def fill(*components: tf.Tensor) -> tuple[tf.Tensor, ...]:
        count = tf.shape(components[0])[0]
        filled = []
        for component in components:
            missing = tf.scatter_nd(
                [[0, 1]], [batch - count], [component.shape.rank, 2]
            )
            shape = [batch, *component.shape[1:]]
            filled.append(tf.ensure_shape(tf.pad(component, missing), shape))
        weight = tf.cast(tf.range(batch) < count, tf.float32)
        return (*filled, weight)

    return fill


def evaluation(
    training: Training,
    split: str,
    source: Source,
    batch: int,
    take_steps: Callable[[tf.Tensor], tf.Tensor],
    metrics: dict[str, keras.metrics.Metric],
) -> Callable[[], dict[str, float]]:
    """A function that evaluates the split once and returns its metrics by name.

    It takes exactly ceil(examples / batch) batches of a dataset that repeats, so that
    one iterator serves all evaluations. A signal ends it, with no metrics.
    """
    batches = -(-source.count // batch)
    pace = Pace()

    def evaluate() -> dict[str, float]:
        for metric in metrics.values():
            metric.reset_state()
        done = 0
        while done < batches:
            steps = min(pace.steps, batches - done)
            started = time.perf_counter()
            take_steps(tf.constant(steps))
            pace.took(steps, time.perf_counter() - started)
            done += steps
            if training.run.interrupt.signal is not None:
                return {}
        results = {
            f"{split}.{name}": float(metric.result())
            for name, metric in metrics.items()
        }
        training.run.reporter.event(
            "evaluated",
            split=split,
            epoch=training.step // training.steps_per_epoch,
            step=training.step,
            examples=source.count,
            metrics=results,
        )
        return results

    return evaluate


# Columns of a table as rows of numbers, by what is learnt from the training split.

# Rows of float32 carry the numbers of categories, which is exact up to here.
LARGEST_CATEGORY = 2**24
# Examples that are looked at together.
LEARNING_BATCH = 4096
# By column: what its encoder has learnt, as JSON holds it.
Learnt = Mapping[str, dict[str, Any]]


class FeatureColumn(Protocol):
    """How one column becomes numbers. learnt: what `learn` gave, as JSON holds it."""

    def start(self) -> Any:
        """Nothing learnt yet."""

    def learn(self, state: Any, values: np.ndarray) -> Any:
        """What is learnt when more values, [n, ...], have been seen."""

    def finish(self, state: Any) -> dict[str, Any]:
        """What is kept of it."""

    def carrier(self, learnt: dict[str, Any]) -> Callable[[tf.Tensor], tf.Tensor]:
        """From a batch of the column to what carries it, float32[batch, n]."""

    def layer(self, learnt: dict[str, Any], name: str) -> keras.layers.Layer | None:
        """What the model does with that, None if it takes it as it is."""


@dataclasses.dataclass(frozen=True)
class NormalizedColumn:
    """(value - mean) / standard deviation, of each value of the column."""

    def start(self) -> tuple[int, np.ndarray, np.ndarray]:
        """Count, mean, and sum of the squared distances from it."""
        return 0, np.zeros(1), np.zeros(1)

    def learn(
        self, state: tuple[int, np.ndarray, np.ndarray], values: np.ndarray
    ) -> tuple[int, np.ndarray, np.ndarray]:
        """Both parts' means and distances as one (Chan, Golub and LeVeque, 1983)."""
        count, mean, distance = state
        new = values.reshape(len(values), -1).astype(np.float64)
        new_mean = new.mean(0)
        total = count + len(new)
        apart = new_mean - mean
        distance = distance + ((new - new_mean) ** 2).sum(0)
        distance = distance + apart**2 * count * len(new) / total
        return total, mean + apart * len(new) / total, distance

    def finish(
        self, state: tuple[int, np.ndarray, np.ndarray]
    ) -> dict[str, list[float]]:
        """A column that never changes is left as it is."""
        count, mean, distance = state
        std = np.sqrt(distance / max(count, 1))
        std[std < 1e-12 * np.maximum(np.abs(mean), 1)] = 1.0
        return {"mean": mean.tolist(), "std": std.tolist()}

    def carrier(self, learnt: dict[str, Any]) -> Callable[[tf.Tensor], tf.Tensor]:
        """In float64, so that large numbers keep what differs."""
        mean = np.array(learnt["mean"])
        std = np.array(learnt["std"])

        def normalized(column: tf.Tensor) -> tf.Tensor:
            values = tf.reshape(tf.cast(column, tf.float64), [-1, len(mean)])
            return tf.cast((values - mean) / std, tf.float32)

        return normalized

    def layer(self, learnt: dict[str, Any], name: str) -> None:
        """It is a number already."""


@dataclasses.dataclass(frozen=True)
class CategoricalColumn:
    """A column of a few texts or whole numbers, each with a number of its own."""

    def start(self) -> set[Any]:
        """No values yet."""
        return set()

    def learn(self, state: set[Any], values: np.ndarray) -> set[Any]:
        """The values seen so far."""
        return state | set(values.tolist())

    def finish(self, state: set[Any]) -> dict[str, list[Any]]:
        """In order; text as text. Raises ValueError if there are too many."""
        if len(state) >= LARGEST_CATEGORY:
            raise ValueError(f"has {len(state)} values, more than {LARGEST_CATEGORY}")
        values = sorted(state)
        if values and isinstance(values[0], bytes):
            return {"values": [v.decode("utf-8", "surrogateescape") for v in values]}
        return {"values": values}

    def carrier(self, learnt: dict[str, Any]) -> Callable[[tf.Tensor], tf.Tensor]:
        """The number of the value; one more than the last if it was not seen."""
        values = learnt["values"]
        if values and isinstance(values[0], str):
            values = [value.encode("utf-8", "surrogateescape") for value in values]
        dtype = tf.string if values and isinstance(values[0], bytes) else tf.int64
        with tf.init_scope():
            table = tf.lookup.StaticHashTable(
                tf.lookup.KeyValueTensorInitializer(
                    tf.constant(values, dtype), tf.range(len(values), dtype=tf.int64)
                ),
                default_value=len(values),
            )

        def numbered(column: tf.Tensor) -> tf.Tensor:
            wide = column if dtype == tf.string else tf.cast(column, tf.int64)
            return tf.cast(table.lookup(wide), tf.float32)[:, tf.newaxis]

        return numbered


@dataclasses.dataclass(frozen=True)
class OneHotColumn(CategoricalColumn):
    """1 at the place of the value, 0 at all others; all 0 if it was not seen."""

    def layer(self, learnt: dict[str, Any], name: str) -> keras.layers.Layer:
        """float32[batch, 1] to float32[batch, values]."""
        return OneHotRows(len(learnt["values"]), name=name)


@dataclasses.dataclass(frozen=True)
class EmbeddedColumn(CategoricalColumn):
    """A trained vector of `dimension` numbers; zeros if the value was not seen."""

    dimension: int

    def layer(self, learnt: dict[str, Any], name: str) -> keras.layers.Layer:
        """float32[batch, 1] to float32[batch, dimension]."""
        return EmbeddedRows(len(learnt["values"]), self.dimension, name=name)


class OneHotRows(keras.layers.Layer):
    """A row of `size` for each number, zeros for `size` itself."""

    def __init__(self, size: int, name: str) -> None:
        super().__init__(name=name)
        self.size = size

    def call(self, inputs: tf.Tensor) -> tf.Tensor:
        """inputs: float32[batch, 1]."""
        numbers = tf.cast(inputs[:, 0], tf.int32)
        return tf.one_hot(numbers, self.size, dtype=self.compute_dtype)


class EmbeddedRows(keras.layers.Layer):
    """A vector for each number, zeros for `size` itself."""

    def __init__(self, size: int, dimension: int, name: str) -> None:
        super().__init__(name=name)
        self.size = size
        self.vectors = keras.layers.Embedding(max(size, 1), dimension, name="vectors")

    def build(self, shape: tuple[int | None, ...]) -> None:
        """Makes the vectors."""
        self.vectors.build((shape[0],))

    def call(self, inputs: tf.Tensor) -> tf.Tensor:
        """inputs: float32[batch, 1]."""
        numbers = tf.cast(inputs[:, 0], tf.int32)
        vectors = self.vectors(tf.minimum(numbers, max(self.size - 1, 0)))
        return vectors * tf.cast(numbers < self.size, vectors.dtype)[:, tf.newaxis]


class FeatureColumns(keras.layers.Layer):
    """Undoes a row that carries columns: what encoders make of each, side by side."""

    def __init__(
        self,
        features: Mapping[str, FeatureColumn],
        learnt: Learnt,
        name: str,
    ) -> None:
        super().__init__(name=name)
        self.widths = [len(learnt[each].get("mean", (0,))) for each in features]
        self.encoders = [
            feature.layer(learnt[each], each) or keras.layers.Identity(name=each)
            for each, feature in features.items()
        ]

    def build(self, shape: tuple[int | None, ...]) -> None:
        """Makes the weights of the encoders."""
        for encoder, width in zip(self.encoders, self.widths, strict=True):
            encoder.build((shape[0], width))

    def call(self, inputs: tf.Tensor) -> tf.Tensor:
        """inputs: float32[batch, carried]; returns float32[batch, numbers]."""
        columns = tf.split(inputs, self.widths, axis=1)
        parts = [
            encoder(column)
            for encoder, column in zip(self.encoders, columns, strict=True)
        ]
        return tf.concat(parts, axis=1)


class Rows:
    """Makes of a batch of columns the rows that carry them to the model."""

    def __init__(
        self,
        features: Mapping[str, FeatureColumn],
        learnt: Learnt,
    ) -> None:
        # The tables in them live as long as this does.
        self.carriers = [
            feature.carrier(learnt[name]) for name, feature in features.items()
        ]

    def __call__(self, *columns: tf.Tensor) -> tf.Tensor:
        """columns: [batch, ...] each, in the order of the features."""
        parts = [
            carrier(column)
            for carrier, column in zip(self.carriers, columns, strict=True)
        ]
        return tf.concat(parts, axis=1)


def learn_features(
    features: Mapping[str, FeatureColumn], names: list[str], batches: tf.data.Dataset
) -> Learnt:
    """What each feature must know, from all training examples, each seen once.

    names: of the components of a batch, in order. Raises ValueError if a column has
    too many values.
    """
    states = {name: feature.start() for name, feature in features.items()}
    for batch in batches.as_numpy_iterator():
        columns = dict(zip(names, batch, strict=True))
        for name, feature in features.items():
            states[name] = feature.learn(states[name], columns[name])
    return {name: feature.finish(states[name]) for name, feature in features.items()}


def learnt_in(
    folder: pathlib.Path,
    reporter: Reporter,
    learn: Callable[[], Learnt],
) -> Learnt:
    """What was learnt, from the run's folder; learns it and writes it down if new."""
    path = folder / "learnt.json"
    if path.exists():
        found: Learnt = json.loads(path.read_text("utf-8"))
        return found
    learnt = learn()
    aside = path.with_suffix(".json.part")
    aside.write_text(json.dumps(learnt, indent=1), "utf-8")
    os.replace(aside, path)
    said = ", ".join(f"{name} {size}" for name, size in sizes_of(learnt).items())
    reporter.decided("features", said, "numbers or values, learnt from train")
    return learnt


def sizes_of(learnt: Learnt) -> dict[str, int]:
    """How many numbers or values each feature has."""
    return {
        name: len(found["values" if "values" in found else "mean"])
        for name, found in learnt.items()
    }


# The end of a run, told.


def finish(training: Training, evaluate: Callable[[], dict[str, float]] | None) -> None:
    """Evaluates a last time, and tells why training ended, what it took, what came out.

    evaluate: the evaluation of the test split, if there is one; not after a signal.
    """
    seconds = max(training.seconds, 1e-9)
    results: dict[str, float] = {}
    if evaluate is not None and training.stop != "signal":
        results = evaluate()
        training.results |= results
    training.run.reporter.event(
        "finished",
        reason=training.stop or "done",
        epochs=training.position.epoch,
        steps=training.step,
        seconds=training.seconds,
        examples_per_s=training.examples / seconds,
        input_wait=training.waited / seconds,
        metrics=training.results,
    )
    if results:
        training.run.reporter.say(in_words(results))
    waited = ""
    if not math.isnan(training.waited):
        waited = f", {training.waited / seconds:.0%} of the time waiting for input"
    training.run.reporter.say(
        f"{training.stop or 'done'}: {training.step} steps, "
        f"{training.examples / seconds:,.0f} examples/s{waited}"
    )


# Many steps in one call: the inner loop stays in the graph.


def in_graph(
    strategy: tf.distribute.Strategy,
    step: Callable[..., None],
    batches: Iterator[tuple[tf.Tensor, ...]],
    clock: Callable[[], tf.Tensor],
) -> Callable[[tf.Tensor], tf.Tensor]:
    """A function that takes `count` (int32[]) batches and does a step with each.

    It returns the seconds (float64[]) that it waited for input, by the clock. Its
    signature is fixed, so that it is traced exactly once (`check_traces`).
    """

    @tf.function(input_signature=[tf.TensorSpec([], tf.int32)])
    def take_steps(count: tf.Tensor) -> tf.Tensor:
        waited = tf.constant(0.0, tf.float64)
        for _ in tf.range(count):
            before = clock()
            with tf.control_dependencies([before]):
                batch = next(batches)
            with tf.control_dependencies(tf.nest.flatten(batch, True)):
                waited += clock() - before
            strategy.run(step, batch)
        return waited

    return take_steps


def check_traces(function: Callable[[tf.Tensor], tf.Tensor]) -> None:
    """Raises RuntimeError if the function was traced more than once."""
    traces = function.experimental_get_tracing_count()
    if traces > 1:
        raise RuntimeError(f"the step was traced {traces} times instead of once")


# Tables in text files, a row an example: read once, kept by columns in memory.

LARGEST_FIELD = 2**31 - 1


@dataclasses.dataclass(frozen=True)
class Column:
    """One column of a table, as a component of the examples.

    dtype: `int64`, `float32` or `string`; key: its name in the file; values: the texts
    of each class, for a label, which is then given as the class's number; default: what
    stands for a missing field, None if none may be missing.
    """

    dtype: str
    key: str
    values: tuple[tuple[str, ...], ...] = ()
    default: str | float | None = None

    @functools.cached_property
    def classes(self) -> dict[str, int]:
        """The class of each text."""
        return {
            text: number for number, texts in enumerate(self.values) for text in texts
        }

    def of_text(self, text: str, *, is_missing: bool) -> str | float:
        """The value of a field. Raises ValueError that says why it has none."""
        if is_missing:
            if self.default is None:
                said = f"{text!r} stands for none" if text else "the field is empty"
                raise ValueError(f"{said}, and the column has no default")
            return self.default
        if self.values:
            if text not in self.classes:
                raise ValueError(f"{text!r} is none of its values")
            return self.classes[text]
        if self.dtype == "string":
            return text
        return whole_number(text) if self.dtype == "int64" else finite_number(text)


def whole_number(text: str) -> int:
    """The number of a text. Raises ValueError if it is none that fits 64 bits."""
    try:
        number = int(text)
    except ValueError:
        raise ValueError(f"{text!r} is no whole number") from None
    if not -(2**63) <= number < 2**63:
        raise ValueError(f"{text!r} does not fit 64 bits")
    return number


def finite_number(text: str) -> float:
    """The number of a text. Raises ValueError if it is none, or not finite."""
    try:
        number = float(text)
    except ValueError:
        raise ValueError(f"{text!r} is no number") from None
    if not math.isfinite(number):
        raise ValueError(f"{text!r} is no finite number")
    return number


@dataclasses.dataclass(frozen=True)
class Table:
    """Rows with a value for each column, read in any order.

    arrays: one a column, [count]; files, lines: of each row, lines counted from one;
    place: the line of the spec.
    """

    columns: dict[str, Column]
    arrays: dict[str, np.ndarray]
    files: np.ndarray
    lines: np.ndarray
    place: str

    @property
    def count(self) -> int:
        """The number of examples."""
        return len(self.lines)

    def select(self, member: np.ndarray) -> Table:
        """Only the examples marked in `member`: bool[count]."""
        arrays = {name: array[member] for name, array in self.arrays.items()}
        return dataclasses.replace(
            self, arrays=arrays, files=self.files[member], lines=self.lines[member]
        )

    @functools.cached_property
    def tensors(self) -> tuple[tf.Tensor, ...]:
        """All columns; outside of any graph, which would hold a copy."""
        with tf.init_scope():
            return tuple(tf.constant(array) for array in self.arrays.values())

    def read(self, index: tf.Tensor) -> tuple[tf.Tensor, ...]:
        """The columns of an example, or of a batch of them."""
        return tuple(tf.gather(column, index) for column in self.tensors)

    def keys(self) -> tf.data.Dataset:
        """(index,) of each example, once."""
        return tf.data.Dataset.from_tensor_slices((np.arange(self.count),))

    def file_of(self, index: int) -> str:
        """Where the example comes from: file and line."""
        return f"{self.files[index]}, line {self.lines[index]}"

    def damaged_file(self) -> tuple[str, str] | None:
        """None: whatever is wrong was found when the files were read."""
        return None


def csv_table(
    folder: pathlib.Path,
    pattern: str,
    place: str,
    *,
    names: Sequence[str] | None = None,
    header: bool = False,
    missing: Sequence[str] = (),
    delimiter: str = ",",
    columns: dict[str, Column] | None = None,
    like: Table | None = None,
) -> Table:
    """The rows of the files that match a pattern, in the order of their names.

    names: of the fields, None if the first row has them; header: whether there is such
    a row; missing: what stands for a missing field, besides nothing; columns: those
    that are used, or those of `like`. Blanks around a field do not count. Raises
    InputError that names the file and the line of what is not as it should be.
    """
    found = glob.glob(pattern, root_dir=folder, recursive=True)
    files = sorted(str(folder / name) for name in found if (folder / name).is_file())
    if not files:
        raise InputError(f"no file matches {str(folder / pattern)!r}", place)
    used = like.columns if columns is None and like is not None else columns or {}
    absent = frozenset(("", *missing))
    rows: list[list[str | float]] = []
    places: list[tuple[str, int]] = []
    for file in files:
        fields: Sequence[str] | None = names
        at: list[int] | None = None
        awaited = header
        for line, texts in rows_of(file, place, delimiter):
            if awaited:
                awaited, fields = False, names or texts
                continue
            if at is None:
                at = positions(fields or (), used, (file, line, place))
            if len(texts) != len(fields or ()):
                said = f"has {len(texts)} fields instead of {len(fields or ())}"
                raise wrong_row(file, line, place, said)
            taken = [texts[position] for position in at]
            rows.append(values_of(taken, used, absent, (file, line, place)))
            places.append((file, line))
    if not rows:
        raise InputError(f"there is no row in {', '.join(files)}", place, files[0])
    arrays = {
        name: as_column([row[number] for row in rows], column.dtype)
        for number, (name, column) in enumerate(used.items())
    }
    of_files = np.array([file for file, _ in places], object)
    lines = np.array([line for _, line in places], np.int64)
    return Table(used, arrays, of_files, lines, place)


def as_column(values: list[str | float], dtype: str) -> np.ndarray:
    """A column's values as one array."""
    return np.array(values, object if dtype == "string" else np.dtype(dtype))


def positions(
    fields: Sequence[str], columns: dict[str, Column], where: tuple[str, int, str]
) -> list[int]:
    """Where each column stands in a row. Raises InputError if it is not there."""
    file, line, place = where
    for column in columns.values():
        if column.key not in fields:
            listed = ", ".join(fields)
            said = f"stands below a header without {column.key!r}: {listed}"
            raise wrong_row(file, line, place, said)
    return [list(fields).index(column.key) for column in columns.values()]


def rows_of(file: str, place: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """(line, fields without blanks around them) of each row; empty lines are none."""
    csv.field_size_limit(LARGEST_FIELD)
    reader = None
    try:
        with open(file, encoding="utf-8-sig", newline="") as stream:
            reader = csv.reader(
                stream, delimiter=delimiter, skipinitialspace=True, strict=True
            )
            for texts in reader:
                stripped = [text.strip() for text in texts]
                if not any(stripped) and len(stripped) < 2:
                    continue
                yield reader.line_num, stripped
    except UnicodeDecodeError as error:
        line = 1 if reader is None else reader.line_num + 1
        raise wrong_row(file, line, place, "is not text in UTF-8") from error
    except csv.Error as error:
        line = 1 if reader is None else reader.line_num
        raise wrong_row(file, line, place, f"can't be read: {error}") from error
    except OSError as error:
        raise InputError(f"{file} can't be read: {error}", place, file) from error


def values_of(
    texts: list[str],
    columns: dict[str, Column],
    absent: frozenset[str],
    where: tuple[str, int, str],
) -> list[str | float]:
    """The values of a row. Raises InputError that names the row and the column."""
    values = []
    for text, (name, column) in zip(texts, columns.items(), strict=True):
        try:
            values.append(column.of_text(text, is_missing=text in absent))
        except ValueError as error:
            file, line, place = where
            said = f"has no value for `{name}`: {error}"
            raise wrong_row(file, line, place, said) from error
    return values


def wrong_row(file: str, line: int, place: str, what: str) -> InputError:
    """A row that is not as it should be."""
    return InputError(f"{file}, line {line} {what}", place, file)


# The training loop as the host sees it: some steps in the graph, then a look.


def train(
    training: Training,
    take_steps: Callable[[tf.Tensor], tf.Tensor],
    evaluate: Callable[[], dict[str, float]] | None,
    monitors: Sequence[Monitor],
) -> None:
    """Trains to the last epoch, until a monitor or a signal stops it."""
    pace = Pace()
    run = training.run
    run.interrupt.patient = True
    while training.position.epoch < training.epochs and training.stop is None:
        while (
            training.position.step < training.steps_per_epoch and training.stop is None
        ):
            look(training, take_steps, monitors, pace)
            if run.interrupt.signal is not None:
                training.stop = "signal"
        complete = training.position.step == training.steps_per_epoch
        if complete and training.stop != "signal":
            close_epoch(training, evaluate, monitors)
    # The last one first: what is saved last must be saved before anything is undone.
    for monitor in reversed(monitors):
        monitor.at_end(training)


def look(
    training: Training,
    take_steps: Callable[[tf.Tensor], tf.Tensor],
    monitors: Sequence[Monitor],
    pace: Pace,
) -> None:
    """Some steps in the graph, then what the host has to say about them."""
    dues = [monitor.steps_until_due(training) for monitor in monitors]
    remaining = training.steps_per_epoch - training.position.step
    steps = min([pace.steps, remaining, *(due for due in dues if due is not None)])
    started = time.perf_counter()
    waited = float(take_steps(tf.constant(steps)))
    seconds = time.perf_counter() - started
    pace.took(steps, seconds)
    training.advance(steps)
    training.seconds += seconds
    training.waited += waited
    training.results |= {
        f"train.{name}": float(metric.result())
        for name, metric in training.metrics.items()
    }
    warn_of_divergence(training)
    training.run.reporter.event(
        "progress",
        epoch=training.position.epoch + 1,
        epochs=training.epochs,
        step=training.position.step,
        steps_per_epoch=training.steps_per_epoch,
        batch=training.batch,
        examples=training.examples,
        examples_per_s=steps * training.batch / seconds,
        metrics=training.results,
        learning_rate=float(tf.convert_to_tensor(training.optimizer.learning_rate)),
        input_wait=waited / seconds,
    )
    for monitor in monitors:
        monitor.after_steps(training)


def close_epoch(
    training: Training,
    evaluate: Callable[[], dict[str, float]] | None,
    monitors: Sequence[Monitor],
) -> None:
    """Evaluates, tells the result, and moves on to the next epoch."""
    if evaluate is not None:
        training.results |= evaluate()
    if training.run.interrupt.signal is not None:
        training.stop = "signal"  # a resumed run evaluates anew
        return
    epoch = training.position.epoch + 1
    training.run.reporter.event(
        "epoch", epoch=epoch, epochs=training.epochs, metrics=training.results
    )
    training.run.reporter.say(
        f"epoch {epoch}/{training.epochs}  {in_words(training.results)}"
    )
    training.position = Position(epoch, 0)
    for metric in training.metrics.values():
        metric.reset_state()
    for monitor in monitors:
        monitor.after_epoch(training)


def warn_of_divergence(training: Training) -> None:
    """Says once that the loss is no number any more."""
    loss = training.results["train.loss"]
    if math.isfinite(loss) or training.diverged:
        return
    training.diverged = True
    training.run.reporter.warn(
        "loss-not-finite",
        f"the loss is {loss} by step {training.step}: from here on nothing is learnt; "
        "lower the learning rate, or look for values that are no numbers in the data",
        step=training.step,
    )


# Maps over datasets.


def map_in_parallel(
    dataset: tf.data.Dataset, function: Callable[..., object]
) -> tf.data.Dataset:
    """Maps on all cores, in order (keeping the order costs nothing: 0.99 of without)."""
    return dataset.map(
        function, num_parallel_calls=tf.data.AUTOTUNE, deterministic=True
    )


# How much of a GPU's memory the program takes: set before TensorFlow touches it.


def memory_growth(reporter: Reporter, *, asked: bool) -> None:
    """Takes memory as it is needed, so that others find room beside this program.

    asked: whether the spec says so; then it is also said that there is no GPU.
    """
    gpus = tf.config.list_physical_devices("GPU")
    for gpu in gpus:
        tf.config.experimental.set_memory_growth(gpu, True)
    if gpus:
        why = "the spec says so" if asked else "the default"
        reporter.decided("memory", "grows as it is needed", why)
    elif asked:
        no_gpu_memory(reporter)


def no_gpu_memory(reporter: Reporter) -> None:
    """Says that what the spec asks for has nothing to act on."""
    why = "TensorFlow sees no GPU, and the setting is for GPUs only"
    reporter.decided("memory", "nothing to set", why)


# Which example comes when: the order of an epoch as a function of (seed, epoch).

SHUFFLE_STREAM = 0


def permuted(count: int, seed: int) -> Callable[[tf.Tensor], tf.Tensor]:
    """A permutation of everything, a new one in each epoch: epoch -> int64[count]."""

    def order(epoch: tf.Tensor) -> tf.Tensor:
        indices = tf.range(count, dtype=tf.int64)
        bits = draw(seed, SHUFFLE_STREAM, epoch, indices)
        return tf.argsort(tf.cast(bits, tf.int64), stable=True)

    return order


def keys_by_epoch(
    order: Callable[[tf.Tensor], tf.Tensor],
    batch: int,
    epochs: int,
    start: Position,
    *,
    batched: bool,
) -> tf.data.Dataset:
    """The keys (epoch, index) of every training example from `start` to the end.

    One dataset for all epochs, so that nothing restarts between them. An epoch gives
    whole batches only; its incomplete last one is left out (the order changes from
    epoch to epoch, so it is not always the same examples).
    batched: int64[] and int64[batch] an element, else int64[] and int64[].
    """

    def of_epoch(epoch: tf.Tensor) -> tf.data.Dataset:
        indices = tf.cast(order(epoch), tf.int64)
        indices = tf.reshape(indices[: tf.size(indices) // batch * batch], [-1, batch])
        indices = indices[tf.where(epoch == start.epoch, start.step, 0) :]
        if not batched:
            indices = tf.reshape(indices, [-1])
        return tf.data.Dataset.from_tensor_slices(indices).map(lambda i: (epoch, i))

    return tf.data.Dataset.range(start.epoch, epochs).flat_map(of_epoch)


# Finds the file that could not be read, so that a failure can name it.

SECONDS_OF_SEARCH = 120.0
READ_ERRORS = (
    tf.errors.InvalidArgumentError,
    tf.errors.DataLossError,
    tf.errors.NotFoundError,
    tf.errors.OutOfRangeError,
    tf.errors.PermissionDeniedError,
    tf.errors.FailedPreconditionError,
)


@contextlib.contextmanager
def unreadable_named(
    source: Source,
    keys: Callable[[], tf.data.Dataset],
    read: Callable[..., object],
) -> Iterator[None]:
    """Turns an error of TensorFlow that input caused into one that names the file.

    keys: what is about to be read, (index, ...) or (epoch, index, ...), as `read`
    takes it. Raises InputError, or the error itself if no input is to blame.
    """
    try:
        yield
    except READ_ERRORS as error:
        found = first_unreadable(source, keys(), read)
        if found is None:
            raise
        file, reason = found
        message = f"{file} can't be read: {reason}"
        raise InputError(message, source.place, file) from error


def first_unreadable(
    source: Source, keys: tf.data.Dataset, read: Callable[..., object]
) -> tuple[str, str] | None:
    """The file of the first example that can't be read, and why, one at a time."""
    give_up = time.monotonic() + SECONDS_OF_SEARCH
    # The epoch comes before the index, what the source gives after it.
    specs = keys.element_spec
    index_at = 1 if len(specs) > 1 and specs[1].dtype == tf.int64 else 0
    try:
        for key in keys:
            try:
                read(*key)
            except READ_ERRORS as error:
                return source.file_of(int(key[index_at])), in_short(error)
            if time.monotonic() > give_up:
                return None
    except READ_ERRORS:
        return source.damaged_file()
    return None


def in_short(error: tf.errors.OpError) -> str:
    """What TensorFlow says, without the names of its operations."""
    text = error.message.split("{{")[-1].split("}}")[-1].split("[Op:")[0]
    # An assertion gives its words and values a line each, words as b'...'.
    said = text.partition("Summarized data:")[2]
    if said:
        words = [re.sub(r"^b'(.*)'$", r"\1", line.strip()) for line in said.split("\n")]
        text = " ".join(words)
    return " ".join(text.split()).strip(" :")


# Seeded samples over a whole source, for splits and limits.

SAMPLE_STREAM = 0x5A


def sample(count: int, size: int, seed: int) -> np.ndarray:
    """`size` examples out of `count`, drawn over the whole: bool[count].

    With one seed a larger sample contains the smaller one.
    """
    bits = draw(seed, SAMPLE_STREAM, tf.constant(0), tf.range(count)).numpy()
    member = np.zeros(count, bool)
    member[np.argsort(bits, kind="stable")[:size]] = True
    return member


def share(count: int, fraction: float) -> int:
    """How many examples a fraction of `count` is, rounded, at least one."""
    return max(1, round(count * fraction))


# Learning rates that change from step to step.


def check_warmup(warmup: int, steps: int) -> None:
    """Raises ValueError if the warm-up leaves no step of the training."""
    if warmup >= steps:
        raise ValueError(
            f"the learning rate rises for {warmup} steps, but the training has only "
            f"{steps}: shorten the warm-up, or train for longer"
        )


def cosine(
    peak: float, floor: float, warmup: int, steps: int
) -> keras.optimizers.schedules.LearningRateSchedule:
    """Rises in a line for `warmup` steps to `peak`, then falls along half a cosine.

    It reaches `floor` after `steps` steps in all. Raises ValueError if the warm-up
    leaves no step to fall in.
    """
    check_warmup(warmup, steps)
    return keras.optimizers.schedules.CosineDecay(
        initial_learning_rate=0.0 if warmup else peak,
        decay_steps=steps - warmup,
        alpha=floor / peak,
        warmup_target=peak if warmup else None,
        warmup_steps=warmup,
    )


# Checks before the first step that every variable belongs to the strategy.


def check_scope(
    strategy: tf.distribute.Strategy, *owners: Sequence[keras.Variable]
) -> None:
    """Raises RuntimeError and names the variables made outside `strategy.scope()`."""
    outside = [
        variable.path
        for variables in owners
        for variable in variables
        if not strategy.extended.variable_created_in_scope(variable.value)
    ]
    if outside:
        raise RuntimeError(
            f"made outside strategy.scope(): {', '.join(outside)}. They would live on "
            "one device only"
        )


# Data ---------------------------------------------------------------------------------


@functools.cache
def open_sources(root: pathlib.Path = SPEC_FOLDER) -> dict[str, Source]:
    """Finds the examples of each split below the folder that paths start at."""
    train = csv_table(
        root,
        "data/adult/adult-train.csv",
        "adult.tfp:13:11",
        names=[
            "age",
            "workclass",
            "fnlwgt",
            "education",
            "education_num",
            "marital_status",
            "occupation",
            "relationship",
            "race",
            "sex",
            "capital_gain",
            "capital_loss",
            "hours_per_week",
            "native_country",
            "income",
        ],
        missing=["?"],
        columns={
            "age": Column("float32", "age"),
            "workclass": Column("string", "workclass", default=""),
            "education": Column("string", "education", default=""),
            "education_num": Column("float32", "education_num"),
            "marital_status": Column("string", "marital_status", default=""),
            "occupation": Column("string", "occupation", default=""),
            "relationship": Column("string", "relationship", default=""),
            "race": Column("string", "race", default=""),
            "sex": Column("string", "sex", default=""),
            "capital_gain": Column("float32", "capital_gain"),
            "capital_loss": Column("float32", "capital_loss"),
            "hours_per_week": Column("float32", "hours_per_week"),
            "native_country": Column("string", "native_country", default=""),
            "income": Column(
                "int64", "income", values=(("<=50K", "<=50K."), (">50K", ">50K."))
            ),
        },
    )
    count = train.count
    held = sample(train.count, share(count, 0.1), 42)
    validation = train.select(held)
    train = train.select(~held)
    test = csv_table(
        root,
        "data/adult/adult-test.csv",
        "adult.tfp:14:10",
        names=[
            "age",
            "workclass",
            "fnlwgt",
            "education",
            "education_num",
            "marital_status",
            "occupation",
            "relationship",
            "race",
            "sex",
            "capital_gain",
            "capital_loss",
            "hours_per_week",
            "native_country",
            "income",
        ],
        missing=["?"],
        like=train,
    )
    return {"train": train, "validation": validation, "test": test}


def train_batch(
    source: Table, epoch: tf.Tensor, index: tf.Tensor
) -> tuple[tf.Tensor, ...]:
    """Reads and transforms a batch for training."""
    (
        age,
        workclass,
        education,
        education_num,
        marital_status,
        occupation,
        relationship,
        race,
        sex,
        capital_gain,
        capital_loss,
        hours_per_week,
        native_country,
        income,
    ) = source.read(index)
    return (
        age,
        workclass,
        education,
        education_num,
        marital_status,
        occupation,
        relationship,
        race,
        sex,
        capital_gain,
        capital_loss,
        hours_per_week,
        native_country,
        income,
    )


def eval_batch(source: Table, index: tf.Tensor) -> tuple[tf.Tensor, ...]:
    """Reads and transforms a batch for evaluation."""
    (
        age,
        workclass,
        education,
        education_num,
        marital_status,
        occupation,
        relationship,
        race,
        sex,
        capital_gain,
        capital_loss,
        hours_per_week,
        native_country,
        income,
    ) = source.read(index)
    return (
        age,
        workclass,
        education,
        education_num,
        marital_status,
        occupation,
        relationship,
        race,
        sex,
        capital_gain,
        capital_loss,
        hours_per_week,
        native_country,
        income,
    )


FEATURES = {
    "age": NormalizedColumn(),
    "education_num": NormalizedColumn(),
    "capital_gain": NormalizedColumn(),
    "capital_loss": NormalizedColumn(),
    "hours_per_week": NormalizedColumn(),
    "workclass": OneHotColumn(),
    "education": EmbeddedColumn(8),
    "marital_status": OneHotColumn(),
    "occupation": EmbeddedColumn(8),
    "relationship": OneHotColumn(),
    "race": OneHotColumn(),
    "sex": OneHotColumn(),
    "native_country": EmbeddedColumn(8),
}


def learnt_features(root: pathlib.Path = SPEC_FOLDER) -> Learnt:
    """What the encoders must know, learnt from the training split alone."""
    source = open_sources(root)["train"]
    keys = source.keys().batch(LEARNING_BATCH)
    batches = keys.map(source.read)
    return learn_features(
        FEATURES,
        [
            "age",
            "workclass",
            "education",
            "education_num",
            "marital_status",
            "occupation",
            "relationship",
            "race",
            "sex",
            "capital_gain",
            "capital_loss",
            "hours_per_week",
            "native_country",
            "income",
        ],
        batches,
    )


def encoded(
    rows: Rows,
    age: tf.Tensor,
    workclass: tf.Tensor,
    education: tf.Tensor,
    education_num: tf.Tensor,
    marital_status: tf.Tensor,
    occupation: tf.Tensor,
    relationship: tf.Tensor,
    race: tf.Tensor,
    sex: tf.Tensor,
    capital_gain: tf.Tensor,
    capital_loss: tf.Tensor,
    hours_per_week: tf.Tensor,
    native_country: tf.Tensor,
    income: tf.Tensor,
) -> tuple[tf.Tensor, ...]:
    """A row of numbers for each example of a batch, and the label."""
    return (
        rows(
            age,
            education_num,
            capital_gain,
            capital_loss,
            hours_per_week,
            workclass,
            education,
            marital_status,
            occupation,
            relationship,
            race,
            sex,
            native_country,
        ),
        income,
    )


def train_keys(source: Source, start: Position) -> tf.data.Dataset:
    """Which example comes when, over all epochs from `start` on."""
    order = permuted(source.count, SEED)
    return keys_by_epoch(order, BATCH, EPOCHS, start, batched=True)


def train_dataset(
    root: pathlib.Path = SPEC_FOLDER,
    start: Position = Position(),
    reporter: Reporter | None = None,
    learnt: Learnt | None = None,
) -> tf.data.Dataset:
    """Batches for training, over all epochs from `start` on."""
    source = open_sources(root)["train"]
    dataset = train_keys(source, start)
    dataset = map_in_parallel(dataset, functools.partial(train_batch, source))
    rows = Rows(FEATURES, learnt or learnt_features(root))
    dataset = map_in_parallel(dataset, functools.partial(encoded, rows))
    return dataset.prefetch(tf.data.AUTOTUNE)


def evaluation_dataset(
    split: str,
    root: pathlib.Path = SPEC_FOLDER,
    reporter: Reporter | None = None,
    learnt: Learnt | None = None,
) -> tf.data.Dataset:
    """Batches of a split with their weights; begins anew after the last one."""
    source = open_sources(root)[split]
    dataset = tf.data.Dataset.range(source.count)
    dataset = dataset.batch(EVALUATION_BATCH)
    dataset = map_in_parallel(dataset, functools.partial(eval_batch, source))
    rows = Rows(FEATURES, learnt or learnt_features(root))
    dataset = map_in_parallel(dataset, functools.partial(encoded, rows))
    dataset = map_in_parallel(dataset, padded(EVALUATION_BATCH))
    dataset = dataset.repeat()
    return dataset.prefetch(tf.data.AUTOTUNE)


# Model --------------------------------------------------------------------------------


def build_model(clock: tf.Variable, learnt: Learnt) -> keras.Model:
    """Layer by layer, as in the spec."""
    inputs = keras.Input((13,), name="columns")
    x = FeatureColumns(FEATURES, learnt, name="features")(inputs)
    x = keras.layers.Dense(128, activation="relu", name="dense")(x)
    x = CounterDropout(0.3, SEED, 1001, clock, BATCH, name="dropout")(x)
    x = keras.layers.Dense(128, activation="relu", name="dense_2")(x)
    x = CounterDropout(0.3, SEED, 1003, clock, BATCH, name="dropout_2")(x)
    x = keras.layers.Dense(1, name="dense_3")(x)
    return keras.Model(inputs, x, name="classifier")


# Step ---------------------------------------------------------------------------------


def losses_of(income: tf.Tensor, scores: tf.Tensor) -> tf.Tensor:
    """The loss of each example."""
    return keras.losses.binary_crossentropy(
        tf.reshape(income, [-1, 1]), scores, from_logits=True
    )


def build_metrics() -> dict[str, keras.metrics.Metric]:
    """What is measured on every split."""
    return {
        "loss": keras.metrics.Mean(name="loss"),
        "accuracy": keras.metrics.BinaryAccuracy(name="accuracy", threshold=0.0),
        "auc": keras.metrics.AUC(name="auc"),
    }


def build_optimizer(steps_per_epoch: int) -> keras.Optimizer:
    """As in the spec."""
    return keras.optimizers.Adam(
        cosine(0.002, 0.0, steps_per_epoch, EPOCHS * steps_per_epoch)
    )


# Run ----------------------------------------------------------------------------------


def train_model(run: Run, resume: bool) -> None:
    """Builds everything, trains, and says what came out."""
    keras.utils.set_random_seed(SEED)
    memory_growth(run.reporter, asked=False)
    strategy = one_device(run.reporter)
    source = open_sources(run.root)["train"]
    steps_per_epoch = steps_in(source, BATCH)
    learnt = learnt_in(
        run.folder, run.reporter, functools.partial(learnt_features, run.root)
    )
    with strategy.scope():
        optimizer = build_optimizer(steps_per_epoch)
        model = build_model(optimizer.iterations.value, learnt)
        optimizer.build(model.trainable_variables)
        train_metrics = build_metrics()
        evaluation_metrics = build_metrics()
    check_scope(strategy, model.variables, optimizer.variables)
    training = Training(
        run, EPOCHS, steps_per_epoch, BATCH, model, optimizer, Position(), train_metrics
    )
    best = Best(run, "validation.auc", "max")
    checkpoint = Checkpoint(run, [best], keep=2, epochs=1)
    if resume:
        checkpoint.restore_latest(training)

    def train_step(columns_: tf.Tensor, income: tf.Tensor) -> None:
        """One batch: forward, backward, update."""
        with tf.GradientTape() as tape:
            scores = model(columns_, training=True)
            losses = losses_of(income, scores)
            loss = tf.reduce_sum(losses) / BATCH
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply(gradients, model.trainable_variables)
        train_metrics["loss"].update_state(losses)
        train_metrics["accuracy"].update_state(income, scores)
        train_metrics["auc"].update_state(
            tf.reshape(income, [-1, 1]), tf.sigmoid(scores)
        )

    def evaluation_step(
        columns_: tf.Tensor, income: tf.Tensor, weight: tf.Tensor
    ) -> None:
        """One batch: forward only; fillers weigh nothing."""
        scores = model(columns_, training=False)
        losses = losses_of(income, scores)
        evaluation_metrics["loss"].update_state(losses, weight)
        evaluation_metrics["accuracy"].update_state(income, scores, weight)
        evaluation_metrics["auc"].update_state(
            tf.reshape(income, [-1, 1]), tf.sigmoid(scores), weight
        )

    take_steps = in_graph(
        strategy,
        train_step,
        iter(train_dataset(run.root, training.position, run.reporter, learnt)),
        tf.timestamp,
    )
    validation_steps = in_graph(
        strategy,
        evaluation_step,
        iter(evaluation_dataset("validation", run.root, run.reporter, learnt)),
        tf.timestamp,
    )
    evaluate_validation = evaluation(
        training,
        "validation",
        open_sources(run.root)["validation"],
        EVALUATION_BATCH,
        validation_steps,
        evaluation_metrics,
    )
    test_steps = in_graph(
        strategy,
        evaluation_step,
        iter(evaluation_dataset("test", run.root, run.reporter, learnt)),
        tf.timestamp,
    )
    evaluate_test = evaluation(
        training,
        "test",
        open_sources(run.root)["test"],
        EVALUATION_BATCH,
        test_steps,
        evaluation_metrics,
    )
    with unreadable_named(
        source,
        functools.partial(train_keys, source, training.position),
        functools.partial(train_batch, source),
    ):
        train(training, take_steps, evaluate_validation, [best, checkpoint])
    check_traces(take_steps)
    finish(training, evaluate_test)


def main() -> None:
    """Reads the flags and runs."""
    flags = program_flags(__doc__, SPEC_FOLDER)
    add_resume_flag(flags)
    options = flags.parse_args()
    folder = options.run_dir
    if folder is None:
        resumed = options.resume and latest_run_folder(NAME)
        folder = resumed or new_run_folder(NAME)
    run = open_run(options.root, folder, SPEC_DIGEST)
    with failures_told(run):
        train_model(run, options.resume)
    end(run)


if __name__ == "__main__":
    main()
