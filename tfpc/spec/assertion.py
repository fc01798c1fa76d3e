"""`-> (image = float32[224, 224, 3])`: what a step is said to give, by component."""

from __future__ import annotations

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.diagnostics.span import Span
from tfpc.diagnostics.suggestion import did_you_mean
from tfpc.resolve.tree import Argument, Node
from tfpc.spec.model import Assertion
from tfpc.types.tensor import BYTES
from tfpc.types.value import Anything, Symbol, Value

DTYPES = ("string", *BYTES)


def decode_assertion(node: Node, problems: list[Diagnostic]) -> tuple[Assertion, ...]:
    """What a step is said to give, after reporting what can't be read."""
    found: list[Assertion] = []
    for argument in node.asserted:
        if not argument.name:
            text = argument.value.span.text
            said = "each type behind `->` belongs to a component"
            fix = f"write its name before it, for example `image = {text}`"
            problems.append(wrong(said, argument.value.span, fix))
            continue
        if any(each.component == argument.name for each in found):
            said = f"`{argument.name}` is said twice"
            problems.append(wrong(said, argument.name_span, "say it once"))
            continue
        assertion = of_argument(argument)
        if isinstance(assertion, Diagnostic):
            problems.append(assertion)
        else:
            found.append(assertion)
    return tuple(found)


def decode_output(node: Node, problems: list[Diagnostic]) -> tuple[Assertion, ...]:
    """The one type behind a layer's `->`, after reporting what can't be read."""
    if node.asserted_span is None:
        return ()
    named = [each for each in node.asserted if each.name]
    if named or len(node.asserted) != 1:
        said = "a layer gives one tensor, so one type without a name stands behind `->`"
        fix = "write its type for one example: `-> (float32[64])`"
        problems.append(wrong(said, node.asserted_span, fix))
        return ()
    assertion = of_argument(node.asserted[0])
    if isinstance(assertion, Diagnostic):
        problems.append(assertion)
        return ()
    return (assertion,)


def of_argument(argument: Argument) -> Assertion | Diagnostic:
    """One component and its type."""
    value = argument.value
    symbol = value.content
    if not isinstance(symbol, Symbol) or symbol.called:
        example = f"`{argument.name} = float32[28, 28, 1]`"
        return wrong("a type stands behind `->`", value.span, f"for example {example}")
    if symbol.word not in DTYPES:
        fix = did_you_mean(symbol.word, DTYPES)
        listed = ", ".join(f"`{each}`" for each in DTYPES)
        said = f"there is no type named `{symbol.word}`"
        place = symbol.word_span or value.span
        return wrong(said, place, fix or f"choose one of {listed}")
    shape: list[int | None] = []
    for each in symbol.shape or ():
        size = size_of(each)
        if size == 0:
            said = (
                f"a size is a whole number of at least 1, or `?`; this is {each.text}"
            )
            return wrong(said, each.span, "write `?` where any size may stand")
        shape.append(size)
    return Assertion(
        argument.name, argument.name_span, symbol.word, tuple(shape), value.span
    )


def size_of(value: Value) -> int | None:
    """A size, None for `?`, and 0 for what is none."""
    content = value.content
    if isinstance(content, Anything):
        return None
    is_size = isinstance(content, int) and not isinstance(content, bool)
    return content if is_size and isinstance(content, int) and content > 0 else 0


def misplaced(node: Node) -> Diagnostic:
    """A `->` behind something that is no step."""
    span = node.asserted_span or node.head
    said = f"`->` stands behind a step, and `{node.word}` is none"
    return wrong(said, span, "remove it: `tfpc plan` shows all types")


def wrong(headline: str, span: Span, fix: str) -> Diagnostic:
    """An assertion that can't be read."""
    return error("TFP205", headline, span, fix=fix)
