"""Mends a text by the fixes of what is found in it, round by round, never for worse."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tfpc.diagnostics.diagnostic import Diagnostic, Severity
from tfpc.diagnostics.fixes import applied, compatible, moved, within
from tfpc.diagnostics.span import Source

MOST_ROUNDS = 200


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check of a text gives. stage: how far it came, more is better; last: that
    was the last stage, after which nothing more can come to light.
    """

    stage: int
    last: bool
    problems: Sequence[Diagnostic]


@dataclass(slots=True)
class Mended:
    """A text after its fixes.

    checked: what is left in it; fixed: what is gone; refused: whose fix would have
    made the text worse, and was taken back.
    """

    source: Source
    checked: Checked
    fixed: list[Diagnostic] = field(default_factory=list)
    refused: list[Diagnostic] = field(default_factory=list)


def mend(source: Source, check: Callable[[Source], Checked], *, unsafe: bool) -> Mended:
    """Applies fixes until there is none left. unsafe: also those that may change what
    was meant.
    """
    done = Mended(source, check(source))
    spared: set[object] = set()
    seen = {source.text}
    for _ in range(MOST_ROUNDS):
        fixable = [
            problem
            for problem in done.checked.problems
            if within(problem, done.source)
            and problem.fix is not None
            and (unsafe or problem.fix.safe)
            and _identity(problem) not in spared
        ]
        if not fixable:
            break
        chosen = compatible(fixable)
        if _attempt(done, chosen, check, seen):
            continue
        # One of them is to blame: the others are mended one by one.
        for problem in chosen:
            if len(chosen) > 1 and _attempt(done, [problem], check, seen):
                break
            spared.add(_identity(problem))
    done.refused = [each for each in done.checked.problems if _identity(each) in spared]
    return done


def _attempt(
    done: Mended,
    problems: list[Diagnostic],
    check: Callable[[Source], Checked],
    seen: set[str],
) -> bool:
    """Applies these fixes, unless the text is worse with them; whether it did.

    seen: the texts that it was already, since two fixes could undo each other for ever.
    """
    after = applied(done.source, problems)
    if after.text in seen:
        return False
    checked = check(after)
    if _is_worse(done, checked, problems):
        return False
    seen.add(after.text)
    done.source, done.checked = after, checked
    done.fixed += problems
    return True


def _is_worse(done: Mended, after: Checked, problems: Sequence[Diagnostic]) -> bool:
    """Whether a fix did not mend its problem, or led to another one.

    In an earlier stage, a mended problem may have hidden others that come to light.
    """
    before = done.checked
    if after.stage < before.stage:
        return True
    counts = Counter(map(_kind, before.problems)), Counter(map(_kind, after.problems))
    places = {(_kind(each), _start(each)) for each in after.problems}
    for problem in problems:
        kind = _kind(problem)
        place = moved(_start(problem), problems, done.source)
        if counts[1][kind] >= counts[0][kind] and (kind, place) in places:
            return True
    if before.last and after.last:
        return bool(_errors(after) - _errors(before))
    return False


def _errors(checked: Checked) -> Counter[str]:
    return Counter(
        each.code for each in checked.problems if each.severity is Severity.ERROR
    )


def _kind(problem: Diagnostic) -> tuple[str, str]:
    return problem.code, problem.headline


def _start(problem: Diagnostic) -> int:
    return problem.span.start if problem.span else 0


def _identity(problem: Diagnostic) -> object:
    """The same for a problem in a text that changed elsewhere."""
    edits = problem.fix.edits if problem.fix else ()
    line = problem.span.source.line(problem.span.line) if problem.span else ""
    return _kind(problem), line, tuple(edit.replacement for edit in edits)
