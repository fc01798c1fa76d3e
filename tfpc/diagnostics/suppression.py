"""Takes away what a spec allows, and reports each `allow` that is of no use."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from tfpc.diagnostics.allow import Allow, allows_in, almost_allows_in
from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.diagnostics.span import Source, Span
from tfpc.diagnostics.wrong_allow import (
    cannot_be_allowed,
    misshapen,
    no_names,
    no_reason,
    unknown_rule,
    unused,
)


@dataclass(frozen=True, slots=True)
class Rules:
    """What is known of rules here. slugs: all; slug_of: by code or slug, None if there
    is no such rule; ran: those that have been asked, and had all that they need.
    """

    slugs: Sequence[str]
    slug_of: Callable[[str], str | None]
    ran: Collection[str] = ()


def suppressed(
    problems: Sequence[Diagnostic], sources: Sequence[Source], rules: Rules
) -> list[Diagnostic]:
    """The problems that are not allowed, and what is wrong with the `allow`s.

    sources: the spec, then its imports. What an import allows and this spec does not
    need may be needed by another one, so that is not reported.
    """
    reports: list[Diagnostic] = []
    allowed: dict[tuple[Source, int, str], list[Span]] = {}
    found: list[tuple[Allow, Span, str]] = []
    for source in sources:
        for comment, written in almost_allows_in(source):
            if rules.slug_of(written) is not None:
                reports.append(misshapen(comment, written))
        for allow in allows_in(source):
            reports += _wrong(allow, rules)
            for name in allow.names if allow.reason else ():
                slug = rules.slug_of(name.text)
                if slug is not None:
                    allowed.setdefault((source, allow.line, slug), []).append(name)
                    found.append((allow, name, slug))
    kept, used = [], set[Span]()
    for problem in problems:
        span = problem.span
        key = (span.source, span.line, problem.slug) if span is not None else None
        if key is not None and key in allowed:
            used.update(allowed[key])
        else:
            kept.append(problem)
    reports += [
        unused(allow, name, slug)
        for allow, name, slug in found
        if name not in used and slug in rules.ran and name.source is sources[0]
    ]
    reports.sort(key=lambda report: report.span.start if report.span else 0)
    return sorted([*kept, *reports], key=lambda problem: -problem.severity)


def _wrong(allow: Allow, rules: Rules) -> Iterator[Diagnostic]:
    """What is wrong with one as it is written."""
    if not allow.names:
        yield no_names(allow)
        return
    if not allow.reason:
        yield no_reason(allow)
    for name in allow.names:
        if rules.slug_of(name.text) is None:
            yield cannot_be_allowed(name) or unknown_rule(name, rules.slugs)
