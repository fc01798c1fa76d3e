"""Checks the values of profiles that are not chosen, as if each were the only one."""

from __future__ import annotations

from collections.abc import Sequence

from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.diagnostics.span import Span
from tfpc.resolve.resolve import FactSource, resolve
from tfpc.spec.decode import decode
from tfpc.syntax import nodes


def in_other_profiles(
    document: nodes.Document, chosen: Sequence[str], fact: FactSource
) -> list[Diagnostic]:
    """What is wrong in the profiles that are not chosen, and only there.

    The spec itself has been decoded without a problem.
    """
    found: list[Diagnostic] = []
    for block in document.statements:
        if not isinstance(block, nodes.Block) or block.word.text != "profile":
            continue
        if block.name is None or block.name.text in chosen:
            continue
        resolved, problems = resolve(document, (), fact, (block.name.text,))
        if resolved is not None:
            _, problems = decode(resolved)
        found += [each for each in problems if is_in(each.span, block.span)]
    return found


def is_in(span: Span | None, outer: Span) -> bool:
    """Whether a place is within another one."""
    return (
        span is not None
        and span.source is outer.source
        and outer.start <= span.start
        and span.end <= outer.end
    )
