"""What `run` shows while a program runs: a live line on a terminal, else plain lines."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, TextIO

from tfpc.launch.events import Event, number
from tfpc.launch.figures import duration, metrics_in_words, share

if TYPE_CHECKING:
    from rich.console import Console
    from rich.live import Live


def text_of(event: Event) -> str | None:
    """The line that an event is worth for itself; None if it is not worth one."""
    name = event["event"]
    if name == "decided":
        return f"{event.get('what')}: {event.get('value')} ({event.get('why')})"
    if name == "loaded":
        size = (number(event.get("bytes")) or 0) / 2**20
        seconds = number(event.get("seconds")) or 0
        return (
            f"{event.get('what')}: {event.get('count'):,} examples in memory, "
            f"{size:,.1f} MiB, read in {seconds:.1f} s"
        )
    if name == "epoch":
        return (
            f"epoch {event.get('epoch')}/{event.get('epochs')}  "
            f"{metrics_in_words(event.get('metrics'))}"
        )
    if name == "logged":
        return str(event.get("line"))
    if name == "warned":
        return f"warning: {event.get('message')}"
    return None


def live_text(event: Event, started: float) -> str:
    """The live line: where training stands, how fast, how long it will take."""
    if event["event"] == "loading":
        return (
            f"reading {event.get('what')}: {event.get('done'):,}/{event.get('count'):,}"
        )
    if event["event"] != "progress":
        return "starting TensorFlow"
    parts = [
        f"epoch {event.get('epoch')}/{event.get('epochs')}",
        f"step {event.get('step')}/{event.get('steps_per_epoch')}",
        f"{number(event.get('examples_per_s')) or 0:,.0f} examples/s",
        metrics_in_words(event.get("metrics"), "train."),
    ]
    waiting = share(event.get("input_wait"))
    if waiting:
        parts.append(f"input wait {waiting}")
    left = seconds_left(event, started)
    if left is not None:
        parts.append(f"{duration(left)} left")
    return "  ".join(parts)


def seconds_left(event: Event, started: float) -> float | None:
    """The time to the last epoch at the pace since `started` (a monotonic time)."""
    epoch, epochs = number(event.get("epoch")), number(event.get("epochs"))
    step, steps = number(event.get("step")), number(event.get("steps_per_epoch"))
    examples = number(event.get("examples"))
    batch = number(event.get("batch"))
    if None in (epoch, epochs, step, steps, examples, batch) or not examples:
        return None
    assert epoch and epochs and steps and batch and step is not None
    remaining = ((epochs - epoch + 1) * steps - step) * batch
    return remaining * (time.monotonic() - started) / examples


class Progress:
    """Shows events as they come. quiet: nothing; plain: no live line in any case."""

    def __init__(
        self, *, quiet: bool = False, plain: bool = False, stream: TextIO | None = None
    ) -> None:
        self.quiet = quiet
        self.stream = stream or sys.stdout
        self.live: Live | None = None
        self.console: Console | None = None
        self.training_since: float | None = None
        if not quiet and not plain and self.stream.isatty():
            self.start_live()

    def start_live(self) -> None:
        """Opens the live line."""
        from rich.console import Console
        from rich.live import Live
        from rich.text import Text

        self.console = Console(file=self.stream, highlight=False, soft_wrap=True)
        line = Text("starting TensorFlow", style="dim")
        self.live = Live(
            line, console=self.console, refresh_per_second=8, transient=True
        )
        self.live.start()

    def tell(self, event: Event) -> None:
        """Shows one event."""
        if self.quiet:
            return
        if event["event"] == "progress" and self.training_since is None:
            self.training_since = time.monotonic()
        text = text_of(event)
        if text is not None:
            self.say(text)
        if self.live is not None and event["event"] in ("loading", "progress"):
            from rich.text import Text

            line = live_text(event, self.training_since or time.monotonic())
            self.live.update(
                Text(line, style="cyan", no_wrap=True, overflow="ellipsis")
            )

    def say(self, text: str) -> None:
        """A line that stays."""
        if self.console is not None:
            self.console.print(text, markup=False)
        else:
            print(text, file=self.stream, flush=True)

    def close(self) -> None:
        """Takes the live line away."""
        if self.live is not None:
            self.live.stop()
            self.live = None
