"""What every stage reports: one problem, the places involved, and what to type."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from tfpc.diagnostics.span import Span


class Severity(IntEnum):
    """How bad it is; a higher value is worse, so that ``max`` finds the worst.

    An error is a certain crash or a wrong result, a warning is slow or risky, and a
    note only informs.
    """

    NOTE = 0
    WARNING = 1
    ERROR = 2

    @property
    def word(self) -> str:
        """``error``, ``warning`` or ``note``, as messages print it."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Label:
    """A place involved in a problem and what there is to say about it."""

    span: Span
    text: str = ""
    primary: bool = False


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the characters of ``span``; an empty span inserts."""

    span: Span
    replacement: str


@dataclass(frozen=True, slots=True)
class Fix:
    """What to type, as a sentence, and as edits where a program can do it.

    ``safe`` fixes keep the meaning that the user can only have had, so
    ``tfpc lint --fix`` applies them unasked.
    """

    text: str
    edits: tuple[Edit, ...] = ()
    safe: bool = False


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One problem. Labels may be empty where no place in a text is to blame."""

    code: str
    slug: str
    severity: Severity
    headline: str
    labels: tuple[Label, ...] = ()
    why: str = ""
    fix: Fix | None = None

    @property
    def primary(self) -> Label | None:
        """The label under carets: the first primary one, else the first."""
        for label in self.labels:
            if label.primary:
                return label
        return self.labels[0] if self.labels else None

    @property
    def span(self) -> Span | None:
        """Where the problem stands."""
        label = self.primary
        return label.span if label else None

    @property
    def docs(self) -> str:
        """The command that explains this kind of problem."""
        return f"tfpc lint --explain {self.code}"


def has_errors(diagnostics: list[Diagnostic]) -> bool:
    """Whether any of them forbids going on."""
    return any(item.severity is Severity.ERROR for item in diagnostics)
