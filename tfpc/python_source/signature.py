"""What a function or class of the user's takes, by its `def` alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from tfpc.python_source.module import Module

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter; by_name: it may be given by name, by_position: without one."""

    name: str
    required: bool
    by_name: bool = True
    by_position: bool = True


@dataclass(frozen=True, slots=True)
class Signature:
    """What a call takes; `self` is left out.

    open_names: it takes any name (`**options`); known: False where the class takes its
    parameters from a base that is not in the file.
    """

    name: str
    line: int
    is_class: bool
    parameters: tuple[Parameter, ...]
    open_names: bool = False
    known: bool = True

    @property
    def names(self) -> tuple[str, ...]:
        """Those that may be given by name."""
        return tuple(each.name for each in self.parameters if each.by_name)

    def lacking(self, given: frozenset[str]) -> tuple[str, ...]:
        """The required parameters that are not among those given, in order."""
        return tuple(
            each.name
            for each in self.parameters
            if each.required and each.name not in given
        )


def definitions(module: Module) -> Iterator[Definition]:
    """The functions and classes at the top of the file, also below an `if` or `try`."""
    waiting: list[ast.stmt] = list(module.tree.body)
    while waiting:
        statement = waiting.pop(0)
        if isinstance(statement, Definition):
            yield statement
        elif isinstance(statement, ast.If | ast.Try | ast.With):
            waiting[:0] = [
                each
                for each in ast.iter_child_nodes(statement)
                if isinstance(each, ast.stmt)
            ]


def names(module: Module) -> list[str]:
    """What a spec could name: functions and classes that are not private."""
    return [each.name for each in definitions(module) if not each.name.startswith("_")]


def find(module: Module, function: str) -> Signature | None:
    """The last definition of that name, which is the one that Python keeps."""
    found = [each for each in definitions(module) if each.name == function]
    return of_definition(found[-1], module) if found else None


def of_definition(definition: Definition, module: Module) -> Signature:
    """The signature of a function, or of the way to make an object of a class."""
    if not isinstance(definition, ast.ClassDef):
        return of_arguments(definition.name, definition.lineno, definition.args)
    made = constructor(definition, module)
    if made is None:
        line = definition.lineno
        return Signature(definition.name, line, True, (), open_names=True, known=False)
    arguments = made.args
    first = [*arguments.posonlyargs, *arguments.args][:1]
    found = of_arguments(definition.name, definition.lineno, arguments)
    own = tuple(each for each in found.parameters if each.name not in names_of(first))
    return Signature(definition.name, definition.lineno, True, own, found.open_names)


def names_of(arguments: list[ast.arg]) -> list[str]:
    """Their names."""
    return [each.arg for each in arguments]


def constructor(
    definition: ast.ClassDef, module: Module, depth: int = 0
) -> ast.FunctionDef | None:
    """`__init__` of the class, or of the nearest base in the same file."""
    for each in definition.body:
        if isinstance(each, ast.FunctionDef) and each.name == "__init__":
            return each
    for base in definition.bases:
        for other in definitions(module):
            is_base = isinstance(base, ast.Name) and other.name == base.id
            if is_base and isinstance(other, ast.ClassDef) and depth < 20:
                return constructor(other, module, depth + 1)
    return None


def of_arguments(name: str, line: int, given: ast.arguments) -> Signature:
    """The signature of a list of parameters."""
    positional = [*given.posonlyargs, *given.args]
    without = len(positional) - len(given.defaults)
    parameters = [
        Parameter(
            each.arg,
            required=number < without,
            by_name=number >= len(given.posonlyargs),
        )
        for number, each in enumerate(positional)
    ]
    parameters += [
        Parameter(each.arg, required=default is None, by_position=False)
        for each, default in zip(given.kwonlyargs, given.kw_defaults, strict=True)
    ]
    return Signature(name, line, False, tuple(parameters), given.kwarg is not None)
