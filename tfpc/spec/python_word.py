"""A `python "module:function"(...)`: its place, and its arguments as Python literals."""

from __future__ import annotations

from collections.abc import Sequence

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.python_source.module import split
from tfpc.spec.model import Placed
from tfpc.spec.shown import provenance, shown
from tfpc.spec.use import Use
from tfpc.types.value import Value
from tfpc.vocabulary.python_word import BY_FAMILY
from tfpc.vocabulary.word import Word


class NoLiteralError(Exception):
    """A value that is no Python literal; value: the one to blame."""

    def __init__(self, value: Value) -> None:
        super().__init__()
        self.value = value


def decode_python(
    use: Use, families: Sequence[str], problems: list[Diagnostic]
) -> Placed[Word] | None:
    """The word, or None after a report."""
    cls = next((BY_FAMILY[each] for each in families if each in BY_FAMILY), None)
    before = len(problems)
    if cls is None:
        problems.append(no_place(use, families))
        return None
    assert use.target is not None
    named = use.target.content
    if not isinstance(named, str) or split(named) is None:
        problems.append(no_function(use.target))
    problems += [nameless(each) for each in use.positional]
    arguments: dict[str, object] = {}
    for each in use.keywords:
        if each.name in arguments:
            said = f"`{each.name}` is given twice"
            problems.append(error("TFP102", said, each.name_span, fix="give it once"))
            continue
        try:
            arguments[each.name] = literal(each.value)
        except NoLiteralError as failure:
            problems.append(no_literal(each.name, failure.value))
    if len(problems) > before:
        return None
    span = use.span
    file = span.source.name.replace("\\", "/").rpartition("/")[2]
    word = cls(
        function=str(named),
        arguments=tuple(arguments.items()),
        place=f"{file}:{span.line}:{span.column}",
    )
    spans = {each.name: each.value.span for each in use.keywords}
    spans["function"] = use.target.span
    return Placed(word, span, spans, {each.name: each.value for each in use.keywords})


def literal(value: Value) -> object:
    """The value as Python has it. Raises NoLiteralError."""
    content = value.content
    if isinstance(content, bool | int | float | str):
        return content
    if isinstance(content, tuple):
        return tuple(literal(each) for each in content)
    raise NoLiteralError(value)


def no_place(use: Use, families: Sequence[str]) -> Diagnostic:
    """A place where no function may stand."""
    listed = ", ".join(sorted(BY_FAMILY))
    return error(
        "TFP104",
        f"`python` can't be the {families[0]} here",
        use.span,
        "calls a function of yours",
        why=f"a function of yours may stand for a {listed}.",
        fix=f"write a {families[0]} of the language here",
    )


def no_function(target: Value) -> Diagnostic:
    """A text that does not name a function."""
    return error(
        "TFP251",
        "this does not say where a function is",
        target.span,
        "needs `module:function`",
        labels=provenance(target),
        why="the module is written as Python imports it from the folder of the spec: "
        'the function `focal` in `losses.py` is "losses:focal".',
        fix='for example `python "losses:focal"(gamma = 2.0)`',
    )


def nameless(value: Value) -> Diagnostic:
    """An argument that is given without a name."""
    return error(
        "TFP102",
        "arguments of a Python function are given by name",
        value.span,
        shown(value),
        fix=f"write `name = {value.text}`",
    )


def no_literal(name: str, value: Value) -> Diagnostic:
    """A value that Python would not know."""
    fix = f'write it in quotes: `"{value.text}"`' if value.quoted[0] == "`" else ""
    return error(
        "TFP103",
        f"`{name}` must be a number, text, `true`, `false` or a list of such",
        value.span,
        shown(value),
        labels=provenance(value),
        why="that is all that a spec can hand to Python.",
        fix=fix or "write the number itself",
    )
