"""Trains a model as its spec says, without needing tfpc.

Written by tfpc; change the spec, not this file. It decides on the machine
only what depends on the machine, and says so when it starts.
"""

from __future__ import annotations

import argparse
import contextlib
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
import signal
import struct
import sys
import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

os.environ["KERAS_BACKEND"] = "tensorflow"
# TensorFlow's own remarks on start; 0 shows all of them.
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import keras
import numpy as np
import tensorflow as tf

# Settings -----------------------------------------------------------------------------

NAME = "taxi"
SPEC_DIGEST = "d14b7d2401fee823681579178946b2025bbd3b9a2b51cf517380d44eca18ff33"
# Where the spec was, seen from this file: its paths start there.
SPEC_FOLDER = pathlib.Path(__file__).resolve().parent
SEED = 42
EPOCHS = 5
BATCH = 64
EVALUATION_BATCH = 64


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


def without_index(
    parse: Callable[[tf.Tensor], tuple[tf.Tensor, ...]],
) -> Callable[[tf.Tensor, tf.Tensor], tuple[tf.Tensor, ...]]:
    """From what records are read by, (index, record), to their components."""
    return lambda index, record: parse(record)


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


# Steps on images, each for one image [h, w, c] and for a batch [b, h, w, c] alike.


def windows(
    images: tf.Tensor, top: tf.Tensor, left: tf.Tensor, height: int, width: int
) -> tf.Tensor:
    """A window of each image of a batch, each at its own place: one gather of pixels."""
    size = tf.shape(images, tf.int64)
    top, left = tf.cast(top, tf.int64), tf.cast(left, tf.int64)
    rows = tf.range(size[0])[:, tf.newaxis] * size[1] + top[:, tf.newaxis]
    rows = rows + tf.range(height, dtype=tf.int64)
    first = rows * size[2] + left[:, tf.newaxis]
    places = first[:, :, tf.newaxis] + tf.range(width, dtype=tf.int64)
    cut = tf.gather(tf.reshape(images, tf.stack([-1, size[3]])), places)
    batch, *_, channels = images.shape
    return tf.ensure_shape(cut, [batch, height, width, channels])


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


def delayed_places(
    places: tf.Tensor, seed: int, epoch: tf.Tensor, buffer: int
) -> tf.Tensor:
    """Each place plus a delay drawn from 0 .. buffer, in units of 2**-32 places.

    places: int64[n]; returns int64[n], the key that a local shuffle sorts by.
    """
    bits = tf.cast(draw(seed, SHUFFLE_STREAM, epoch, places), tf.int64)
    whole = tf.bitwise.left_shift(places, tf.constant(32, tf.int64))
    return whole + bits * tf.constant(buffer, tf.int64)


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


# TFRecord files: counted once, read one after the other, many files at a time.

FILES_AT_A_TIME = 8
BYTES_AT_A_TIME = 1 << 20  # of a compressed file
ZLIB_FORMATS = {"GZIP": 31, "ZLIB": 15}  # zlib's `wbits` for them


@dataclasses.dataclass(frozen=True)
class Records:
    """TFRecord files as one numbered list of records.

    firsts: the number of the first record of each file; ranks: for each record its
    index among those that were chosen, or -1; place: the line of the spec;
    compressions: of each file, as TensorFlow names it, "" for none.
    """

    files: list[str]
    firsts: np.ndarray
    ranks: np.ndarray
    place: str
    compressions: list[str]

    @property
    def count(self) -> int:
        """The number of examples."""
        return int(self.ranks.max(initial=-1)) + 1

    def select(self, member: np.ndarray) -> Records:
        """Only the examples marked in `member`: bool[count]."""
        chosen = (self.ranks >= 0) & member[self.ranks]
        ranks = np.where(chosen, np.cumsum(chosen) - 1, -1)
        return dataclasses.replace(self, ranks=ranks)

    def examples(self, files: tf.Tensor | None = None) -> tf.data.Dataset:
        """(index, record) of each example, once; `files` gives the order of files."""
        numbers = tf.range(len(self.files)) if files is None else files
        paths, compressions = tf.constant(self.files), tf.constant(self.compressions)
        firsts = tf.constant(self.firsts, tf.int64)
        ranks = tf.constant(self.ranks, tf.int64)

        def read(number: tf.Tensor) -> tf.data.Dataset:
            dataset = tf.data.TFRecordDataset(paths[number], compressions[number])
            return dataset.enumerate(firsts[number])

        stream = tf.data.Dataset.from_tensor_slices(numbers).interleave(
            read,
            cycle_length=FILES_AT_A_TIME,
            num_parallel_calls=tf.data.AUTOTUNE,
            deterministic=True,
        )
        stream = stream.map(lambda number, record: (ranks[number], record))
        if (self.ranks < 0).any():
            stream = stream.filter(lambda index, record: index >= 0)
        return stream

    def keys(self) -> tf.data.Dataset:
        """(index, record) of each example, once: records are read in their order."""
        return self.examples()

    def file_of(self, index: int) -> str:
        """Where the example comes from: file and record, counted from zero."""
        number = int(np.flatnonzero(self.ranks == index)[0])
        file = int(np.searchsorted(self.firsts, number, "right")) - 1
        return f"{self.files[file]}, record {number - int(self.firsts[file])}"

    def damaged_file(self) -> tuple[str, str] | None:
        """The first file with a wrong checksum, and which record of it that is."""
        for file, compression in zip(self.files, self.compressions, strict=True):
            done = 0
            try:
                for _ in tf.data.TFRecordDataset(file, compression):
                    done += 1
            except tf.errors.OpError as error:
                return f"{file}, record {done}", error.message.split(" [Op:")[0]
        return None


def tfrecord(folder: pathlib.Path, pattern: str, place: str) -> Records:
    """The records of the files that match a pattern, in the order of their names.

    Raises InputError if no file matches, or one is damaged.
    """
    found = glob.glob(pattern, root_dir=folder, recursive=True)
    files = sorted(str(folder / name) for name in found if (folder / name).is_file())
    if not files:
        raise InputError(f"no file matches {str(folder / pattern)!r}", place)
    compressions = [compression_of(file) for file in files]
    counts = [
        count_compressed(file, compression, place)
        if compression
        else count_records(file, place)
        for file, compression in zip(files, compressions, strict=True)
    ]
    firsts = np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.int64)
    return Records(files, firsts, np.arange(sum(counts)), place, compressions)


def compression_of(file: str) -> str:
    """How a file is compressed, by its first bytes; `""` for plain records."""
    with open(file, "rb") as stream:
        first = stream.read(2048)
    for name, begins in (
        ("GZIP", first[:3] == b"\x1f\x8b\x08"),
        ("ZLIB", len(first) > 1 and (first[0] * 256 + first[1]) % 31 == 0),
    ):
        try:
            if begins and zlib.decompressobj(ZLIB_FORMATS[name]).decompress(first, 12):
                return name
        except zlib.error:
            continue
    return ""


def count_compressed(file: str, compression: str, place: str) -> int:
    """Counts the records of a compressed file by reading all of it.

    Python's zlib reads it, since TensorFlow takes a compressed file that is cut
    between two records for a whole one. The format is that of `count_records`.
    """
    count, buffer = 0, bytearray()
    try:
        for chunk in decompressed(file, compression):
            buffer += chunk
            start = 0
            while len(buffer) - start >= 12:
                size = struct.unpack_from("<Q", buffer, start)[0] + 16
                if len(buffer) - start < size:
                    break
                start += size
                count += 1
            del buffer[:start]
        whole = not buffer
    except (EOFError, zlib.error):
        whole = False
    if not whole:
        raise InputError(
            f"{file!r} is cut, or holds no TFRecords ({compression}, after record "
            f"{count})",
            place,
            file,
        )
    return count


def decompressed(file: str, compression: str) -> Iterator[bytes]:
    """What a compressed file holds, piece by piece; members of GZIP one after another.

    Raises EOFError where the file is cut, zlib.error where it is damaged.
    """
    bits = ZLIB_FORMATS[compression]
    stream = zlib.decompressobj(bits)
    with open(file, "rb") as source:
        while chunk := source.read(BYTES_AT_A_TIME):
            while chunk:
                yield stream.decompress(chunk)
                chunk = stream.unused_data
                if chunk:
                    stream = zlib.decompressobj(bits)
    if not stream.eof:
        raise EOFError(file)


def count_records(file: str, place: str) -> int:
    """Counts the records of a file by their headers, without reading what they hold.

    The format: length (uint64), its checksum, the data, its checksum (uint32 each).
    """
    size = os.path.getsize(file)
    count = position = 0
    with open(file, "rb") as stream:
        while position < size:
            stream.seek(position)
            header = stream.read(12)
            if len(header) == 12:
                position += struct.unpack("<Q", header[:8])[0] + 16
            if len(header) < 12 or position > size:
                raise InputError(
                    f"{file!r} is cut or is no plain TFRecord file "
                    f"(record {count}, byte {stream.tell() - len(header)})",
                    place,
                    file,
                )
            count += 1
    return count


# The order of a stream that can't be read at random, as a function of (seed, epoch).


def shuffled_nearby(
    stream: tf.data.Dataset, seed: int, epoch: tf.Tensor, buffer: int
) -> tf.data.Dataset:
    """(index, record) in the order of `permuted_nearby`, with two buffers in memory.

    Not `Dataset.shuffle`: its order depends on what ran before, this one on
    (seed, epoch) only, so a resumed run meets the same one.
    """

    def release(
        held: tuple[tf.Tensor, ...], window: tuple[tf.Tensor, ...]
    ) -> tuple[tuple[tf.Tensor, ...], tuple[tf.Tensor, ...]]:
        number, (index, record) = window
        first = number * buffer
        places = first + tf.range(tf.size(index, tf.int64), dtype=tf.int64)
        keys = delayed_places(places, seed, epoch, buffer)
        keys = tf.concat([held[0], keys], 0)
        index = tf.concat([held[1], index], 0)
        record = tf.concat([held[2], record], 0)
        by_key = tf.argsort(keys, stable=True)
        due = tf.bitwise.left_shift(first + buffer, tf.constant(32, tf.int64))
        ready = tf.reduce_sum(tf.cast(keys < due, tf.int32))
        now, later = by_key[:ready], by_key[ready:]
        keys, rest = (
            tf.gather(keys, later),
            (tf.gather(index, later), tf.gather(record, later)),
        )
        return (keys, *rest), (tf.gather(index, now), tf.gather(record, now))

    nothing = (tf.zeros([0], tf.int64), tf.zeros([0], tf.string))
    flush = tf.data.Dataset.from_tensors(nothing)
    windows = stream.batch(buffer).concatenate(flush).enumerate()
    held = (tf.zeros([0], tf.int64), *nothing)
    return windows.scan(held, release).prefetch(1).unbatch()


def records_by_epoch(
    records: Records,
    seed: int,
    batch: int,
    epochs: int,
    start: Position,
    buffer: int | None,
) -> tf.data.Dataset:
    """(epoch, index, record) of every training example from `start` to the end.

    With a `buffer` the files come in a new order in each epoch, and their records are
    shuffled nearby. An epoch gives whole batches only, as in `keys_by_epoch`.
    """
    whole = records.count // batch * batch

    def of_epoch(epoch: tf.Tensor) -> tf.data.Dataset:
        if buffer is None:
            stream = records.examples()
        else:
            files = permuted(len(records.files), seed + 1)(epoch)
            stream = shuffled_nearby(records.examples(files), seed, epoch, buffer)
        done = tf.where(epoch == start.epoch, start.step * batch, 0)
        stream = stream.take(whole).skip(tf.cast(done, tf.int64))
        return stream.map(lambda index, record: (epoch, index, record))

    return tf.data.Dataset.range(start.epoch, epochs).flat_map(of_epoch)


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
    train = tfrecord(root, "data/taxi/train/*.gz", "taxi.tfp:8:11")
    validation = tfrecord(root, "data/taxi/eval/*.gz", "taxi.tfp:9:16")
    return {"train": train, "validation": validation}


def parse(record: tf.Tensor) -> tuple[tf.Tensor, ...]:
    """The components of a record."""
    example = tf.io.parse_single_example(
        record,
        {
            "trip_miles": tf.io.FixedLenFeature([], tf.float32, 0.0),
            "trip_seconds": tf.io.FixedLenFeature([], tf.int64, 0),
            "trip_start_hour": tf.io.FixedLenFeature([], tf.int64),
            "trip_start_day": tf.io.FixedLenFeature([], tf.int64),
            "trip_start_month": tf.io.FixedLenFeature([], tf.int64),
            "pickup_community_area": tf.io.FixedLenFeature([], tf.int64, 0),
            "dropoff_community_area": tf.io.FixedLenFeature([], tf.int64, 0),
            "payment_type": tf.io.FixedLenFeature([], tf.string),
            "company": tf.io.FixedLenFeature([], tf.string, ""),
            "fare": tf.io.FixedLenFeature([], tf.float32, 0.0),
        },
    )
    return (
        example["trip_miles"],
        example["trip_seconds"],
        example["trip_start_hour"],
        example["trip_start_day"],
        example["trip_start_month"],
        example["pickup_community_area"],
        example["dropoff_community_area"],
        example["payment_type"],
        example["company"],
        example["fare"],
    )


def train_example(
    epoch: tf.Tensor, index: tf.Tensor, record: tf.Tensor
) -> tuple[tf.Tensor, ...]:
    """Reads and transforms an example for training."""
    (
        trip_miles,
        trip_seconds,
        trip_start_hour,
        trip_start_day,
        trip_start_month,
        pickup_community_area,
        dropoff_community_area,
        payment_type,
        company,
        fare,
    ) = parse(record)
    return (
        trip_miles,
        trip_seconds,
        trip_start_hour,
        trip_start_day,
        trip_start_month,
        pickup_community_area,
        dropoff_community_area,
        payment_type,
        company,
        fare,
    )


def eval_example(index: tf.Tensor, record: tf.Tensor) -> tuple[tf.Tensor, ...]:
    """Reads and transforms an example for evaluation."""
    (
        trip_miles,
        trip_seconds,
        trip_start_hour,
        trip_start_day,
        trip_start_month,
        pickup_community_area,
        dropoff_community_area,
        payment_type,
        company,
        fare,
    ) = parse(record)
    return (
        trip_miles,
        trip_seconds,
        trip_start_hour,
        trip_start_day,
        trip_start_month,
        pickup_community_area,
        dropoff_community_area,
        payment_type,
        company,
        fare,
    )


FEATURES = {
    "trip_miles": NormalizedColumn(),
    "trip_seconds": NormalizedColumn(),
    "trip_start_hour": OneHotColumn(),
    "trip_start_day": OneHotColumn(),
    "trip_start_month": OneHotColumn(),
    "pickup_community_area": EmbeddedColumn(8),
    "dropoff_community_area": EmbeddedColumn(8),
    "payment_type": OneHotColumn(),
    "company": EmbeddedColumn(4),
}


def learnt_features(root: pathlib.Path = SPEC_FOLDER) -> Learnt:
    """What the encoders must know, learnt from the training split alone."""
    source = open_sources(root)["train"]
    read = without_index(parse)
    examples = source.keys().map(read)
    batches = examples.batch(LEARNING_BATCH)
    with unreadable_named(source, source.keys, read):
        return learn_features(
            FEATURES,
            [
                "trip_miles",
                "trip_seconds",
                "trip_start_hour",
                "trip_start_day",
                "trip_start_month",
                "pickup_community_area",
                "dropoff_community_area",
                "payment_type",
                "company",
                "fare",
            ],
            batches,
        )


def encoded(
    rows: Rows,
    trip_miles: tf.Tensor,
    trip_seconds: tf.Tensor,
    trip_start_hour: tf.Tensor,
    trip_start_day: tf.Tensor,
    trip_start_month: tf.Tensor,
    pickup_community_area: tf.Tensor,
    dropoff_community_area: tf.Tensor,
    payment_type: tf.Tensor,
    company: tf.Tensor,
    fare: tf.Tensor,
) -> tuple[tf.Tensor, ...]:
    """A row of numbers for each example of a batch, and the label."""
    return (
        rows(
            trip_miles,
            trip_seconds,
            trip_start_hour,
            trip_start_day,
            trip_start_month,
            pickup_community_area,
            dropoff_community_area,
            payment_type,
            company,
        ),
        fare,
    )


def train_keys(source: Records, start: Position) -> tf.data.Dataset:
    """Which example comes when, over all epochs from `start` on."""
    return records_by_epoch(source, SEED, BATCH, EPOCHS, start, 8192)


def train_dataset(
    root: pathlib.Path = SPEC_FOLDER,
    start: Position = Position(),
    reporter: Reporter | None = None,
    learnt: Learnt | None = None,
) -> tf.data.Dataset:
    """Batches for training, over all epochs from `start` on."""
    source = open_sources(root)["train"]
    dataset = train_keys(source, start)
    dataset = map_in_parallel(dataset, train_example)
    dataset = dataset.batch(BATCH, drop_remainder=True)
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
    dataset = source.examples()
    dataset = map_in_parallel(dataset, eval_example)
    dataset = dataset.batch(EVALUATION_BATCH)
    rows = Rows(FEATURES, learnt or learnt_features(root))
    dataset = map_in_parallel(dataset, functools.partial(encoded, rows))
    dataset = map_in_parallel(dataset, padded(EVALUATION_BATCH))
    dataset = dataset.repeat()
    return dataset.prefetch(tf.data.AUTOTUNE)


# Model --------------------------------------------------------------------------------


def build_model(learnt: Learnt) -> keras.Model:
    """Layer by layer, as in the spec."""
    inputs = keras.Input((9,), name="columns")
    x = FeatureColumns(FEATURES, learnt, name="features")(inputs)
    x = keras.layers.Dense(64, activation="relu", name="dense")(x)
    x = keras.layers.Dense(64, activation="relu", name="dense_2")(x)
    x = keras.layers.Dense(1, name="dense_3")(x)
    return keras.Model(inputs, x, name="regressor")


# Step ---------------------------------------------------------------------------------


def losses_of(fare: tf.Tensor, scores: tf.Tensor) -> tf.Tensor:
    """The loss of each example."""
    return keras.losses.huber(tf.reshape(fare, [-1, 1]), scores)


def build_metrics() -> dict[str, keras.metrics.Metric]:
    """What is measured on every split."""
    return {
        "loss": keras.metrics.Mean(name="loss"),
        "mae": keras.metrics.MeanAbsoluteError(name="mae"),
    }


def build_optimizer() -> keras.Optimizer:
    """As in the spec."""
    return keras.optimizers.Adam(0.001)


# Run ----------------------------------------------------------------------------------


def train_model(run: Run) -> None:
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
        optimizer = build_optimizer()
        model = build_model(learnt)
        optimizer.build(model.trainable_variables)
        train_metrics = build_metrics()
        evaluation_metrics = build_metrics()
    check_scope(strategy, model.variables, optimizer.variables)
    training = Training(
        run, EPOCHS, steps_per_epoch, BATCH, model, optimizer, Position(), train_metrics
    )

    def train_step(columns_: tf.Tensor, fare: tf.Tensor) -> None:
        """One batch: forward, backward, update."""
        with tf.GradientTape() as tape:
            scores = model(columns_, training=True)
            losses = losses_of(fare, scores)
            loss = tf.reduce_sum(losses) / BATCH
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply(gradients, model.trainable_variables)
        train_metrics["loss"].update_state(losses)
        train_metrics["mae"].update_state(tf.reshape(fare, [-1, 1]), scores)

    def evaluation_step(
        columns_: tf.Tensor, fare: tf.Tensor, weight: tf.Tensor
    ) -> None:
        """One batch: forward only; fillers weigh nothing."""
        scores = model(columns_, training=False)
        losses = losses_of(fare, scores)
        evaluation_metrics["loss"].update_state(losses, weight)
        evaluation_metrics["mae"].update_state(
            tf.reshape(fare, [-1, 1]), scores, weight
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
    with unreadable_named(
        source, functools.partial(train_keys, source, training.position), train_example
    ):
        train(training, take_steps, evaluate_validation, [])
    check_traces(take_steps)
    finish(training, None)


def main() -> None:
    """Reads the flags and runs."""
    flags = program_flags(__doc__, SPEC_FOLDER)
    options = flags.parse_args()
    folder = options.run_dir or new_run_folder(NAME)
    run = open_run(options.root, folder, SPEC_DIGEST)
    with failures_told(run):
        train_model(run)
    end(run)


if __name__ == "__main__":
    main()
