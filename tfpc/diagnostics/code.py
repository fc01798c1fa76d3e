"""What is fixed about one kind of problem: its number, slug and explanation."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Code:
    """A kind of problem that is not a rule (rules bring their own documentation).

    ``explanation`` is Markdown: what it means, why, a wrong and a right example.
    """

    code: str
    slug: str
    title: str
    explanation: str
