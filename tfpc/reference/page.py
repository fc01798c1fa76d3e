"""Pages for people: text and tables for a given width, in color if asked."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

QUOTED = r"`[^`]+`"
MARGIN = 2


def rendered(parts: Iterable[RenderableType], *, width: int, color: bool) -> str:
    """The parts one below the other, without blanks at the end of lines."""
    stream = io.StringIO()
    console = Console(
        file=stream,
        width=width,
        force_terminal=color,
        color_system="standard" if color else None,
        highlight=False,
        legacy_windows=False,
    )
    for part in parts:
        console.print(part)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines())


def heading(text: str) -> Text:
    """What stands above a part."""
    return Text(text, style="bold")


def prose(text: str) -> Text:
    """Sentences, with what they quote in color."""
    said = Text(text)
    said.highlight_regex(QUOTED, "cyan")
    return said


def paragraphs(text: str) -> list[Text]:
    """The paragraphs of a docstring, to be broken anew, with blank lines between."""
    found: list[Text] = []
    for paragraph in text.split("\n\n"):
        found += [prose(" ".join(paragraph.split())), Text()]
    return found[:-1]


def indented(part: RenderableType) -> Padding:
    """A part a little to the right."""
    return Padding(part, (0, 0, 0, MARGIN), expand=False)


def listing(rows: Iterable[Sequence[str]], widths: Sequence[int | None]) -> Padding:
    """Rows without a head; the first column is a name, the last one a sentence.

    widths: the least width of each column, so that several lists stand alike.
    """
    table = Table.grid(padding=(0, 2))
    for number, width in enumerate(widths):
        table.add_column(
            style="bold" if number == 0 else "", min_width=width, no_wrap=number == 0
        )
    for row in rows:
        table.add_row(*[prose(cell) for cell in row])
    return indented(table)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Padding:
    """A table with a head; the first column is a name and is never broken."""
    found = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    for number, name in enumerate(head):
        found.add_column(name, style="bold" if number == 0 else "", no_wrap=number == 0)
    for row in rows:
        found.add_row(*[prose(cell) for cell in row])
    return indented(found)
