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
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

os.environ["KERAS_BACKEND"] = "tensorflow"
# TensorFlow's own remarks on start; 0 shows all of them.
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import keras
import numpy as np
import tensorflow as tf

# Settings -----------------------------------------------------------------------------

NAME = "records"
SPEC_DIGEST = "8d296dbd9ecb32eb562fbee3ef4031e76bdd8628a46d9c55287ad388821c2131"
# Where the spec was, seen from this file: its paths start there.
SPEC_FOLDER = pathlib.Path(__file__).resolve().parent
SEED = 42
EPOCHS = 2
BATCH = 16


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


def no_clock() -> tf.Tensor:
    """Stands for the clock, which TensorFlow refuses to read under determinism."""
    return tf.constant(math.nan, tf.float64)


def check_traces(function: Callable[[tf.Tensor], tf.Tensor]) -> None:
    """Raises RuntimeError if the function was traced more than once."""
    traces = function.experimental_get_tracing_count()
    if traces > 1:
        raise RuntimeError(f"the step was traced {traces} times instead of once")


# Steps on images, each for one image [h, w, c] and for a batch [b, h, w, c] alike.


def round_like(image: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
    """A float image in `dtype`: integers are rounded to even and clipped."""
    if dtype.is_integer:
        return tf.saturate_cast(tf.round(image), dtype)
    return tf.cast(image, dtype)


def resize(
    image: tf.Tensor, height: int, width: int, method: str, *, antialias: bool
) -> tf.Tensor:
    """The image at another size and in its own dtype."""

    def resized() -> tf.Tensor:
        other = tf.image.resize(image, [height, width], method, antialias=antialias)
        return round_like(other, image.dtype)

    # These two change nothing of an image that has its size already (bicubic and the
    # like may blur it), so that many a folder of equal pictures costs nothing here.
    if method not in {"nearest", "bilinear"}:
        return resized()
    fits = tf.reduce_all(tf.shape(image)[-3:-1] == [height, width])
    return with_size(tf.cond(fits, lambda: image, resized), height, width)


def with_size(image: tf.Tensor, height: int, width: int) -> tf.Tensor:
    """The image with its height and width known to the graph."""
    shape = image.shape.as_list()
    shape[-3:-1] = [height, width]
    return tf.ensure_shape(image, shape)


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


def checked_label(label: tf.Tensor, classes: int) -> tf.Tensor:
    """The label, which must be in 0 .. classes - 1.

    Without this check a label beyond has no score: on a GPU the loss becomes NaN.
    """
    is_class = (label >= 0) & (label < classes)
    said = ["label", label, "is not in 0 ..", classes - 1]
    with tf.control_dependencies([tf.debugging.Assert(tf.reduce_all(is_class), said)]):
        return tf.identity(label)


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
    train = tfrecord(root, "digits-*.tfrecord", "records.tfp:4:11")
    return {"train": train}


def parse(record: tf.Tensor) -> tuple[tf.Tensor, ...]:
    """The components of a record."""
    example = tf.io.parse_single_example(
        record,
        {
            "image/encoded": tf.io.FixedLenFeature([], tf.string),
            "image/class": tf.io.FixedLenFeature([], tf.int64),
        },
    )
    return example["image/encoded"], checked_label(example["image/class"], 10)


def train_example(
    epoch: tf.Tensor, index: tf.Tensor, record: tf.Tensor
) -> tuple[tf.Tensor, ...]:
    """Reads and transforms an example for training."""
    image, label = parse(record)
    image = tf.io.decode_png(image, channels=1)
    image = resize(image, 8, 8, "bicubic", antialias=False)
    return image, label


def train_keys(source: Records, start: Position) -> tf.data.Dataset:
    """Which example comes when, over all epochs from `start` on."""
    return records_by_epoch(source, SEED, BATCH, EPOCHS, start, 8192)


def train_dataset(
    root: pathlib.Path = SPEC_FOLDER,
    start: Position = Position(),
    reporter: Reporter | None = None,
) -> tf.data.Dataset:
    """Batches for training, over all epochs from `start` on."""
    source = open_sources(root)["train"]
    dataset = train_keys(source, start)
    dataset = map_in_parallel(dataset, train_example)
    dataset = dataset.batch(BATCH, drop_remainder=True)
    return dataset.prefetch(2)


# Model --------------------------------------------------------------------------------


def build_model() -> keras.Model:
    """Layer by layer, as in the spec."""
    inputs = keras.Input((8, 8, 1), name="image")
    x = keras.layers.Flatten(name="flatten")(inputs)
    x = keras.layers.Dense(32, activation="relu", name="dense")(x)
    x = keras.layers.Dense(32, activation="relu", name="dense_2")(x)
    x = keras.layers.Dense(10, activation="softmax", name="dense_3")(x)
    return keras.Model(inputs, x, name="small")


# Step ---------------------------------------------------------------------------------


def on_device(image: tf.Tensor) -> tf.Tensor:
    """The last steps of the pipeline, done where the model is."""
    return tf.cast(image, tf.float32)


def losses_of(label: tf.Tensor, scores: tf.Tensor) -> tf.Tensor:
    """The loss of each example."""
    return keras.losses.sparse_categorical_crossentropy(
        label, scores, from_logits=False
    )


def build_metrics() -> dict[str, keras.metrics.Metric]:
    """What is measured on every split."""
    return {"loss": keras.metrics.Mean(name="loss")}


def build_optimizer() -> keras.Optimizer:
    """As in the spec."""
    return keras.optimizers.Adam(0.001)


# Run ----------------------------------------------------------------------------------


def train_model(run: Run) -> None:
    """Builds everything, trains, and says what came out."""
    keras.utils.set_random_seed(SEED)
    tf.config.experimental.enable_op_determinism()
    memory_growth(run.reporter, asked=False)
    strategy = one_device(run.reporter)
    source = open_sources(run.root)["train"]
    steps_per_epoch = steps_in(source, BATCH)
    with strategy.scope():
        optimizer = build_optimizer()
        model = build_model()
        optimizer.build(model.trainable_variables)
        train_metrics = build_metrics()
    check_scope(strategy, model.variables, optimizer.variables)
    training = Training(
        run, EPOCHS, steps_per_epoch, BATCH, model, optimizer, Position(), train_metrics
    )

    def train_step(image: tf.Tensor, label: tf.Tensor) -> None:
        """One batch: forward, backward, update."""
        image = on_device(image)
        with tf.GradientTape() as tape:
            scores = model(image, training=True)
            losses = losses_of(label, scores)
            loss = tf.reduce_sum(losses) / BATCH
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply(gradients, model.trainable_variables)
        train_metrics["loss"].update_state(losses)

    take_steps = in_graph(
        strategy,
        train_step,
        iter(train_dataset(run.root, training.position, run.reporter)),
        no_clock,
    )
    with unreadable_named(
        source, functools.partial(train_keys, source, training.position), train_example
    ):
        train(training, take_steps, None, [])
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
