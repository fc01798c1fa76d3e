"""Expressions to values: numbers with units, text with `${}`, names, facts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Fix
from tfpc.diagnostics.span import Span
from tfpc.resolve.arithmetic import LARGEST, combined, negated
from tfpc.resolve.bounds import too_many_parts
from tfpc.resolve.environment import read_arguments, read_variable
from tfpc.resolve.facts import FACTS, called_fact, is_fact, misnamed_fact, unknown_fact
from tfpc.resolve.failure import UnresolvedError
from tfpc.resolve.lets import Lets, not_imported
from tfpc.resolve.text import filled
from tfpc.resolve.units import quantity
from tfpc.syntax import nodes
from tfpc.types.value import Anything, Interval, Symbol, Value

NOT_YET = "is not available in this version of tfpc"


@dataclass
class Evaluator:
    """Evaluates expressions and collects what is wrong with them.

    data: the names of all data blocks; fact: asks for a fact of a data block, by its
    name; None if it is not known. It may raise UnresolvedError after a report.
    """

    data: tuple[str, ...]
    fact: Callable[[nodes.Path], int | None]
    lets: Lets
    problems: list[Diagnostic] = field(default_factory=list)
    inside: str | None = None  # the `let` whose value is being evaluated
    imports: dict[str, Evaluator] = field(default_factory=dict)
    parameters: Mapping[str, Value] = field(default_factory=dict)

    def __post_init__(self) -> None:
        facts = [f"{data}.{fact}" for data in self.data for fact in FACTS]
        self.known = (*self.lets.names, *facts)  # what a name could have meant

    def evaluate(self, node: nodes.Expression) -> Value:
        """The value of an expression. Raises UnresolvedError after reporting why not."""
        method = getattr(self, f"evaluate_{type(node).__name__.lower()}")
        value: Value = method(node)
        return value

    def evaluate_let(self, node: nodes.Expression) -> Value:
        """The value of the innermost open `let`, which may use those above it."""
        before, self.inside = self.inside, self.lets.open[-1]
        try:
            return self.evaluate(node)
        finally:
            self.inside = before

    def value(self, node: nodes.Expression) -> Value | None:
        """The value of an expression, None after reporting why not."""
        try:
            return self.evaluate(node)
        except UnresolvedError:
            return None

    def fail(
        self,
        code: str,
        headline: str,
        span: Span,
        label: str = "",
        why: str = "",
        fix: Fix | str | None = None,
    ) -> UnresolvedError:
        """Reports a problem; the caller raises what is returned."""
        self.problems.append(error(code, headline, span, label, why=why, fix=fix))
        return UnresolvedError()

    def failed(self, problem: Diagnostic) -> UnresolvedError:
        """Takes a problem over; the caller raises what is returned."""
        self.problems.append(problem)
        return UnresolvedError()

    # ---------------------------------------------------------------- literals

    def evaluate_integer(self, node: nodes.Integer) -> Value:
        """A whole number of at most 64 bits."""
        if node.value > LARGEST:
            raise self.fail(
                "TFP120",
                "this number is too large",
                node.span,
                f"at most {LARGEST:,}",
                fix="write a smaller number",
            )
        return Value(node.value, node.span)

    def evaluate_float(self, node: nodes.Float) -> Value:
        """A number with a point or an exponent."""
        return Value(node.value, node.span)

    def evaluate_boolean(self, node: nodes.Boolean) -> Value:
        """`true` or `false`."""
        return Value(node.value, node.span)

    def evaluate_unknown(self, node: nodes.Unknown) -> Value:
        """`?`."""
        return Value(Anything(), node.span)

    def evaluate_quantity(self, node: nodes.Quantity) -> Value:
        """A number with a unit."""
        amount = quantity(node)
        if isinstance(amount, Diagnostic):
            raise self.failed(amount)
        return Value(amount, node.span)

    def evaluate_text(self, node: nodes.Text) -> Value:
        """Text; `${name}` puts the value of a `let` in."""
        values = [self.named(each) for each in node.parts if not isinstance(each, str)]
        value = filled(node, values, self.lets.names)
        if isinstance(value, Diagnostic):
            raise self.failed(value)
        return value

    def evaluate_list(self, node: nodes.List) -> Value:
        """`[a, b]`."""
        return self.bounded(Value(tuple(self.all_of(node.items)), node.span))

    def evaluate_range(self, node: nodes.Range) -> Value:
        """`low..high`."""
        low, high = self.all_of((node.low, node.high))
        return self.bounded(Value(Interval(low, high), node.span))

    def all_of(self, items: tuple[nodes.Expression, ...]) -> list[Value]:
        """The values of all, after reporting what is wrong with each."""
        values = [self.value(item) for item in items]
        whole = [value for value in values if value is not None]
        if len(whole) < len(values):
            raise UnresolvedError
        return whole

    def bounded(self, value: Value) -> Value:
        """The value itself, unless its parts are too many to look through."""
        problem = too_many_parts(value)
        if problem is not None:
            raise self.failed(problem)
        return value

    # -------------------------------------------------------------------- names

    def evaluate_pythoncall(self, node: nodes.PythonCall) -> Value:
        """A function of the user's, as a loss, a metric or a source."""
        arguments = node.arguments
        positional = arguments.positional if arguments else ()
        keywords = arguments.keywords if arguments else ()
        given = (*positional, *(keyword.value for keyword in keywords))
        target, *values = self.all_of((node.target, *given))
        named = zip(keywords, values[len(positional) :], strict=True)
        symbol = Symbol(
            "python",
            tuple(values[: len(positional)]),
            tuple((each.name.text, value, each.name.span) for each, value in named),
            called=arguments is not None,
            target=target,
        )
        return self.bounded(Value(symbol, node.span))

    def evaluate_call(self, node: nodes.Call) -> Value:
        """A `let`, a fact of the data, `env(...)`, or else a word."""
        if node.path.text == "env":
            return self.environment(node)
        if node.arguments is None and node.shape is None:
            return self.named(node.path)
        if is_fact(node.path, self.data):
            raise self.failed(called_fact(node))
        keywords = node.arguments.keywords if node.arguments else ()
        positional = node.arguments.positional if node.arguments else ()
        given = (*positional, *(keyword.value for keyword in keywords))
        values = self.all_of((*given, *(node.shape or ())))
        named = zip(keywords, values[len(positional) :], strict=False)
        symbol = Symbol(
            node.path.text,
            tuple(values[: len(positional)]),
            tuple((each.name.text, value, each.name.span) for each, value in named),
            called=node.arguments is not None,
            shape=None if node.shape is None else tuple(values[len(given) :]),
            word_span=node.path.span,
            lets=(*self.parameters, *self.known),
        )
        return self.bounded(Value(symbol, node.span))

    def named(self, path: nodes.Path) -> Value:
        """What a bare name stands for."""
        if path.text in self.parameters:
            return replace(self.parameters[path.text], span=path.span)
        if path.names[0].text in self.imports and len(path.names) > 1:
            return self.imported(path)
        if path.text in self.lets.positions:
            known = self.lets.value(path, self.evaluate_let, inside=self.inside)
            if isinstance(known, Diagnostic):
                raise self.failed(known)
            return replace(
                known,
                span=path.span,
                origin=known.origin or known.span,
                how=known.how or f"set by `let {path.text}`",
            )
        if is_fact(path, self.data):
            return self.fact_of(path)
        symbol = Symbol(
            path.text, word_span=path.span, lets=(*self.parameters, *self.known)
        )
        return Value(symbol, path.span)

    def imported(self, path: nodes.Path) -> Value:
        """`common.size`: a `let` of an imported file."""
        evaluator = self.imports[path.names[0].text]
        inner = nodes.Path(path.names[1].span, path.names[1:])
        if inner.text not in evaluator.lets.positions:
            raise self.failed(not_imported(path, evaluator.lets.names))
        known = evaluator.lets.value(inner, evaluator.evaluate_let, inside=None)
        if isinstance(known, Diagnostic):
            raise self.failed(known)
        origin = known.origin or known.span
        how = known.how or f"set by `let {inner.text}`"
        return Value(known.content, path.span, origin, how)

    @contextmanager
    def bound_to(self, parameters: Mapping[str, Value]) -> Iterator[None]:
        """Evaluates the lines of a definition, where parameters have these values."""
        before, self.parameters = self.parameters, parameters
        try:
            yield
        finally:
            self.parameters = before

    def fact_of(self, path: nodes.Path) -> Value:
        """`cifar.classes`: something that the data tells."""
        problem = misnamed_fact(path, self.data)
        if problem is not None:
            raise self.failed(problem)
        value = self.fact(path)
        if value is None:
            raise self.failed(unknown_fact(path))
        return Value(
            value, path.span, None, f"read from the data of `{path.names[0].text}`"
        )

    def environment(self, node: nodes.Call) -> Value:
        """`env("NAME", default = "...")`."""
        asked = read_arguments(node)
        if isinstance(asked, Diagnostic):
            raise self.failed(asked)
        name = self.evaluate(asked.name)
        default = None if asked.default is None else self.evaluate(asked.default)
        value = read_variable(node, name, default)
        if isinstance(value, Diagnostic):
            raise self.failed(value)
        return value

    # --------------------------------------------------------------- arithmetic

    def evaluate_negate(self, node: nodes.Negate) -> Value:
        """`-x`."""
        value = self.evaluate(node.operand)
        content = negated(node, value)
        if isinstance(content, Diagnostic):
            raise self.failed(content)
        return Value(content, node.span, value.origin, value.how)

    def evaluate_binary(self, node: nodes.Binary) -> Value:
        """`a + b`, `a - b`, `a * b`, `a / b` on numbers; `2 * 3epochs`."""
        left, right = self.all_of((node.left, node.right))
        content = combined(node, left, right)
        if isinstance(content, Diagnostic):
            raise self.failed(content)
        origin = left if left.origin else right
        return Value(content, node.span, origin.origin, origin.how)
