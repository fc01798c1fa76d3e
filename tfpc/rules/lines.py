"""Edits of whole lines of a spec: a step moved, put in, or left out."""

from __future__ import annotations

import textwrap

from tfpc.diagnostics.diagnostic import Edit
from tfpc.diagnostics.span import Span
from tfpc.syntax import nodes
from tfpc.syntax.parser import parse


def around(span: Span) -> tuple[nodes.Statement, ...]:
    """The statements that hold a place, the outermost first.

    They are read from the text again, which costs little where something is wrong.
    """
    document, _ = parse(span.source)
    found: list[nodes.Statement] = []
    inner = () if document is None else document.statements
    while True:
        holding = [s for s in inner if s.span.start <= span.start < s.span.end]
        if not holding:
            return tuple(found)
        found += holding
        inner = (isinstance(holding[0], nodes.Block) and holding[0].body) or ()


def line_in_block(span: Span) -> nodes.Statement | None:
    """The line of a block that holds a place: a step, its `when`, or a definition's use.

    None if the place is not in the braces of a block of the spec.
    """
    outermost = span.uses[-1].span if span.uses else span
    found = around(outermost)
    return found[1] if len(found) > 1 else None


def is_own_line(span: Span) -> bool:
    """Whether a step stands in its block itself, not in a `when` or definition."""
    return not span.uses and len(around(span)) == 2


def whole_lines(statement: nodes.Statement) -> Span | None:
    """The lines of a statement with their ends; None if something else is on them."""
    span = statement.span
    source, last = span.source, span.end_line
    start = source.line_start(span.line)
    behind = source.line(last)[span.end_column - 1 :].strip()
    before = source.text[start : span.start].strip()
    if before or not (behind == "" or behind.startswith("#")):
        return None
    if last < source.line_count:
        return Span(source, start, source.line_start(last + 1))
    return Span(source, start, len(source.text))


def left_out(statement: nodes.Statement) -> tuple[Edit, ...]:
    """The edit that removes a statement; none if its line holds something else."""
    lines = whole_lines(statement)
    return () if lines is None else (Edit(lines, ""),)


def put_in(
    text: str, statement: nodes.Statement | None, *, below: bool = False
) -> tuple[Edit, ...]:
    """The edit that writes lines above or below a statement, indented as it is."""
    lines = None if statement is None else whole_lines(statement)
    if statement is None or lines is None:
        return ()
    indent = lines.source.text[lines.start : statement.span.start]
    text = textwrap.indent(text.replace("\r\n", "\n"), indent) + "\n"
    place = lines.end if below else lines.start
    if below and not lines.text.endswith("\n"):
        return ()
    return (Edit(Span(lines.source, place, place), text),)


def moved(
    statement: nodes.Statement | None,
    other: nodes.Statement | None,
    *,
    below: bool = False,
) -> tuple[Edit, ...]:
    """The edits that move a statement above or below another one of its file."""
    lines = None if statement is None else whole_lines(statement)
    if statement is None or other is None or lines is None:
        return ()
    is_elsewhere = statement.span.source is not other.span.source
    if is_elsewhere or statement.span == other.span:
        return ()
    text = textwrap.dedent(lines.text.replace("\r\n", "\n")).rstrip("\n")
    put = put_in(text, other, below=below)
    return (*left_out(statement), *put) if put else ()


def taken_out(
    span: Span, other: nodes.Statement | None, *, below: bool = False
) -> tuple[Edit, ...]:
    """The edits that move a step out of its `when`, which goes with it."""
    found = around(span)
    if span.uses or other is None or not 2 <= len(found) <= 3:
        return ()
    line, step = found[1], found[-1]
    if not isinstance(line, nodes.Block) or len(line.body or ()) < 2:
        return moved(line, other, below=below)
    if line.span == other.span:
        return ()
    text = f"{line.head.text} {{\n  {step.span.text}\n}}"
    put, out = put_in(text, other, below=below), left_out(step)
    return (*out, *put) if put and out else ()
