"""One word with its arguments: the class by its name first, then each argument."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pydantic import ValidationError

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Label
from tfpc.diagnostics.span import Span
from tfpc.diagnostics.suggestion import did_you_mean
from tfpc.resolve.tree import Argument, Node
from tfpc.spec.arguments import convert
from tfpc.spec.expectation import Expectation, article, expectation
from tfpc.spec.model import Placed
from tfpc.spec.pydantic_errors import reasons
from tfpc.types.value import Symbol, Value
from tfpc.vocabulary.registry import find, words
from tfpc.vocabulary.word import Word

PLACES = {
    "source": "in `data`",
    "step": "in `pipeline`",
    "layer": "in `model`",
    "monitor": "in `observe`",
    "optimizer": "as `optimizer = ...` in `train`",
    "schedule": "as `learning_rate = ...`",
    "loss": "as `loss = ...` in `train`",
    "metric": "in `metrics = [...]` of `train`",
    "strategy": "as `strategy = ...`",
    "precision": "as `precision = ...`",
    "field": "in `schema`",
}


# What a family is called in messages, where that differs.
NAMES = {"field": "type"}


@dataclass(frozen=True, slots=True)
class Use:
    """A word as it is used: what stands in its parentheses, and where."""

    word: str
    word_span: Span
    span: Span
    positional: tuple[Value, ...]
    keywords: tuple[Argument, ...]
    shape: tuple[Value, ...] | None = None

    @classmethod
    def of_node(cls, node: Node) -> Use:
        """A step, layer or monitor."""
        return cls(node.word, node.word_span, node.head, node.positional, node.keywords)

    @classmethod
    def of_symbol(cls, symbol: Symbol, span: Span) -> Use:
        """A word used as a value."""
        keywords = tuple(
            Argument(name, span, value) for name, value, span in symbol.keywords
        )
        return cls(
            symbol.word,
            symbol.word_span or span,
            span,
            symbol.positional,
            keywords,
            symbol.shape,
        )


@dataclass
class WordDecoder:
    """Decodes words and collects what is wrong with them."""

    problems: list[Diagnostic] = field(default_factory=list)

    def decode(self, use: Use, families: Sequence[str]) -> Placed[Word] | None:
        """The word, or None after a report."""
        cls = self.find_class(use, families)
        if cls is None:
            return None
        given = self.bind(cls, use)
        if given is None:
            return None
        expectations = {
            name: expectation(info.annotation)
            if not info.metadata
            else replace_marks(info.annotation, info.metadata)
            for name, info in cls.model_fields.items()
        }
        raw: dict[str, object] = {}
        failed = False
        for name, value in given.items():
            converted = convert(name, value, expectations[name], cls, self)
            if isinstance(converted, Diagnostic):
                self.problems.append(converted)
            if converted is None or isinstance(converted, Diagnostic):
                failed = True
            else:
                raw[name] = converted
        if failed:
            return None
        try:
            word = cls.model_validate(raw)
        except ValidationError as failure:
            self.report(failure, cls, use, given, expectations)
            return None
        spans = {name: value.span for name, value in given.items()}
        return Placed(word, use.span, spans, given)

    def find_class(self, use: Use, families: Sequence[str]) -> type[Word] | None:
        """The class of a word in one of the families."""
        for family in families:
            found = words(family).get(use.word)
            if found is not None:
                return found
        known = [word for family in families for word in words(family)]
        elsewhere = find(use.word)
        family = families[0]
        if elsewhere:
            other = elsewhere[0]
            self.problems.append(
                error(
                    "TFP101",
                    f"`{use.word}` is {article(other)} {other}, "
                    f"not {article(family)} {family}",
                    use.word_span,
                    f"stands {PLACES[other]}",
                    fix=f"move it where it belongs, or use {article(family)} {family} here",
                )
            )
            return None
        suggestion = did_you_mean(use.word, known)
        self.problems.append(
            error(
                "TFP101",
                f"there is no {NAMES.get(family, family)} named `{use.word}`",
                use.word_span,
                fix=suggestion or f"choose one of {', '.join(f'`{w}`' for w in known)}",
            )
        )
        return None

    def bind(self, cls: type[Word], use: Use) -> dict[str, Value] | None:
        """The arguments by name."""
        before = len(self.problems)
        given: dict[str, Value] = {}
        if len(use.positional) > len(cls.positional):
            extra = use.positional[len(cls.positional)]
            self.problems.append(too_many(cls, extra))
        for name, value in zip(cls.positional, use.positional, strict=False):
            given[name] = value
        for argument in use.keywords:
            if argument.name not in cls.model_fields or argument.name == "shape":
                self.problems.append(unknown_argument(cls, argument))
            elif argument.name in given:
                self.problems.append(given_twice(argument, given[argument.name]))
            else:
                given[argument.name] = argument.value
        if use.shape is not None:
            if "shape" in cls.model_fields:
                given["shape"] = Value(use.shape, use.span)
            else:
                self.problems.append(
                    error(
                        "TFP102",
                        f"`{use.word}` takes no sizes in `[ ]`",
                        use.span,
                        fix=f"write `{use.word}` without them",
                    )
                )
        return None if len(self.problems) > before else given

    def report(
        self,
        failure: ValidationError,
        cls: type[Word],
        use: Use,
        given: dict[str, Value],
        expectations: dict[str, Expectation],
    ) -> None:
        """Every argument that is wrong or missing."""
        missing = []
        for name, text in reasons(failure, given, expectations).items():
            if not text:
                missing.append(name)
                continue
            value = given.get(name)
            self.problems.append(
                error(
                    "TFP103",
                    f"`{name}` of `{cls.word}` {text}"
                    if text.startswith("must")
                    else f"`{name}` of `{cls.word}`: {text}",
                    use.span if value is None else value.span,
                    "" if value is None else f"is {value.text}",
                    labels=provenance(value),
                    fix=f"for example `{cls.example}`" if cls.example else None,
                )
            )
        if missing:
            listed = " and ".join(f"`{name}`" for name in missing)
            self.problems.append(
                error(
                    "TFP102",
                    f"`{cls.word}` needs {listed}",
                    use.span,
                    "; ".join(describe(cls, name) for name in missing),
                    fix=f"for example `{cls.example}`",
                )
            )


def replace_marks(annotation: object, metadata: list[object]) -> Expectation:
    """pydantic keeps the marks of a field's outermost `Annotated` apart."""
    found = expectation(annotation)
    from tfpc.vocabulary.metric_path import MetricPathMark

    if any(mark is MetricPathMark for mark in metadata):
        return replace(found, metric=True, kinds=found.kinds - {str})
    return found


def describe(cls: type[Word], name: str) -> str:
    """What an argument is for."""
    return f"`{name}`: {cls.model_fields[name].description}"


def signature(cls: type[Word]) -> str:
    """The arguments of a word, as a message lists them."""
    names = [name for name in cls.model_fields if name != "shape"]
    if not names:
        return f"`{cls.word}` takes no arguments"
    return f"`{cls.word}` takes {', '.join(f'`{name}`' for name in names)}"


def too_many(cls: type[Word], value: Value) -> Diagnostic:
    """An argument that no name belongs to."""
    count = len(cls.positional)
    if not count:
        headline = f"the arguments of `{cls.word}` are given by name"
    else:
        plural = "" if count == 1 else "s"
        headline = f"`{cls.word}` takes {count} argument{plural} without a name"
    names = [
        name for name in cls.model_fields if name not in (*cls.positional, "shape")
    ]
    fix = f"write `{names[0]} = {value.text}`" if names else "remove it"
    return error("TFP102", headline, value.span, "one too many", fix=fix)


def unknown_argument(cls: type[Word], argument: Argument) -> Diagnostic:
    """A name that the word does not know."""
    names = [name for name in cls.model_fields if name != "shape"]
    return error(
        "TFP102",
        f"`{cls.word}` has no argument `{argument.name}`",
        argument.name_span,
        signature(cls),
        fix=did_you_mean(argument.name, names) or "remove it",
    )


def given_twice(argument: Argument, first: Value) -> Diagnostic:
    """One argument, two values."""
    return error(
        "TFP102",
        f"`{argument.name}` is given twice",
        argument.name_span,
        labels=(Label(first.span, "given here already"),),
        fix="keep one of the two",
    )


def provenance(value: Value | None) -> tuple[Label, ...]:
    """The place that a value came from, if it is another one."""
    if value is None or value.origin is None or value.origin == value.span:
        return ()
    return (Label(value.origin, value.how),)
