"""The line at the bottom of a terminal that is written over while a program runs."""

from __future__ import annotations

from typing import TextIO

from rich.console import Console, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from tfpc.diagnostics.columns import visible
from tfpc.launch.events import Event, number
from tfpc.launch.figures import duration, figures, in_words, share, whole

BAR_WIDTH = 30


class LiveLine:
    """Where training stands, below the lines that stay."""

    def __init__(self, stream: TextIO) -> None:
        # Lines that stay are not to be broken: a terminal that is made wider later, or
        # a copy from it, has them whole.
        self.console = Console(
            file=stream, force_terminal=True, highlight=False, soft_wrap=True
        )
        self.left = TimeLeft()
        self.live = Live(
            text("starting TensorFlow"),
            console=self.console,
            refresh_per_second=8,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self.live.start(refresh=True)

    def tell(self, event: Event) -> None:
        """Takes an event over into the line."""
        shown = self.shown(event)
        if shown is not None:
            self.live.update(shown)

    def shown(self, event: Event) -> RenderableType | None:
        """What the line is now; None if it stays as it was."""
        kind = event["event"]
        if kind == "started":
            return text("getting ready")
        if kind == "loading":
            return loading(event)
        if kind == "loaded":
            return text("getting ready for the first step")
        if kind == "progress":
            return text(standing(event, self.left.after(event)))
        if kind == "finished":
            return text("ending")
        return None

    def say(self, line: str) -> None:
        """A line that stays, above."""
        self.console.print(line, markup=False)

    def close(self) -> None:
        """Takes the line away. Does not fail if the terminal is gone."""
        try:
            self.live.stop()
        except OSError:
            return


class TimeLeft:
    """The time to the end of the last epoch, at the pace since the first progress.

    What lies before counts for nothing: the first step also traces the graph. What
    lies between does: evaluations and checkpoints will come again.
    """

    def __init__(self) -> None:
        self.first: tuple[float, float] | None = None

    def after(self, event: Event) -> float | None:
        """In seconds; None while it can't be told."""
        names = ("time", "examples", "epoch", "epochs", "step", "steps_per_epoch")
        values = [number(event.get(name)) for name in (*names, "batch")]
        known = [value for value in values if value is not None]
        if len(known) < len(values):
            return None
        time, examples, epoch, epochs, step, steps, batch = known
        if self.first is None:
            self.first = (time, examples)
        seconds, done = time - self.first[0], examples - self.first[1]
        if seconds <= 0 or done <= 0:
            return None
        remaining = ((epochs - epoch + 1) * steps - step) * batch
        return max(0.0, remaining * seconds / done)


def text(line: str) -> Text:
    """A line in the color of what will not stay."""
    return Text(visible(line), style="cyan")


def loading(event: Event) -> Table:
    """How far a split is read, with a bar."""
    done, count = number(event.get("done")), number(event.get("count"))
    row = Table.grid(padding=(0, 1))
    bar = ProgressBar(total=count or None, completed=done or 0, width=BAR_WIDTH)
    numbers = f"{whole(event.get('done'))}/{whole(event.get('count'))} examples"
    row.add_row(text(f"reading {event.get('what')}"), bar, text(numbers))
    return row


def standing(event: Event, left: float | None) -> str:
    """Where training stands, how fast it is, how long it will take."""
    metrics = {
        name.removeprefix("train."): value
        for name, value in figures(event.get("metrics")).items()
        if name.startswith("train.")
    }
    waiting = share(event.get("input_wait"))
    parts = [
        f"epoch {event.get('epoch')}/{event.get('epochs')}",
        f"step {event.get('step')}/{event.get('steps_per_epoch')}",
        f"{whole(event.get('examples_per_s'))} examples/s",
        in_words(metrics),
        f"input wait {waiting}" if waiting else "",
        f"{duration(left)} left" if left else "",
    ]
    return "  ".join(part for part in parts if part)
