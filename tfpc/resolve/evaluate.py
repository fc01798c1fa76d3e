"""Expressions to values: numbers with units, text with `${}`, names, arithmetic."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Fix
from tfpc.diagnostics.span import Span
from tfpc.diagnostics.suggestion import did_you_mean
from tfpc.resolve.units import quantity
from tfpc.syntax import nodes
from tfpc.types.quantity import Bytes, Epochs, Percent, Seconds, Steps
from tfpc.types.value import Anything, Interval, Symbol, Value

LARGEST = 2**63 - 1
FACTS = ("classes", "size")
NOT_YET = "is not available in this version of tfpc"


class UnresolvedError(Exception):
    """An expression that has no value; its problem has been reported."""


@dataclass
class Evaluator:
    """Evaluates expressions and collects what is wrong with them.

    lets: values by name; data: the names of all data blocks; fact: asks for a fact of
    a data block, by its name, and gives None if it is not known.
    """

    data: frozenset[str]
    fact: Callable[[str, str], int | None]
    lets: dict[str, Value] = field(default_factory=dict)
    problems: list[Diagnostic] = field(default_factory=list)

    def evaluate(self, node: nodes.Expression) -> Value:
        """The value of an expression. Raises UnresolvedError after reporting why not."""
        method = getattr(self, f"evaluate_{type(node).__name__.lower()}")
        value: Value = method(node)
        return value

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
            self.problems.append(amount)
            raise UnresolvedError
        return Value(amount, node.span)

    def evaluate_text(self, node: nodes.Text) -> Value:
        """Text; `${name}` puts the value of a `let` in."""
        parts = []
        for part in node.parts:
            if isinstance(part, str):
                parts.append(part)
                continue
            content = self.named(part).content
            if isinstance(content, bool) or not isinstance(content, str | int | float):
                raise self.fail(
                    "TFP121",
                    f"`{part.text}` can't stand in text",
                    part.span,
                    "is neither text nor a number",
                    fix="put a `let` of text or of a number there",
                )
            parts.append(str(content))
        return Value("".join(parts), node.span)

    def evaluate_list(self, node: nodes.List) -> Value:
        """`[a, b]`."""
        return Value(tuple(self.all_of(node.items)), node.span)

    def evaluate_range(self, node: nodes.Range) -> Value:
        """`low..high`."""
        low, high = self.all_of((node.low, node.high))
        return Value(Interval(low, high), node.span)

    def all_of(self, items: tuple[nodes.Expression, ...]) -> list[Value]:
        """The values of all, after reporting what is wrong with each."""
        values: list[Value] = []
        failed = False
        for item in items:
            try:
                values.append(self.evaluate(item))
            except UnresolvedError:
                failed = True
        if failed:
            raise UnresolvedError
        return values

    # -------------------------------------------------------------------- names

    def evaluate_pythoncall(self, node: nodes.PythonCall) -> Value:
        """Python comes with a later version."""
        raise self.fail("TFP199", f"`python` as a value {NOT_YET}", node.span)

    def evaluate_call(self, node: nodes.Call) -> Value:
        """A `let`, a fact of the data, `env(...)`, or else a word."""
        if node.path.text == "env":
            return self.environment(node)
        if node.arguments is None and node.shape is None:
            return self.named(node.path)
        arguments = node.arguments
        positional = self.all_of(arguments.positional) if arguments else []
        keywords = self.all_of(
            tuple(each.value for each in arguments.keywords) if arguments else ()
        )
        names = [each.name for each in arguments.keywords] if arguments else []
        shape = None if node.shape is None else tuple(self.all_of(node.shape))
        symbol = Symbol(
            node.path.text,
            tuple(positional),
            tuple(
                (name.text, value, name.span)
                for name, value in zip(names, keywords, strict=True)
            ),
            called=arguments is not None,
            shape=shape,
            word_span=node.path.span,
        )
        return Value(symbol, node.span)

    def named(self, path: nodes.Path) -> Value:
        """What a bare name stands for."""
        known = self.lets.get(path.text)
        if known is not None:
            how = f"set by `let {path.text}`"
            return replace(
                known,
                span=path.span,
                origin=known.origin or known.span,
                how=known.how or how,
            )
        if path.names[0].text in self.data and len(path.names) > 1:
            return self.fact_of(path)
        lets = tuple(self.lets)
        return Value(Symbol(path.text, word_span=path.span, lets=lets), path.span)

    def fact_of(self, path: nodes.Path) -> Value:
        """`cifar.classes`: something that the data tells."""
        data, fact = path.names[0].text, path.text.partition(".")[2]
        if fact not in FACTS:
            raise self.fail(
                "TFP122",
                f"`{data}` has no fact named `{fact}`",
                path.span,
                f"known are {' and '.join(f'`{data}.{each}`' for each in FACTS)}",
                fix=did_you_mean(fact, FACTS) or None,
            )
        value = self.fact(data, fact)
        if value is None:
            raise self.fail(
                "TFP122",
                f"`{path.text}` is not known here",
                path.span,
                "can't be seen in the data without reading all of it",
                fix="write the number, or say it in the schema: "
                "`label = int64(classes = 10)`"
                if fact == "classes"
                else "write the number",
            )
        return Value(value, path.span, None, f"read from the data of `{data}`")

    def environment(self, node: nodes.Call) -> Value:
        """`env("NAME", default = "...")`: a variable of the environment, as text.

        Its value is that at the time when tfpc runs, and it is baked into the program
        like any other text of the spec.
        """
        arguments = node.arguments
        given = arguments.positional if arguments else ()
        keywords = (
            {each.name.text: each.value for each in arguments.keywords}
            if arguments
            else {}
        )
        if len(given) != 1 or set(keywords) - {"default"}:
            raise self.fail(
                "TFP123",
                "`env` takes the name of a variable, and a default",
                node.span,
                fix='write `env("NAME", default = "...")`',
            )
        name = self.evaluate(given[0])
        default = self.evaluate(keywords["default"]) if keywords else None
        if not isinstance(name.content, str):
            raise self.fail(
                "TFP123",
                "the name of a variable is text",
                name.span,
                fix=f'write it in quotes: `env("{name.text}")`',
            )
        text = os.environ.get(name.content)
        if text is not None:
            how = f"read from the environment variable {name.content}"
            return Value(text, node.span, None, how)
        if default is None:
            raise self.fail(
                "TFP123",
                f"the environment variable {name.content} is not set",
                node.span,
                "has no default",
                fix=f'set it, or write `env("{name.content}", default = "...")`',
            )
        return replace(default, span=node.span)

    # --------------------------------------------------------------- arithmetic

    def evaluate_negate(self, node: nodes.Negate) -> Value:
        """`-x`."""
        value = self.evaluate(node.operand)
        content = value.content
        if isinstance(content, bool) or not isinstance(content, int | float):
            raise self.fail(
                "TFP124", f"`-` needs a number, {value.text} is none", node.span
            )
        return Value(-content, node.span, value.origin, value.how)

    def evaluate_binary(self, node: nodes.Binary) -> Value:
        """`a + b`, `a - b`, `a * b`, `a / b` on numbers; `2 * 3epochs`."""
        left, right = self.all_of((node.left, node.right))
        content = self.combined(node, left, right)
        origin = left if left.origin else right
        return Value(content, node.span, origin.origin, origin.how)

    def combined(
        self, node: nodes.Binary, left: Value, right: Value
    ) -> int | float | Percent | Epochs | Steps | Seconds | Bytes:
        """The result of an operation."""
        amounts = (Percent, Epochs, Steps, Seconds, Bytes)
        numbers = []
        unit: type | None = None
        for side in (left, right):
            content = side.content
            if isinstance(content, amounts):
                if unit is not None and (
                    unit is not type(content) or node.operator in "*/"
                ):
                    raise self.fail(
                        "TFP124",
                        f"{left.text} {node.operator} {right.text} has no meaning",
                        node.span,
                        "the units do not go together",
                        fix="give one of the two without a unit",
                    )
                unit = type(content)
                numbers.append(
                    content.fraction if isinstance(content, Percent) else content.number
                )
            elif isinstance(content, int | float) and not isinstance(content, bool):
                numbers.append(content)
            else:
                raise self.fail(
                    "TFP124",
                    f"`{node.operator}` needs numbers, {side.text} is none",
                    side.span,
                    fix="write a number, or the name of a `let` that is one",
                )
        plain = [s for s in (left, right) if not isinstance(s.content, amounts)]
        if (
            unit is not None
            and plain
            and (node.operator in "+-" or (node.operator == "/" and plain[0] is left))
        ):
            raise self.fail(
                "TFP124",
                f"{left.text} {node.operator} {right.text} has no meaning",
                node.span,
                f"{plain[0].text} has no unit",
                fix="give both the same unit",
            )
        number = self.computed(node, numbers[0], numbers[1])
        if unit is None:
            return number
        if unit in (Steps, Bytes):
            if number != int(number):
                raise self.fail(
                    "TFP124", "this does not come to a whole number", node.span
                )
            number = int(number)
        result: Percent | Epochs | Steps | Seconds | Bytes = unit(number)
        return result

    def computed(
        self, node: nodes.Binary, left: int | float, right: int | float
    ) -> int | float:
        """The number that an operation comes to; whole division stays whole."""
        if node.operator == "/" and right == 0:
            raise self.fail(
                "TFP124",
                "this divides by zero",
                node.right.span,
                "is zero",
                fix="write another number",
            )
        result: int | float
        if node.operator == "+":
            result = left + right
        elif node.operator == "-":
            result = left - right
        elif node.operator == "*":
            result = left * right
        elif isinstance(left, int) and isinstance(right, int) and left % right == 0:
            result = left // right
        else:
            result = left / right
        if (isinstance(result, int) and abs(result) > LARGEST) or not math.isfinite(
            result
        ):
            raise self.fail(
                "TFP120", "this comes to a number that is too large", node.span
            )
        return result
