"""What is said when a run has ended."""

from __future__ import annotations

import math

from tfpc.launch.events import Event, number
from tfpc.launch.figures import duration, metrics_in_words, share
from tfpc.launch.folder import RunFolder

REASONS = {
    "done": "done",
    "stop_early": "stopped early",
    "signal": "stopped by a signal",
}
LITTLE, MUCH = 0.05, 0.20


class Outcome:
    """Collects the events that the last word needs."""

    def __init__(self) -> None:
        self.finished: Event | None = None
        self.failed: Event | None = None
        self.saved: Event | None = None

    def tell(self, event: Event) -> None:
        """Takes an event in."""
        if event["event"] == "finished":
            self.finished = event
        elif event["event"] == "failed":
            self.failed = event
        elif event["event"] == "saved" and event.get("why") != "best":
            self.saved = event


def summary(outcome: Outcome, folder: RunFolder, code: int) -> str:
    """Why it ended, what it took, what came out, and where it is."""
    finished = outcome.finished
    if finished is None:
        return f"run folder: {folder.path}"
    reason = REASONS.get(str(finished.get("reason")), str(finished.get("reason")))
    seconds = number(finished.get("seconds")) or 0.0
    speed = number(finished.get("examples_per_s")) or 0.0
    lines = [
        "",
        f"{reason}: {finished.get('epochs')} epochs, {finished.get('steps')} steps, "
        f"{duration(seconds)} of training, {speed:,.0f} examples/s",
    ]
    metrics = metrics_in_words(finished.get("metrics"))
    if metrics:
        lines.append(metrics)
    verdict = input_verdict(finished)
    if verdict:
        lines.append(verdict)
    lines.append(f"run folder: {folder.path}")
    if finished.get("reason") == "signal" and outcome.saved is not None:
        lines.append("to go on: the same command with --resume")
    return "\n".join(lines)


def input_verdict(finished: Event) -> str:
    """What limited the speed, if that was measured."""
    waited = number(finished.get("input_wait"))
    if waited is None or math.isnan(waited):
        return ""
    said = f"{share(waited)} of the time waiting for input"
    if waited < LITTLE:
        return f"{said}: the device was the limit"
    if waited >= MUCH:
        return f"{said}: the input was the limit"
    return said
