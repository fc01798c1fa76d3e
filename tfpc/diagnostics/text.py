"""Prints diagnostics for people: source lines with carets, why, fix, docs."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable

from tfpc.diagnostics.columns import cut, show, visible
from tfpc.diagnostics.diagnostic import Diagnostic, Fix, Label, Severity
from tfpc.diagnostics.span import Source

_WIDTH = 84
_QUOTE = 100
_QUOTED = re.compile(f"`([^`]{{{_QUOTE + 1},}})`")
_COLORS = {
    Severity.ERROR: "\x1b[1;31m",
    Severity.WARNING: "\x1b[1;33m",
    Severity.NOTE: "\x1b[1;36m",
}
_BLUE, _BOLD, _RESET = "\x1b[34m", "\x1b[1m", "\x1b[0m"


def render_all(diagnostics: Iterable[Diagnostic], *, color: bool = False) -> str:
    """All of them, a blank line between, notes on consecutive lines."""
    blocks: list[str] = []
    previous: Severity | None = None
    for diagnostic in diagnostics:
        both_notes = previous is diagnostic.severity is Severity.NOTE
        if previous is not None and not both_notes:
            blocks.append("")
        blocks.append(render(diagnostic, color=color))
        previous = diagnostic.severity
    return "\n".join(blocks)


def render(diagnostic: Diagnostic, *, color: bool = False) -> str:
    """One diagnostic, without a line end at its end; a note takes one line.

    ``color`` adds ANSI colors.
    """
    paint = _Paint(color, _COLORS[diagnostic.severity])
    kind = paint.severity(f"{diagnostic.severity.word}[{diagnostic.code}]")
    headline = paint.bold(_said(diagnostic.headline))
    if diagnostic.severity is Severity.NOTE:
        place = f" {visible(str(diagnostic.span))}:" if diagnostic.span else ""
        return f"{kind}:{place} {headline}"
    gutter = _gutter(diagnostic)
    lines = [f"{kind}: {headline}"]
    for number, (source, labels) in enumerate(_by_source(diagnostic)):
        first = next((label for label in labels if label.primary), labels[0])
        arrow = paint.blue(" " * gutter + (":::" if number else "-->"))
        bar = " " * (gutter + 1) + paint.blue("|")
        lines.append(f"{arrow} {visible(str(first.span))}")
        lines.append(bar)
        lines.extend(_snippet(source, labels, gutter, paint))
        lines.append(bar)
    if diagnostic.why:
        lines.extend(_footer("why", diagnostic.why, gutter, paint))
    if diagnostic.fix is not None:
        lines.extend(_footer("fix", _offered(diagnostic.fix), gutter, paint))
    lines.extend(_footer("docs", diagnostic.docs, gutter, paint))
    return "\n".join(lines)


def _offered(fix: Fix) -> str:
    """What to type, and the flags with which lint does it."""
    if not fix.edits:
        return fix.text
    # Blanks that lines are not broken at.
    flags = "--fix" if fix.safe else "--fix\u00a0--unsafe-fixes"
    return f"{fix.text} [{flags}]"


def _said(text: str) -> str:
    """A sentence for the terminal: nothing hidden, and no quotation without end."""
    short = _QUOTED.sub(
        lambda found: f"`{found[1][: _QUOTE // 2]} ... {found[1][-_QUOTE // 4 :]}`",
        text,
    )
    return visible(short)


class _Paint:
    def __init__(self, on: bool, main: str) -> None:
        self.on = on
        self.main = main

    def _wrap(self, text: str, code: str) -> str:
        return f"{code}{text}{_RESET}" if self.on and text else text

    def severity(self, text: str) -> str:
        return self._wrap(text, self.main)

    def bold(self, text: str) -> str:
        return self._wrap(text, _BOLD)

    def blue(self, text: str) -> str:
        return self._wrap(text, _BLUE)


def _gutter(diagnostic: Diagnostic) -> int:
    """Width of the widest line number."""
    return max((len(str(label.span.line)) for label in diagnostic.labels), default=1)


def _by_source(diagnostic: Diagnostic) -> list[tuple[Source, list[Label]]]:
    """Labels by source, that of the primary label first."""
    groups: dict[int, tuple[Source, list[Label]]] = {}
    primary = diagnostic.primary
    if primary is not None:
        groups[id(primary.span.source)] = (primary.span.source, [])
    for label in diagnostic.labels:
        source = label.span.source
        groups.setdefault(id(source), (source, []))[1].append(label)
    return list(groups.values())


def _snippet(
    source: Source, labels: list[Label], gutter: int, paint: _Paint
) -> list[str]:
    lines: list[str] = []
    by_line: dict[int, list[Label]] = {}
    for label in sorted(labels, key=lambda label: label.span.start):
        by_line.setdefault(label.span.line, []).append(label)
    previous = None
    for number, marked in sorted(by_line.items()):
        if previous is not None and number == previous + 2:
            text, _, _ = cut(show(source.line(previous + 1)), 0, 0)
            lines.append(_numbered(previous + 1, text, gutter, paint))
        elif previous is not None and number > previous + 2:
            lines.append("...")
        lines.extend(_marked(source, number, marked, gutter, paint))
        previous = number
    return lines


def _marked(
    source: Source, number: int, labels: list[Label], gutter: int, paint: _Paint
) -> list[str]:
    """A source line and below it one row of carets for each label."""
    lines: list[str] = []
    text = source.line(number)
    shown = show(text)
    printed: str | None = None
    for label in labels:
        first = min(label.span.column - 1, len(text))
        last = len(text.rstrip())
        if label.span.end_line == number:
            last = min(label.span.end_column - 1, len(text))
        start, end = shown.edges[first], shown.edges[max(first, last)]
        window, start, end = cut(shown, start, end)
        if window != printed:
            lines.append(_numbered(number, window, gutter, paint))
            printed = window
        sign = "^" if label.primary else "-"
        row = f"{sign * max(1, end - start)} {_said(label.text)}".rstrip()
        row = paint.severity(row) if label.primary else paint.blue(row)
        bar = paint.blue("|")
        lines.append(f"{' ' * (gutter + 1)}{bar} {' ' * start}{row}")
    return lines


def _numbered(number: int, text: str, gutter: int, paint: _Paint) -> str:
    return f"{paint.blue(f'{number:>{gutter}} |')} {text}".rstrip()


def _footer(name: str, text: str, gutter: int, paint: _Paint) -> list[str]:
    lead = f"{' ' * (gutter + 1)}= {name}: "
    lines = textwrap.wrap(
        _said(text).replace("\n", " "),
        width=_WIDTH,
        initial_indent=lead,
        subsequent_indent=" " * len(lead),
        break_long_words=False,
        break_on_hyphens=False,
    )
    lines = [line.replace("\u00a0", " ") for line in lines]
    if lines:
        lines[0] = lines[0].replace(f"= {name}:", f"{paint.blue('=')} {name}:", 1)
    return lines
