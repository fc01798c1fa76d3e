"""Draws the rows of a batch: one table where it fits, else a step above what it gives."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tfpc.diagnostics.columns import visible
from tfpc.launch.peek.row import Part, Row

HEAD = ("line", "step", "when", "component", "type", "range", "mean", "std", "")
RIGHT = ("line", "mean", "std")
GAP = 2
# What is longer than this goes over several lines of its column.
STEP_WIDTH, REMARK_WIDTH = 46, 44
INDENT, DEEPER = 6, 10
SAME = "same as before"
STEP, WHEN, QUIET, NOTE = "bold", "cyan", "dim", "yellow"


def draw(rows: Sequence[Row], console: Console) -> None:
    """Writes the rows as wide as the console is."""
    if table_width(rows) <= console.width:
        console.print(table(rows))
        return
    for line in stacked(rows, console.width):
        console.print(line, soft_wrap=True)


def table_width(rows: Sequence[Row]) -> int:
    """How wide all rows are as one table."""
    lines = [HEAD, *(cells for row in rows for cells in plain_cells(row))]
    widths = [max(map(cell_len, column)) for column in zip(*lines, strict=True)]
    widths[HEAD.index("step")] = min(widths[HEAD.index("step")], STEP_WIDTH)
    widths[-1] = min(widths[-1], REMARK_WIDTH)
    return sum(widths) + GAP * len([width for width in widths if width]) - GAP


def plain_cells(row: Row) -> Iterator[tuple[str, ...]]:
    """The cells of a row, a line for each part and each note."""
    head = (row.line, visible(row.step), row.mode)
    for part in row.parts:
        figures = (part.component, part.type, part.range, part.mean, part.std)
        yield (*head, *figures, visible(part.remark))
        head = ("", "", "")
        for note in part.notes:
            yield (*head, "", "", "", "", "", f"! {note}")


def table(rows: Sequence[Row]) -> Table:
    """All rows as one table."""
    drawn = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style=QUIET)
    lines = [cells for row in rows for cells in plain_cells(row)]
    shown = [any(column) for column in zip(*lines, strict=True)]
    for name, is_shown in zip(HEAD, shown, strict=True):
        if is_shown:
            most = {"step": STEP_WIDTH, "": REMARK_WIDTH}.get(name)
            drawn.add_column(
                name,
                justify="right" if name in RIGHT else "left",
                no_wrap=most is None,
                max_width=most,
            )
    for cells in lines:
        styled = [Text(cell) for cell in cells]
        styled[0].stylize(QUIET)
        styled[1].stylize(STEP)
        styled[2].stylize(WHEN)
        styled[-1].stylize(style_of(cells[-1]))
        kept = zip(styled, shown, strict=True)
        drawn.add_row(*(cell for cell, is_shown in kept if is_shown))
    return drawn


def style_of(remark: str) -> str:
    """How a remark is colored."""
    if remark.startswith("! "):
        return NOTE
    return QUIET if remark == SAME else ""


def stacked(rows: Sequence[Row], width: int) -> Iterator[Text]:
    """A step on a line of its own, what it gives below it, one line a component."""
    parts = [figures(part) for row in rows for part in row.parts if part.component]
    widths = [max(map(cell_len, column)) for column in zip(*parts, strict=True)]
    for row in rows:
        yield from step_lines(row, width)
        for part in row.parts:
            yield from part_lines(part, widths, width)


def step_lines(row: Row, width: int) -> Iterator[Text]:
    """The line in the spec, the step, and when it applies."""
    said = f"  when({row.mode})" if row.mode else ""
    line = f"{row.line:>{INDENT - GAP}}  "
    wrapped = wrap(visible(row.step), width - len(said), line, " " * DEEPER)
    for number, text in enumerate(wrapped):
        shown = Text(text, STEP)
        if number == 0:
            shown.stylize(QUIET, 0, len(line))
            shown.append(said, WHEN)
        yield shown


def figures(part: Part) -> tuple[str, ...]:
    """The cells of a component's line."""
    return (
        part.component,
        part.type,
        part.range,
        f"mean {part.mean}" if part.mean else "",
        f"std {part.std}" if part.std else "",
    )


def part_lines(part: Part, widths: Sequence[int], width: int) -> Iterator[Text]:
    """A component with its figures; what does not fit beside them stands below."""
    head = " " * INDENT
    if part.component:
        head += aligned(figures(part), widths)
    remark = visible(part.remark)
    both = f"{head.rstrip()}  {remark}" if head.strip() else head + remark
    if cell_len(both) <= width:
        line = Text(both.rstrip())
        line.stylize(style_of(remark), len(both) - len(remark))
        yield line
    else:
        if head.strip():
            yield Text(head.rstrip())
        margin = " " * (DEEPER if head.strip() else INDENT)
        yield from (Text(each) for each in wrap(remark, width, margin, margin))
    for note in part.notes:
        margin = " " * DEEPER
        lines = wrap(f"! {note}", width, margin, f"{margin}  ")
        yield from (Text(each, NOTE) for each in lines)


def aligned(cells: Iterable[str], widths: Sequence[int]) -> str:
    """Cells with those of other lines one below the other."""
    padded = [
        cell + " " * (width - cell_len(cell))
        for cell, width in zip(cells, widths, strict=True)
        if width
    ]
    return (" " * GAP).join(padded)


def wrap(text: str, width: int, first: str, others: str) -> list[str]:
    """Text over several lines, broken at blanks alone where that is possible."""
    return textwrap.wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=others,
        break_on_hyphens=False,
    )
