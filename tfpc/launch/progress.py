"""What `run` shows while a program runs: a live line, or plain lines alone."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TextIO

from tfpc.diagnostics.columns import visible
from tfpc.launch.events import Event, number
from tfpc.launch.figures import figures, in_words, whole
from tfpc.launch.terminal import is_terminal
from tfpc.plan.show import amount

if TYPE_CHECKING:
    from tfpc.launch.live import LiveLine


class Progress:
    """Shows events as they come. quiet: nothing; plain: never a live line."""

    def __init__(
        self, *, quiet: bool = False, plain: bool = False, stream: TextIO | None = None
    ) -> None:
        self.stream = stream or sys.stdout
        self.silent = quiet
        self.live: LiveLine | None = None
        if not quiet and not plain and is_terminal(self.stream):
            from tfpc.launch.live import LiveLine

            self.live = LiveLine(self.stream)

    def tell(self, event: Event) -> None:
        """Shows one event."""
        line = line_of(event)
        if line is not None:
            self.say(line)
        if self.live is not None:
            self.live.tell(event)

    def say(self, line: str) -> None:
        """A line that stays."""
        if self.silent:
            return
        try:
            if self.live is not None:
                self.live.say(visible(line))
            else:
                print(visible(line), file=self.stream, flush=True)
        except OSError:
            # Whoever read this has gone (`| head`, a closed terminal). That is no
            # reason to end a training.
            self.silent = True

    def close(self) -> None:
        """Takes the live line away."""
        if self.live is not None:
            self.live.close()
            self.live = None


def line_of(event: Event) -> str | None:
    """The line that an event is worth for itself; None if it is not worth one."""
    kind = event["event"]
    if kind == "decided":
        return f"{event.get('what')}: {event.get('value')} ({event.get('why')})"
    if kind == "loaded":
        size = amount(int(number(event.get("bytes")) or 0))
        seconds = number(event.get("seconds")) or 0
        return (
            f"{event.get('what')}: {whole(event.get('count'))} examples in memory, "
            f"{size}, read in {seconds:.1f} s"
        )
    if kind == "epoch":
        metrics = in_words(figures(event.get("metrics")))
        return f"epoch {event.get('epoch')}/{event.get('epochs')}  {metrics}"
    if kind == "logged":
        return str(event.get("line"))
    if kind == "warned":
        return f"warning: {event.get('message')}"
    return None
