"""What is said when a run has ended."""

from __future__ import annotations

import math

from tfpc.launch.events import Event, number
from tfpc.launch.figures import counted, duration, figures, share, whole
from tfpc.launch.folder import RunFolder
from tfpc.launch.outcome import Outcome
from tfpc.launch.process import Ended
from tfpc.vocabulary.metric import Metric
from tfpc.vocabulary.registry import words

REASONS = {
    "done": "done",
    "stop_early": "stopped early",
    "stop_after": "stopped because its time was over",
    "signal": "stopped by a signal",
}
LITTLE, MUCH = 0.05, 0.20


def summary(outcome: Outcome, ended: Ended, folder: RunFolder, again: str) -> str:
    """Why it ended, what it took, what came out, where it is, and how to go on.

    again: the command that resumes the run.
    """
    lines = [headline(outcome, ended)]
    if outcome.finished is not None:
        lines += metric_lines(outcome)
        lines += input_verdict(outcome.finished)
    lines.append(f"run folder: {folder.path}")
    if outcome.finished is None or outcome.finished.get("reason") == "signal":
        lines += way_on(outcome, folder, again)
    return "\n".join(lines)


def headline(outcome: Outcome, ended: Ended) -> str:
    """Why it ended, and how far it came."""
    finished = outcome.finished
    if finished is None:
        stopped = outcome.stopped_by(ended) is not None
        return f"{'stopped' if stopped else 'failed'} {reached(outcome)}"
    reason = str(finished.get("reason"))
    said = [
        counted(finished.get("epochs"), "epoch"),
        counted(finished.get("steps"), "step"),
        f"{duration(number(finished.get('seconds')) or 0.0)} of training",
        f"{whole(finished.get('examples_per_s'))} examples/s",
    ]
    return f"{REASONS.get(reason, reason)}: {', '.join(said)}"


def reached(outcome: Outcome) -> str:
    """How far a run came that has not finished."""
    progress = outcome.progress
    if progress is None:
        return "before the first step"
    return (
        f"in epoch {progress.get('epoch')} of {progress.get('epochs')}, after step "
        f"{progress.get('step')} of {progress.get('steps_per_epoch')}"
    )


def metric_lines(outcome: Outcome) -> list[str]:
    """Each metric at the end, and at its best where that was before."""
    assert outcome.finished is not None
    last = figures(outcome.finished.get("metrics"))
    width = max(map(len, last), default=0)
    lines = []
    for name, value in last.items():
        line = f"  {name:{width}}  {value:.4f}"
        best = best_epoch(outcome.epochs, name)
        if best is not None and better(best[1], value, name):
            line += f"  (best: {best[1]:.4f} in epoch {best[0]})"
        lines.append(line)
    return lines


def best_epoch(
    epochs: dict[int, dict[str, float]], name: str
) -> tuple[int, float] | None:
    """The epoch in which a metric was best, and its value; a loss is best when low."""
    values = [
        (epoch, metrics[name])
        for epoch, metrics in epochs.items()
        if math.isfinite(metrics.get(name, math.nan))
    ]
    return max(values, key=lambda each: (rank(name, each[1]), -each[0]), default=None)


def rank(name: str, value: float) -> float:
    """A number that is the higher the better a value of a metric is."""
    word = name.rpartition(".")[2]
    metric = words("metric").get(word)
    if metric is None or not issubclass(metric, Metric):
        return -value if word == "loss" else value
    return -value if metric.better == "min" else value


def better(first: float, second: float, name: str) -> bool:
    """Whether a value of a metric is better than another one, as far as is shown."""
    if math.isnan(second):
        return True
    return rank(name, round(first, 4)) > rank(name, round(second, 4))


def input_verdict(finished: Event) -> list[str]:
    """What limited the speed, if that was measured."""
    waited = number(finished.get("input_wait"))
    if waited is None:
        return []
    if not math.isfinite(waited):
        return ["waiting for input was not timed (`determinism = true` has no clock)"]
    said = f"waited for input {share(waited)} of the time"
    if waited < LITTLE:
        return [f"{said}: the device was the limit"]
    if waited >= MUCH:
        return [
            f"{said}: reading and preparing examples was the limit "
            "(`tfpc plan` shows what is done where)"
        ]
    return [said]


def way_on(outcome: Outcome, folder: RunFolder, again: str) -> list[str]:
    """How to continue a run that has not come to its end."""
    if folder.checkpoints:
        step = int(folder.checkpoints[-1].name.removeprefix("step-"))
        return [f"to go on from step {step:,}: {again}"]
    if outcome.progress is None:
        return []
    return ["no checkpoint was saved, so this run can't be resumed"]
