"""The syntax tree of a spec: shapes only, every node with its span.

Words get their meaning later; here `data`, `cache` and `dense` are plain names. The
classes have no `repr`: making one for each takes a hundredth of the time of lint.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from tfpc.diagnostics.span import Source, Span


@dataclass(frozen=True, slots=True, repr=False)
class Name:
    """One identifier: letters, digits and `_`."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True, repr=False)
class Path:
    """Names joined by dots, at least one: `train`, `keras.layers.Dense`."""

    span: Span
    names: tuple[Name, ...]

    @property
    def text(self) -> str:
        """The path as written, without blanks around the dots."""
        return ".".join(name.text for name in self.names)


@dataclass(frozen=True, slots=True, repr=False)
class Comment:
    """From `#` to the end of its line; ``text`` includes the `#`."""

    span: Span
    text: str


# ------------------------------------------------------------------ expressions


@dataclass(frozen=True, slots=True, repr=False)
class Integer:
    """`1_000`; ``literal`` is the number as written."""

    span: Span
    value: int
    literal: str


@dataclass(frozen=True, slots=True, repr=False)
class Float:
    """`1e-3`, `0.5`; always finite."""

    span: Span
    value: float
    literal: str


@dataclass(frozen=True, slots=True, repr=False)
class Quantity:
    """A number with its unit, `3epochs`, `70GiB`, `20%` (unit `%`, number 20).

    The unit is any letters: whether it exists is not a question of syntax.
    """

    span: Span
    number: int | float
    unit: str
    literal: str


@dataclass(frozen=True, slots=True, repr=False)
class Text:
    """Quoted text. ``parts`` are plain pieces (escapes resolved, none empty) and the
    paths of `${name.path}` between them; empty text has no parts.

    ``literal`` is the source text with its quotes.
    """

    span: Span
    parts: tuple[str | Path, ...]
    literal: str

    @property
    def plain(self) -> str | None:
        """The text, if it has no `${}` in it."""
        pieces = [part for part in self.parts if isinstance(part, str)]
        return "".join(pieces) if len(pieces) == len(self.parts) else None


@dataclass(frozen=True, slots=True, repr=False)
class Boolean:
    """`true` or `false`."""

    span: Span
    value: bool


@dataclass(frozen=True, slots=True, repr=False)
class Unknown:
    """`?`, a size that is not known."""

    span: Span


@dataclass(frozen=True, slots=True, repr=False)
class Keyword:
    """`name = value` among arguments."""

    span: Span
    name: Name
    value: Expression


@dataclass(frozen=True, slots=True, repr=False)
class Arguments:
    """`(a, b, name = value)`; the span includes the parentheses."""

    span: Span
    positional: tuple[Expression, ...]
    keywords: tuple[Keyword, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Call:
    """A word used as a value: `relu`, `adam(learning_rate = 1e-3)`, `float32[?, 3]`.

    ``arguments`` is None without parentheses, ``shape`` None without `[ ]`.
    """

    span: Span
    path: Path
    arguments: Arguments | None
    shape: tuple[Expression, ...] | None


@dataclass(frozen=True, slots=True, repr=False)
class PythonCall:
    """`python "module:function"(depth = 12)` used as a value."""

    span: Span
    target: Text
    arguments: Arguments | None


@dataclass(frozen=True, slots=True, repr=False)
class List:
    """`[a, b]`."""

    span: Span
    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Range:
    """`low..high`."""

    span: Span
    low: Expression
    high: Expression


@dataclass(frozen=True, slots=True, repr=False)
class Negate:
    """`-operand`."""

    span: Span
    operand: Expression


@dataclass(frozen=True, slots=True, repr=False)
class Binary:
    """`left operator right`, the operator being one of `+ - * /`.

    Parentheses leave no node, since the shape of the tree says what belongs together;
    the span of a value in parentheses includes them.
    """

    span: Span
    operator: str
    left: Expression
    right: Expression


Expression: TypeAlias = (
    Integer
    | Float
    | Quantity
    | Text
    | Boolean
    | Unknown
    | Call
    | PythonCall
    | List
    | Range
    | Negate
    | Binary
)

# ------------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True, repr=False)
class Import:
    """`import "path" as name`."""

    span: Span
    path: Text
    name: Name


@dataclass(frozen=True, slots=True, repr=False)
class Let:
    """`let name = value`."""

    span: Span
    name: Name
    value: Expression


@dataclass(frozen=True, slots=True, repr=False)
class Setting:
    """`path = value`."""

    span: Span
    path: Path
    value: Expression


@dataclass(frozen=True, slots=True, repr=False)
class Block:
    """Every block, step, layer and monitor:

        word [name] [(arguments)] [from source] [{ body }] [as alias] [-> (asserted)]

    `as` may also stand before the body. ``head`` covers word to arguments, which is
    what carets point at. In `python "module:function"(...)` the word is `python` and
    ``target`` the text; everywhere else ``target`` is None. ``body`` is None without
    braces and empty for `{ }`.
    """

    span: Span
    word: Path
    target: Text | None
    name: Name | None
    arguments: Arguments | None
    source: Path | None
    body: tuple[Statement, ...] | None
    alias: Name | None
    asserted: Arguments | None
    head: Span


Statement: TypeAlias = Import | Let | Setting | Block


@dataclass(frozen=True, slots=True, repr=False)
class Document:
    """A whole file; ``comments`` are all of them, in order."""

    source: Source
    span: Span
    statements: tuple[Statement, ...]
    comments: tuple[Comment, ...]
