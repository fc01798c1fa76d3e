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
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

os.environ["KERAS_BACKEND"] = "tensorflow"
# TensorFlow's own remarks on start; 0 shows all of them.
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import keras
import numpy as np
import tensorflow as tf

# Settings -----------------------------------------------------------------------------

NAME = "cifar10"
SPEC_DIGEST = "62071e746f25cb9cdbb6509a0f60d02698a1842c1e7a0e863803967690498d5f"
# Where the spec was, seen from this file: its paths start there.
SPEC_FOLDER = pathlib.Path(__file__).resolve().parent
SEED = 42
EPOCHS = 2
BATCH = 128
EVALUATION_BATCH = 128


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


def below(bits: tf.Tensor, limit: tf.Tensor | int) -> tf.Tensor:
    """Turns 32 random bits into an int32 in 0 .. limit - 1, by multiplication.

    The bias is below limit / 2**32 (Lemire, "Fast random integer generation", 2019).
    """
    product = tf.cast(bits, tf.int64) * tf.cast(limit, tf.int64)
    return tf.cast(tf.bitwise.right_shift(product, tf.constant(32, tf.int64)), tf.int32)


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


def pad(image: tf.Tensor, padding: int) -> tf.Tensor:
    """The image with `padding` zeros on its four sides."""
    sides = [[padding, padding], [padding, padding], [0, 0]]
    if image.shape.rank == 4:
        sides.insert(0, [0, 0])
    return tf.pad(image, sides)


def random_crop(
    image: tf.Tensor,
    height: int,
    width: int,
    key: tuple[tf.Tensor, tf.Tensor],
    seed: int,
    stream: int,
) -> tf.Tensor:
    """A window [height, width] of each image, drawn for each example and epoch.

    key: (epoch, index), index scalar for one image and int64[b] for a batch.
    """
    size = tf.shape(image)
    top = below(draw(seed, stream, *key), size[-3] - height + 1)
    left = below(draw(seed, stream + 1, *key), size[-2] - width + 1)
    if image.shape.rank == 4:
        return windows(image, top, left, height, width)
    return with_size(image[top : top + height, left : left + width], height, width)


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


def random_flip(
    image: tf.Tensor,
    axis: int,
    key: tuple[tf.Tensor, tf.Tensor],
    seed: int,
    stream: int,
) -> tf.Tensor:
    """Each image mirrored along `axis` (-2: left and right, -3: up and down), or not.

    key: (epoch, index) as in `random_crop`; half of the examples are mirrored.
    """
    flip = below(draw(seed, stream, *key), 2)
    if image.shape.rank == 3:
        return tf.cond(flip == 1, lambda: tf.reverse(image, [axis]), lambda: image)
    # Whole images are moved, which a `tf.where` for each pixel does at a third the speed.
    left, turned = tf.dynamic_partition(tf.range(tf.size(flip)), flip, 2)
    mirrored = tf.reverse(tf.gather(image, turned), [axis])
    flipped = tf.dynamic_stitch([left, turned], [tf.gather(image, left), mirrored])
    return tf.ensure_shape(flipped, image.shape)


def normalize(image: tf.Tensor, mean: list[float], std: list[float]) -> tf.Tensor:
    """(image - mean) / std for each channel, in float32."""
    return (tf.cast(image, tf.float32) - tf.constant(mean)) / tf.constant(std)


# Pictures in folders: what is there, and how one of them is read, in any order.

PICTURE_SUFFIXES = (".jpg", ".jpeg", ".png", ".bmp", ".gif", ".webp")


@dataclasses.dataclass(frozen=True)
class Pictures:
    """Files of pictures with a label each, read in any order.

    place: the line of the spec that names them, for messages.
    """

    paths: np.ndarray
    labels: np.ndarray
    class_names: list[str]
    place: str

    @property
    def count(self) -> int:
        """The number of examples."""
        return len(self.paths)

    def select(self, member: np.ndarray) -> Pictures:
        """Only the examples marked in `member`: bool[count]."""
        return dataclasses.replace(
            self, paths=self.paths[member], labels=self.labels[member]
        )

    @functools.cached_property
    def tensors(self) -> tuple[tf.Tensor, tf.Tensor]:
        """All paths and labels; outside of any graph, which would hold a copy."""
        with tf.init_scope():
            return tf.constant(self.paths.tolist(), tf.string), tf.constant(self.labels)

    def read(self, index: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        """The bytes of a file (string[]) and its label (int64[] or float32[])."""
        paths, labels = self.tensors
        return tf.io.read_file(tf.gather(paths, index)), tf.gather(labels, index)

    def keys(self) -> tf.data.Dataset:
        """(index,) of each example, once."""
        return tf.data.Dataset.from_tensor_slices((np.arange(self.count),))

    def file_of(self, index: int) -> str:
        """Where the example comes from."""
        return str(self.paths[index])

    def damaged_file(self) -> tuple[str, str] | None:
        """None: each file is one example, and is found as such."""
        return None


def pictures_below(folder: pathlib.Path) -> list[str]:
    """The pictures at any depth, sorted, seen from `folder`, with `/`."""
    return sorted(
        name
        for name in files_below(folder, ())
        if name.lower().endswith(PICTURE_SUFFIXES)
    )


def files_below(top: pathlib.Path, inside: tuple[str, ...]) -> Iterator[str]:
    """The files at any depth, without hidden ones, seen from `top`, with `/`.

    inside: the real folders around, so that a link to one of them is no endless way.
    """
    around = (*inside, os.path.realpath(top))
    with os.scandir(top) as entries:
        for entry in entries:
            if entry.name.startswith("."):
                continue
            if not entry.is_dir():
                yield entry.name
            elif os.path.realpath(entry.path) not in around:
                for name in files_below(top / entry.name, around):
                    yield f"{entry.name}/{name}"


def image_folder(
    folder: pathlib.Path,
    place: str,
    *,
    classes: int | None = None,
    like: Pictures | None = None,
) -> Pictures:
    """The pictures below a folder with one sub-folder a class.

    Classes are numbered by name, in order, or as in `like`; a class's pictures lie at
    any depth. classes: how many the program was made for. Raises InputError if
    something else is there.
    """
    if not folder.is_dir():
        raise InputError(f"there is no folder {str(folder)!r}", place, str(folder))
    names = sorted(
        entry.name
        for entry in folder.iterdir()
        if entry.is_dir() and not entry.name.startswith(".")
    )
    known = names if like is None else like.class_names
    if classes is not None and len(names) != classes:
        raise InputError(
            f"{str(folder)!r} has {len(names)} class folders, but the program was "
            f"made for {classes}: emit it again",
            place,
            str(folder),
        )
    paths: list[str] = []
    labels: list[int] = []
    for name in names:
        if name not in known:
            raise InputError(
                f"the class {name!r} is not one of the training classes",
                place,
                str(folder / name),
            )
        files = [str(folder / name / path) for path in pictures_below(folder / name)]
        paths += files
        labels += [known.index(name)] * len(files)
    if not paths:
        raise InputError(
            f"there is no picture below {str(folder)!r}", place, str(folder)
        )
    return Pictures(np.array(paths, object), np.array(labels, np.int64), known, place)


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


# Examples kept in memory, decoded once, and read from there at random.


def aligned_array(shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """An uninitialised array that begins on a 64-byte boundary.

    TensorFlow takes such an array over as it is, without a second copy in memory.
    """
    size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    memory = np.empty(size + 64, np.uint8)
    first = -memory.ctypes.data % 64
    return memory[first : first + size].view(dtype).reshape(shape)


def kept_in_memory(
    reporter: Reporter,
    name: str,
    source: Source,
    read: Callable[..., tuple[tf.Tensor, ...]],
) -> tuple[tf.Tensor, ...]:
    """Reads every example once and returns one tensor a component, by index.

    read: from what `source.keys` gives to (index, component, ...), each component of a
    fixed shape. Returns tensors [count, ...]. Raises InputError if one can't be read.
    """
    started = time.perf_counter()
    # Files make a reader wait, so that more readers than cores are busy: with four for
    # each, 50,000 small pictures took two thirds of the time of one for each.
    readers = 4 * usable_cores()
    examples = source.keys().map(read, num_parallel_calls=readers, deterministic=False)
    # The end of an iterator that tunes itself waits for its thread, over a second.
    options = tf.data.Options()
    options.autotune.enabled = False
    examples = examples.with_options(options)
    arrays = [empty_array(source.count, spec) for spec in examples.element_spec[1:]]
    done = 0
    with unreadable_named(source, source.keys, read):
        for index, *components in examples.batch(256).prefetch(2).as_numpy_iterator():
            for array, component in zip(arrays, components, strict=True):
                array[index] = component
            done += len(index)
            reporter.loading(name, done, source.count)
    seconds = time.perf_counter() - started
    reporter.loaded(name, source.count, bytes_of(arrays), seconds)
    return tuple(map(as_tensor, arrays))


def usable_cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def empty_array(count: int, spec: tf.TensorSpec) -> np.ndarray:
    """Room for `count` examples of a component."""
    shape = (count, *spec.shape)
    if spec.dtype == tf.string:
        return np.empty(shape, object)
    return aligned_array(shape, np.dtype(spec.dtype.as_numpy_dtype))


def gathered(kept: tuple[tf.Tensor, ...], index: tf.Tensor) -> tuple[tf.Tensor, ...]:
    """The components of one example, or of a batch of them, by index."""
    return tuple(tf.gather(component, index) for component in kept)


def as_tensor(array: np.ndarray) -> tf.Tensor:
    """The array as a tensor; numbers without a copy."""
    if array.dtype == object:
        return tf.constant(array.tolist(), tf.string)
    return tf.experimental.dlpack.from_dlpack(array.__dlpack__())


def bytes_of(arrays: list[np.ndarray]) -> int:
    """The memory that the arrays take, in bytes."""
    return sum(
        sum(map(len, array.ravel())) if array.dtype == object else array.nbytes
        for array in arrays
    )


# Data ---------------------------------------------------------------------------------


@functools.cache
def open_sources(root: pathlib.Path = SPEC_FOLDER) -> dict[str, Source]:
    """Finds the examples of each split below the folder that paths start at."""
    train = image_folder(root / "data/cifar10/train", "cifar10.tfp:5:11", classes=10)
    validation = image_folder(
        root / "data/cifar10/test", "cifar10.tfp:6:16", like=train
    )
    return {"train": train, "validation": validation}


def prepare(source: Pictures, index: tf.Tensor) -> tuple[tf.Tensor, ...]:
    """Reads what is kept of an example; once for each."""
    image, label = source.read(index)
    image = tf.io.decode_jpeg(image, channels=3)
    image = resize(image, 32, 32, "bilinear", antialias=False)
    return index, image, label


def train_batch(
    kept: tuple[tf.Tensor, ...], epoch: tf.Tensor, index: tf.Tensor
) -> tuple[tf.Tensor, ...]:
    """Reads and transforms a batch for training."""
    image, label = gathered(kept, index)
    image = random_crop(pad(image, 4), 32, 32, (epoch, index), SEED, 1)
    image = random_flip(image, -2, (epoch, index), SEED, 3)
    return image, label


def eval_batch(kept: tuple[tf.Tensor, ...], index: tf.Tensor) -> tuple[tf.Tensor, ...]:
    """Reads and transforms a batch for evaluation."""
    image, label = gathered(kept, index)
    return image, label


def train_keys(source: Source, start: Position) -> tf.data.Dataset:
    """Which example comes when, over all epochs from `start` on."""
    order = permuted(source.count, SEED)
    return keys_by_epoch(order, BATCH, EPOCHS, start, batched=True)


def train_dataset(
    root: pathlib.Path = SPEC_FOLDER,
    start: Position = Position(),
    reporter: Reporter | None = None,
) -> tf.data.Dataset:
    """Batches for training, over all epochs from `start` on."""
    source = open_sources(root)["train"]
    kept = kept_in_memory(
        reporter or Reporter(), "train", source, functools.partial(prepare, source)
    )
    dataset = train_keys(source, start)
    dataset = map_in_parallel(dataset, functools.partial(train_batch, kept))
    return dataset.prefetch(tf.data.AUTOTUNE)


def evaluation_dataset(
    split: str, root: pathlib.Path = SPEC_FOLDER, reporter: Reporter | None = None
) -> tf.data.Dataset:
    """Batches of a split with their weights; begins anew after the last one."""
    source = open_sources(root)[split]
    kept = kept_in_memory(
        reporter or Reporter(), split, source, functools.partial(prepare, source)
    )
    dataset = tf.data.Dataset.range(source.count)
    dataset = dataset.batch(EVALUATION_BATCH)
    dataset = map_in_parallel(dataset, functools.partial(eval_batch, kept))
    dataset = map_in_parallel(dataset, padded(EVALUATION_BATCH))
    dataset = dataset.repeat()
    return dataset.prefetch(tf.data.AUTOTUNE)


# Model --------------------------------------------------------------------------------


def build_model() -> keras.Model:
    """Layer by layer, as in the spec."""
    inputs = keras.Input((32, 32, 3), name="image")
    x = keras.layers.Conv2D(32, 3, activation="relu", name="conv2d")(inputs)
    x = keras.layers.MaxPooling2D(2, name="max_pooling2d")(x)
    x = keras.layers.Conv2D(64, 3, activation="relu", name="conv2d_2")(x)
    x = keras.layers.GlobalAveragePooling2D(name="global_average_pooling2d")(x)
    x = keras.layers.Dense(10, name="dense")(x)
    return keras.Model(inputs, x, name="classifier")


# Step ---------------------------------------------------------------------------------


def on_device(image: tf.Tensor) -> tf.Tensor:
    """The last steps of the pipeline, done where the model is."""
    return normalize(image, [125.3, 123.0, 113.9], [63.0, 62.1, 66.7])


def losses_of(label: tf.Tensor, scores: tf.Tensor) -> tf.Tensor:
    """The loss of each example."""
    return keras.losses.sparse_categorical_crossentropy(label, scores, from_logits=True)


def build_metrics() -> dict[str, keras.metrics.Metric]:
    """What is measured on every split."""
    return {
        "loss": keras.metrics.Mean(name="loss"),
        "accuracy": keras.metrics.SparseCategoricalAccuracy(name="accuracy"),
    }


def build_optimizer() -> keras.Optimizer:
    """As in the spec."""
    return keras.optimizers.Adam(0.001)


# Run ----------------------------------------------------------------------------------


def train_model(run: Run, resume: bool) -> None:
    """Builds everything, trains, and says what came out."""
    keras.utils.set_random_seed(SEED)
    memory_growth(run.reporter, asked=False)
    strategy = one_device(run.reporter)
    source = open_sources(run.root)["train"]
    steps_per_epoch = steps_in(source, BATCH)
    with strategy.scope():
        optimizer = build_optimizer()
        model = build_model()
        optimizer.build(model.trainable_variables)
        train_metrics = build_metrics()
        evaluation_metrics = build_metrics()
    check_scope(strategy, model.variables, optimizer.variables)
    training = Training(
        run, EPOCHS, steps_per_epoch, BATCH, model, optimizer, Position(), train_metrics
    )
    best = Best(run, "validation.accuracy", "max")
    checkpoint = Checkpoint(run, [best], keep=2, epochs=1)
    if resume:
        checkpoint.restore_latest(training)

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
        train_metrics["accuracy"].update_state(label, scores)

    def evaluation_step(image: tf.Tensor, label: tf.Tensor, weight: tf.Tensor) -> None:
        """One batch: forward only; fillers weigh nothing."""
        image = on_device(image)
        scores = model(image, training=False)
        losses = losses_of(label, scores)
        evaluation_metrics["loss"].update_state(losses, weight)
        evaluation_metrics["accuracy"].update_state(label, scores, weight)

    take_steps = in_graph(
        strategy,
        train_step,
        iter(train_dataset(run.root, training.position, run.reporter)),
        tf.timestamp,
    )
    validation_steps = in_graph(
        strategy,
        evaluation_step,
        iter(evaluation_dataset("validation", run.root, run.reporter)),
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
    train(training, take_steps, evaluate_validation, [best, checkpoint])
    check_traces(take_steps)
    finish(training, None)


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
