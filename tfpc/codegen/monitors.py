"""Program text that makes the monitors that the spec asks for, and no other."""

from __future__ import annotations

from dataclasses import dataclass

from tfpc.codegen.writer import Writer
from tfpc.plan.ir import Plan, TrainPlan
from tfpc.types.fragment import Fragment, call, list_of, name
from tfpc.types.quantity import Epochs, Seconds, Steps
from tfpc.vocabulary.monitor import Checkpoint, Log, StopEarly


@dataclass(frozen=True, slots=True)
class Monitors:
    """The monitors of a spec by kind; best: (metric, mode) whose best weights count."""

    logs: tuple[Log, ...]
    stops: tuple[StopEarly, ...]
    checkpoint: Checkpoint | None
    best: tuple[str, str] | None


def monitors_of(plan: Plan) -> Monitors:
    """Sorts the monitors. A checkpoint's metric goes before that of `stop_early`."""
    assert plan.train is not None
    words = [placed.monitor for placed in plan.monitors]
    stops = tuple(word for word in words if isinstance(word, StopEarly))
    checkpoint = next((word for word in words if isinstance(word, Checkpoint)), None)
    watched = [(word.monitor, word.mode) for word in (checkpoint, *stops) if word]
    best = next(
        (
            (metric, mode or better(metric, plan.train))
            for metric, mode in watched
            if metric is not None
        ),
        None,
    )
    logs = tuple(word for word in words if isinstance(word, Log))
    return Monitors(logs, stops, checkpoint, best)


def better(metric: str, train: TrainPlan) -> str:
    """Whether more or less of a metric is better, `max` or `min`."""
    word = metric.rpartition(".")[2]
    return "min" if word == "loss" else train.metrics[word].better


def write_monitors(writer: Writer, plan: Plan, monitors: Monitors) -> list[str]:
    """Makes the monitors; returns the names of their variables, in order."""
    assert plan.train is not None
    made: list[str] = []
    for log in monitors.logs:
        made.append(numbered("log", made))
        writer.assign(made[-1], call("Log", log.every.number))
    for stop in monitors.stops:
        made.append(numbered("stop_early", made))
        mode = stop.mode or better(stop.monitor, plan.train)
        patience = int(stop.patience.number)
        made_by = call("StopEarly", stop.monitor, mode, patience, stop.min_delta)
        writer.assign(made[-1], made_by)
    if monitors.best is not None:
        made.append("best")
        writer.assign("best", call("Best", name("run"), *monitors.best))
    if monitors.checkpoint is not None:
        remembered = [each for each in made if not each.startswith("log")]
        code = checkpoint_code(monitors.checkpoint, remembered)
        writer.assign("checkpoint", code)
        made.append("checkpoint")
    return made


def numbered(word: str, made: list[str]) -> str:
    """A variable's name that is not yet taken."""
    count = sum(1 for each in made if each.startswith(word))
    return word if count == 0 else f"{word}_{count + 1}"


def checkpoint_code(checkpoint: Checkpoint, remembered: list[str]) -> Fragment:
    """The checkpoint; it keeps the state of the monitors before it."""
    every = checkpoint.every
    units = {Epochs: "epochs", Steps: "steps", Seconds: "seconds"}
    number = every.number if isinstance(every, Seconds) else int(every.number)
    return call(
        "Checkpoint",
        name("run"),
        list_of(*map(name, remembered)),
        keep=checkpoint.keep,
        **{units[type(every)]: number},
    )
