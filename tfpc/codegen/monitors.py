"""Program text that makes the monitors that the spec asks for, and no other."""

from __future__ import annotations

from dataclasses import dataclass

from tfpc.codegen.writer import Writer
from tfpc.plan.ir import Chain, Place, Plan, TrainPlan
from tfpc.types.fragment import Fragment, call, list_of, name
from tfpc.types.quantity import Epochs, Seconds, Steps
from tfpc.types.tensor import Content, Tensor
from tfpc.vocabulary.monitor import (
    Checkpoint,
    Log,
    StopAfter,
    StopEarly,
    Tensorboard,
)


@dataclass(frozen=True, slots=True)
class Monitors:
    """The monitors of a spec by kind.

    best: (metric, mode) whose best weights count; shown: what `tensorboard` is asked
    to show pictures of, whether it holds such or not.
    """

    logs: tuple[Log, ...]
    stops: tuple[StopEarly, ...]
    time: StopAfter | None
    tensorboard: Tensorboard | None
    checkpoint: Checkpoint | None
    best: tuple[str, str] | None
    shown: Tensor | None

    @property
    def pictures(self) -> bool:
        """Whether pictures are shown."""
        return self.shown is not None and is_picture(self.shown)


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
    time = next((word for word in words if isinstance(word, StopAfter)), None)
    charts = next((word for word in words if isinstance(word, Tensorboard)), None)
    shown = None
    if charts is not None and charts.images and plan.model is not None:
        shown = given_to_device(plan.chains["train"], plan.model.component)
    return Monitors(logs, stops, time, charts, checkpoint, best, shown)


def given_to_device(chain: Chain, component: str) -> Tensor:
    """The type of a component as the device gets it, before its own steps."""
    for node in chain.nodes:
        if node.place is Place.DEVICE and node.target == component:
            return node.before[component]
    return chain.result[component]


def is_picture(tensor: Tensor) -> bool:
    """Whether it can be shown: [height, width, channels] with 1, 3 or 4 channels."""
    shape = tensor.shape
    is_image = tensor.content is Content.IMAGE
    return shape is not None and len(shape) == 3 and (is_image or shape[2] in (1, 3, 4))


def better(metric: str, train: TrainPlan) -> str:
    """Whether more or less of a metric is better, `max` or `min`."""
    word = metric.rpartition(".")[2]
    return "min" if word == "loss" else train.metrics[word].metric.better


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
    if monitors.time is not None:
        made.append("stop_after")
        writer.assign("stop_after", call("StopAfter", monitors.time.time.number))
    if monitors.tensorboard is not None:
        made += write_charts(writer, monitors, monitors.tensorboard)
    if monitors.best is not None:
        made.append("best")
        writer.assign("best", call("Best", name("run"), *monitors.best))
    if monitors.checkpoint is not None:
        remembered = [each for each in made if not each.startswith("log")]
        code = checkpoint_code(monitors.checkpoint, remembered)
        writer.assign("checkpoint", code)
        made.append("checkpoint")
    return made


def write_charts(
    writer: Writer, monitors: Monitors, tensorboard: Tensorboard
) -> list[str]:
    """Makes the monitors that write charts; they come before the checkpoint."""
    folder = tensorboard.folder
    writer.assign("charts", call("Charts", name("run"), folder))
    every = tensorboard.every.number
    writer.assign("tensorboard", call("Tensorboard", name("charts"), every))
    tensor = monitors.shown
    if tensor is None:
        return ["tensorboard"]
    if not monitors.pictures:
        said = f"the model takes {tensor}, which is no picture: charts show none"
        writer.expression(call("run.reporter.warn", "no-pictures", said))
        return ["tensorboard"]
    low, high = (0, 255) if tensor.dtype == "uint8" else (tensor.low, tensor.high)
    size = (tensorboard.images, tensor.shape)
    code = call("ShownPictures", name("charts"), *size, low=low, high=high)
    with writer.with_(call("strategy.scope")):
        writer.assign("pictures", code)
    return ["tensorboard", "pictures"]


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
