"""The user's Python functions: found in their files, and held to what they take."""

from __future__ import annotations

import pathlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Label
from tfpc.diagnostics.span import Source, Span
from tfpc.diagnostics.suggestion import did_you_mean
from tfpc.plan.ir import PythonPlan
from tfpc.python_source.imports import neighbours
from tfpc.python_source.module import Module, Unreadable, find, places, read, split
from tfpc.python_source.signature import Signature, names
from tfpc.python_source.signature import find as find_signature
from tfpc.spec.model import Assertion, Placed
from tfpc.types.element import Element
from tfpc.types.tensor import Content, Tensor
from tfpc.vocabulary.python_word import PythonLayer, PythonStep, PythonWord

# What a step may ask for besides the components.
SEED = "seed"
CHANNELS = (1, 3, 4)


@dataclass
class PythonReader:
    """Looks functions up below a folder, each file once. uses: all that was found."""

    folder: pathlib.Path
    modules: dict[str, Module | Unreadable | None] = field(default_factory=dict)
    uses: list[PythonPlan] = field(default_factory=list)

    def module(self, name: str) -> Module | Unreadable | None:
        """A module's file; None if there is none."""
        if name not in self.modules:
            path = find(self.folder, name)
            self.modules[name] = None if path is None else read(name, path)
        return self.modules[name]

    def signature(self, placed: Placed[PythonWord]) -> Signature | Diagnostic:
        """What the function takes, or why it can't be said."""
        word = placed.word
        parts = split(word.function)
        assert parts is not None
        name, function = parts
        span = placed.argument_spans["function"]
        module = self.module(name)
        if module is None:
            return not_there(self.folder, name, span)
        if isinstance(module, Unreadable):
            return unreadable(find(self.folder, name), module, span)
        found = find_signature(module, function)
        if found is None:
            return unknown_function(module, function, span)
        if not any(each.span == placed.span for each in self.uses):
            files = self.with_neighbours(module)
            self.uses.append(PythonPlan(word, placed.span, module, found, files))
        return found

    def with_neighbours(self, module: Module) -> tuple[Module, ...]:
        """The file and those that it imports from the folder of the spec, and so on."""
        found = {module.path: module}
        waiting = [module]
        while waiting:
            for name in neighbours(waiting.pop()):
                other = self.module(name)
                if isinstance(other, Module) and other.path not in found:
                    found[other.path] = other
                    waiting.append(other)
        return tuple(found.values())

    def wrong_arguments(
        self, placed: Placed[PythonWord], found: Signature, free: Sequence[str]
    ) -> Diagnostic | None:
        """An argument that the function lacks, or one that is lacking.

        free: parameters that are given by tfpc.
        """
        given = dict(placed.word.arguments)
        for name in given:
            if name in free:
                said = f"`{name}` of `{found.name}` is given by tfpc"
                return error("TFP253", said, placed.argument_spans[name])
            if name not in found.names and not found.open_names:
                open_names = tuple(each for each in found.names if each not in free)
                return error(
                    "TFP253",
                    f"`{found.name}` has no parameter `{name}`",
                    placed.argument_spans[name],
                    labels=(self.label(placed, found),),
                    fix=did_you_mean(name, open_names)
                    or f"it takes {listed(open_names)}",
                )
        lacking = found.lacking(frozenset((*given, *free)))
        if not lacking:
            return None
        return error(
            "TFP253",
            f"`{found.name}` needs {listed(lacking)}",
            placed.span,
            "is not given it",
            labels=(self.label(placed, found),),
            fix=f"write `{lacking[0]} = ...` in the parentheses",
        )

    def label(self, placed: Placed[PythonWord], found: Signature) -> Label:
        """The line of the `def`."""
        module = self.module(placed.word.function.partition(":")[0])
        assert isinstance(module, Module)
        return Label(line_span(module.path, module.text, found.line), "defined here")

    # ------------------------------------------------------------------- step

    def step(
        self, placed: Placed[PythonStep], element: Element
    ) -> StepTypes | Diagnostic:
        """What a step takes of an element, and what it makes of it."""
        found = self.signature(placed)
        if isinstance(found, Diagnostic):
            return found
        given = dict(placed.word.arguments)
        takes = tuple(
            each.name
            for each in found.parameters
            if each.name in element.names and each.name not in given
        )
        seeded = SEED in found.names and SEED not in given and SEED not in takes
        free = (*takes, *((SEED,) if seeded else ()))
        problem = self.wrong_arguments(placed, found, free)
        if problem is None and not takes:
            said = f"no parameter of `{found.name}` names a component of the pipeline"
            problem = error(
                "TFP253",
                said,
                placed.span,
                f"here there is {element}",
                labels=(self.label(placed, found),),
                why="a step is given the components that its parameters name.",
                fix=f"name one of them `{element.names[0]}`",
            )
        if problem is not None:
            return problem
        gives = tuple(self.given(each, element) for each in placed.asserted)
        gives = gives or ((takes[0], opened(element[takes[0]])),)
        after = dict(element.components) | dict(gives)
        names_of = tuple(name for name, _ in gives)
        return StepTypes(takes, seeded, names_of, Element(tuple(after.items())))

    def given(self, said: Assertion, element: Element) -> tuple[str, Tensor]:
        """A component that a step is said to give."""
        tensor = Tensor(said.dtype, said.shape)
        if said.component in element.names:
            old = element[said.component]
            same = (old.dtype, old.shape) == (tensor.dtype, tensor.shape)
            kept = old.content is Content.LABEL and same
            return said.component, old if kept else replace(
                tensor, content=content(old, tensor)
            )
        return said.component, replace(tensor, content=content(None, tensor))

    # ------------------------------------------------------------------ layer

    def layer(
        self, placed: Placed[PythonLayer], tensor: Tensor
    ) -> Placed[PythonLayer] | Diagnostic:
        """The layer with what it makes of a tensor, batch first."""
        found = self.signature(placed)
        if isinstance(found, Diagnostic):
            return found
        given = frozenset(dict(placed.word.arguments))
        first = next((each for each in found.parameters if each.by_position), None)
        makes = found.is_class or not found.lacking(given)
        free = () if makes or first is None else (first.name,)
        problem = self.wrong_arguments(placed, found, free)
        if problem is not None:
            return problem
        gives = opened(tensor)
        for said in placed.asserted:
            gives = Tensor(said.dtype, (None, *said.shape))
        word = placed.word.model_copy(update={"makes": makes, "gives": gives})
        return replace(placed, word=word)

    def two_first(self, placed: Placed[PythonWord]) -> Diagnostic | None:
        """What is wrong with a loss or metric: it takes label and scores first."""
        found = self.signature(placed)
        if isinstance(found, Diagnostic):
            return found
        if found.is_class:
            return self.wrong_arguments(placed, found, ())
        first = [each.name for each in found.parameters if each.by_position][:2]
        if len(first) < 2:
            return error(
                "TFP253",
                f"`{found.name}` takes no label and scores",
                placed.span,
                labels=(self.label(placed, found),),
                why="the first two parameters are the label and the model's output.",
                fix=f"write `def {found.name}(label, scores, ...)`",
            )
        return self.wrong_arguments(placed, found, first)


@dataclass(frozen=True, slots=True)
class StepTypes:
    """takes: the components that a step is given; seeded: it is given a seed, too;
    gives: those that it returns, in order; after: the element behind it.
    """

    takes: tuple[str, ...]
    seeded: bool
    gives: tuple[str, ...]
    after: Element


def opened(tensor: Tensor) -> Tensor:
    """The same type; which values it has is not known behind a function."""
    return replace(tensor, low=None, high=None)


def content(old: Tensor | None, new: Tensor) -> Content:
    """What a component holds: as before, or a picture if it is made like one."""
    if old is not None and old.content is Content.LABEL:
        return Content.LABEL
    shape = new.shape or ()
    is_picture = len(shape) == 3 and shape[-1] in CHANNELS and new.dtype != "string"
    return Content.IMAGE if is_picture else Content.OTHER


def line_span(path: pathlib.Path, text: str, line: int) -> Span:
    """A line of a Python file, without its indentation."""
    source = Source(str(path), text)
    line = min(max(line, 1), source.line_count)
    written = source.line(line)
    start = source.line_start(line) + len(written) - len(written.lstrip())
    return Span(source, start, source.line_start(line) + max(len(written.rstrip()), 1))


def listed(names_of: Sequence[str]) -> str:
    """`a`, `b`."""
    return ", ".join(f"`{each}`" for each in names_of) or "nothing"


def not_there(folder: pathlib.Path, name: str, span: Span) -> Diagnostic:
    """A module whose file is missing."""
    plain, _ = places(folder, name)
    beside = sorted(each.stem for each in folder.glob("*.py"))[:50]
    return error(
        "TFP251",
        f"there is no file {plain}",
        span,
        "names it",
        why="a module is looked for from the folder of the spec, never installed ones.",
        fix=did_you_mean(name, beside) or f"write the function into {plain}",
    )


def unreadable(path: pathlib.Path | None, why: Unreadable, span: Span) -> Diagnostic:
    """A module whose file is no Python."""
    labels: tuple[Label, ...] = ()
    if why.line and path is not None:
        labels = (Label(line_span(path, why.text, why.line), "here"),)
    at = f", line {why.line}" if why.line else ""
    return error(
        "TFP252",
        f"{path}{at} can't be read: {why.message}",
        span,
        "names this file",
        labels=labels,
        fix="mend the file",
    )


def unknown_function(module: Module, function: str, span: Span) -> Diagnostic:
    """A function that is not in its file."""
    known = names(module)
    fix = did_you_mean(function, known)
    if not fix:
        fix = f"it has {listed(known[:8])}" if known else "write it there"
    return error(
        "TFP251",
        f"{module.path} defines no `{function}`",
        span,
        "names it",
        why="the function or class has to be written in that file itself.",
        fix=fix,
    )
