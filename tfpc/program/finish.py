"""The end of a run, told."""

from __future__ import annotations

import math
from collections.abc import Callable

from tfpc.program.reporter import in_words
from tfpc.program.training import Training


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
