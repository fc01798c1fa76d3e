"""Applies the edits of fixes to a text; what they do not touch stays as it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tfpc.diagnostics.diagnostic import Diagnostic, Edit
from tfpc.diagnostics.span import Source


def within(problem: Diagnostic, source: Source) -> bool:
    """Whether the fix has edits, and all of them in this text.

    A fix may have to change an imported file or the command line: then it is only told.
    """
    if problem.fix is None or not problem.fix.edits:
        return False
    return all(edit.span.source is source for edit in problem.fix.edits)


def settled(problem: Diagnostic, source: Source) -> Diagnostic:
    """The problem with its edits only where lint can make them: in this text.

    An edit in the lines of a definition acts on all of its uses, of which only one has
    the problem, so it is not safe.
    """
    if problem.fix is None or not problem.fix.edits:
        return problem
    fix = problem.fix
    if not within(problem, source):
        return replace(problem, fix=replace(fix, edits=(), safe=False))
    if fix.safe and any(edit.span.via is not None for edit in fix.edits):
        return replace(problem, fix=replace(fix, safe=False))
    return problem


def compatible(problems: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Those whose edits can be applied together, by position; the first one wins."""
    taken: list[Edit] = []
    chosen = []
    for problem in sorted(problems, key=_place):
        edits = _edits(problem)
        if not any(_touch(edit, other) for edit in edits for other in taken):
            taken += edits
            chosen.append(problem)
    return chosen


def applied(source: Source, problems: Sequence[Diagnostic]) -> Source:
    """The text with the fixes of these problems, which must be compatible."""
    line_end = "\r\n" if "\r\n" in source.text else "\n"
    pieces, position = [], 0
    for edit in sorted(_all(problems), key=lambda edit: edit.span.start):
        pieces.append(source.text[position : edit.span.start])
        pieces.append(edit.replacement.replace("\n", line_end))
        position = edit.span.end
    pieces.append(source.text[position:])
    return Source(source.name, "".join(pieces))


def moved(offset: int, problems: Sequence[Diagnostic], source: Source) -> int:
    """Where a place of the text is once the fixes are applied."""
    crlf = "\r\n" in source.text
    shift = 0
    for edit in sorted(_all(problems), key=lambda edit: edit.span.start):
        if edit.span.start >= offset:
            break
        length = len(edit.replacement) + crlf * edit.replacement.count("\n")
        removed = min(edit.span.end, offset) - edit.span.start
        shift += (length if edit.span.end <= offset else 0) - removed
    return offset + shift


def _edits(problem: Diagnostic) -> tuple[Edit, ...]:
    return () if problem.fix is None else problem.fix.edits


def _all(problems: Iterable[Diagnostic]) -> list[Edit]:
    return [edit for problem in problems for edit in _edits(problem)]


def _place(problem: Diagnostic) -> int:
    return min(edit.span.start for edit in _edits(problem))


def _touch(one: Edit, other: Edit) -> bool:
    """Whether two edits overlap or meet, so that their order would count."""
    return one.span.start <= other.span.end and other.span.start <= one.span.end
