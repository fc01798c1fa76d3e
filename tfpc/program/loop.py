"""The training loop as the host sees it: some steps in the graph, then a look."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence

import tensorflow as tf

from tfpc.program.monitor import Monitor
from tfpc.program.pace import Pace
from tfpc.program.position import Position
from tfpc.program.reporter import in_words
from tfpc.program.training import Training


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
