"""What a rule is: a page, two examples, and a check of a plan."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from tfpc.diagnostics.diagnostic import Diagnostic, Fix, Label, Severity
from tfpc.diagnostics.span import Span
from tfpc.plan.ir import Plan


class Rule:
    """A mistake and how to find it.

    The class docstring is its page: a title, then the headings `What it finds`, `Why`
    and `Sources`. bad and good are blocks that take the place of those of the same
    word in the standard spec (`tfpc/rules/standard.py`); files: the Python beside them, by
    name. of_machine: what it says depends
    on the machine, so an `allow` of it may be of use on another one.
    """

    code: ClassVar[str]
    slug: ClassVar[str]
    severity: ClassVar[Severity]
    of_machine: ClassVar[bool] = False
    bad: ClassVar[str]
    good: ClassVar[str]
    files: ClassVar[Mapping[str, str]] = {}

    def check(self, plan: Plan) -> Iterator[Diagnostic]:
        """What there is to say of a plan."""
        raise NotImplementedError

    def found(
        self,
        headline: str,
        span: Span,
        label: str = "",
        *,
        why: str = "",
        fix: Fix | str | None = None,
        labels: Sequence[Label] = (),
    ) -> Diagnostic:
        """A diagnostic of this rule with carets under `span`."""
        return Diagnostic(
            self.code,
            self.slug,
            self.severity,
            headline,
            (Label(span, label, primary=True), *dict.fromkeys(labels)),
            why,
            Fix(fix) if isinstance(fix, str) else fix,
        )

    @classmethod
    def page(cls) -> str:
        """The whole page, as `tfpc lint --explain` prints it."""
        title, _, rest = inspect.cleandoc(cls.__doc__ or "").partition("\n")
        return (
            f"{cls.code} {cls.slug} ({cls.severity.word}): {title}\n\n{rest.strip()}\n\n"
            f"Bad\n\n{indented(cls.bad)}\n\nGood\n\n{indented(cls.good)}"
        ) + "".join(
            f"\n\n{name}\n\n{indented(text)}" for name, text in cls.files.items()
        )


def indented(text: str) -> str:
    """An example, four columns to the right."""
    return "\n".join(f"    {line}".rstrip() for line in text.strip().splitlines())
