"""Where a user's Python makes weights, and whether the strategy's scope can hold them.

Source: https://www.tensorflow.org/guide/distributed_training (what belongs in the scope)
and https://keras.io/guides/migrating_to_keras_3/ (Keras 3 does not track `tf.Variable`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from tfpc.python_source.imports import DEFINED, aliases, dotted
from tfpc.python_source.module import Module

# Layers that have no variables: only shapes and formulas.
WEIGHTLESS = frozenset(
    (
        "Activation",
        "ActivityRegularization",
        "Add",
        "Average",
        "AveragePooling1D",
        "AveragePooling2D",
        "AveragePooling3D",
        "CenterCrop",
        "Concatenate",
        "Cropping1D",
        "Cropping2D",
        "Cropping3D",
        "Dot",
        "ELU",
        "Flatten",
        "GlobalAveragePooling1D",
        "GlobalAveragePooling2D",
        "GlobalAveragePooling3D",
        "GlobalMaxPooling1D",
        "GlobalMaxPooling2D",
        "GlobalMaxPooling3D",
        "Identity",
        "Input",
        "InputLayer",
        "InputSpec",
        "Lambda",
        "LeakyReLU",
        "Masking",
        "MaxPooling1D",
        "MaxPooling2D",
        "MaxPooling3D",
        "Maximum",
        "Minimum",
        "Multiply",
        "Permute",
        "ReLU",
        "RepeatVector",
        "Rescaling",
        "Reshape",
        "Resizing",
        "Softmax",
        "Subtract",
        "UnitNormalization",
        "UpSampling1D",
        "UpSampling2D",
        "UpSampling3D",
        "ZeroPadding1D",
        "ZeroPadding2D",
        "ZeroPadding3D",
    )
)
HOLDERS = (
    "tf.Variable",
    "keras.Variable",
    "keras.Sequential",
    "keras.Model",
    "keras.models.Sequential",
    "keras.models.Model",
    "keras.models.load_model",
    "keras.models.clone_model",
    "keras.saving.load_model",
)
FAMILIES = (
    "keras.layers.",
    "keras.applications.",
    "keras.optimizers.",
    "keras.metrics.",
)
BASES = ("keras.layers.Layer", "keras.Layer", "keras.Model", "keras.models.Model")
CACHES = ("functools.cache", "functools.lru_cache")


class Kind(Enum):
    """What is wrong with the place at which weights are made."""

    AT_IMPORT = "when the file is imported, before the scope"
    DEFAULT = "in a default argument, when the file is imported"
    GLOBAL = "and kept in a global: the next call gets them again"
    CACHED = "and kept by a cache: the next call gets them again"
    UNSEEN = "as a tf.Variable, which Keras does not see"
    STRATEGY = "as a strategy of its own"


@dataclass(frozen=True, slots=True)
class Finding:
    """Weights that are made at a place where they should not be; lines from one."""

    kind: Kind
    module: Module
    node: ast.expr
    name: str


class Reader:
    """Reads one file."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.known = aliases(module)
        self.top = {
            each.name: each for each in module.tree.body if isinstance(each, DEFINED)
        }

    def holds(self, call: ast.Call) -> str:
        """The name of what a call makes, if that has weights; "" otherwise."""
        name = dotted(call.func, self.known)
        if name in HOLDERS:
            return name
        last = name.rpartition(".")[2]
        if name.startswith(FAMILIES) and last[:1].isupper() and last not in WEIGHTLESS:
            return name
        own = call.func.id if isinstance(call.func, ast.Name) else ""
        return own if self.is_layer(own) else ""

    def is_layer(self, name: str, depth: int = 0) -> bool:
        """Whether a class of the file is a Keras layer or model."""
        defined = self.top.get(name)
        if not isinstance(defined, ast.ClassDef) or depth > 20:
            return False
        return any(
            dotted(base, self.known) in BASES
            or (isinstance(base, ast.Name) and self.is_layer(base.id, depth + 1))
            for base in defined.bases
        )

    # ------------------------------------------------------------------ import

    def at_import(self) -> Iterator[Finding]:
        """What is made when the file is imported."""
        for node, kind in run_on_import(self.module.tree.body):
            if isinstance(node, ast.Call):
                name = self.holds(node)
                if name:
                    yield Finding(kind, self.module, node, name)

    def uses(self, function: str, finding: Finding) -> bool:
        """Whether a function uses what is made on import at the finding's place."""
        line = finding.node.lineno
        bound = {
            each.id if isinstance(each, ast.Name) else each.name
            for statement in self.module.tree.body
            if statement.lineno <= line <= (statement.end_lineno or line)
            for each in ast.walk(statement)
            if (isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store))
            or isinstance(each, DEFINED)
        }
        reached = self.reached(function)
        names = {
            each.id
            for defined in reached
            for each in ast.walk(defined)
            if isinstance(each, ast.Name)
        }
        return bool(bound & (names | {function}))

    # --------------------------------------------------------------- functions

    def within(self, function: str) -> Iterator[Finding]:
        """What the function does, and those of the same file that it uses."""
        for defined in self.reached(function):
            yield from self.kept(defined)
            for node in ast.walk(defined):
                if not isinstance(node, ast.Call):
                    continue
                name = dotted(node.func, self.known)
                if name == "tf.Variable":
                    yield Finding(Kind.UNSEEN, self.module, node, name)
                if name.startswith("tf.distribute.") and name.endswith("Strategy"):
                    yield Finding(Kind.STRATEGY, self.module, node, name)

    def reached(self, function: str) -> list[ast.stmt]:
        """The definitions that a function mentions, itself first."""
        waiting, found = [function], {}
        while waiting:
            name = waiting.pop()
            if name in self.top and name not in found:
                found[name] = self.top[name]
                waiting += [
                    each.id
                    for each in ast.walk(self.top[name])
                    if isinstance(each, ast.Name)
                ]
        return list(found.values())

    def kept(self, defined: ast.stmt) -> Iterator[Finding]:
        """Weights that outlive the call that makes them."""
        for node in ast.walk(defined):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            cached = any(self.is_cache(each) for each in node.decorator_list)
            names = {
                name
                for each in ast.walk(node)
                if isinstance(each, ast.Global)
                for name in each.names
            }
            for each in ast.walk(node):
                if cached and isinstance(each, ast.Call) and self.holds(each):
                    yield Finding(Kind.CACHED, self.module, each, self.holds(each))
                elif isinstance(each, ast.Assign) and self.outlives(each, names, node):
                    for call in ast.walk(each.value):
                        if isinstance(call, ast.Call) and self.holds(call):
                            yield Finding(
                                Kind.GLOBAL, self.module, call, self.holds(call)
                            )

    def is_cache(self, decorator: ast.expr) -> bool:
        """`@cache`, `@functools.lru_cache(maxsize=1)`."""
        if isinstance(decorator, ast.Call):
            decorator = decorator.func
        return dotted(decorator, self.known) in CACHES

    def outlives(self, assign: ast.Assign, names: set[str], function: ast.stmt) -> bool:
        """Whether a value goes to a global, or into one: `CACHE["x"] = ...`."""
        local = {
            each.id
            for each in ast.walk(function)
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
        } | {each.arg for each in ast.walk(function) if isinstance(each, ast.arg)}
        for target in assign.targets:
            if isinstance(target, ast.Name) and target.id in names:
                return True
            if not isinstance(target, ast.Subscript):
                continue
            if isinstance(target.value, ast.Name) and target.value.id not in local:
                return True
        return False


def run_on_import(body: list[ast.stmt]) -> Iterator[tuple[ast.AST, Kind]]:
    """The nodes that run when a file is imported, and how they come to."""
    waiting: list[tuple[ast.AST, Kind]] = [(each, Kind.AT_IMPORT) for each in body]
    while waiting:
        node, kind = waiting.pop(0)
        if isinstance(node, ast.If) and is_main(node.test):
            waiting += [(each, kind) for each in node.orelse]
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            given = [*node.args.defaults, *node.args.kw_defaults]
            waiting += [(each, Kind.DEFAULT) for each in given if each is not None]
            if not isinstance(node, ast.Lambda):
                waiting += [(each, kind) for each in node.decorator_list]
        else:
            yield node, kind
            waiting += [(each, kind) for each in ast.iter_child_nodes(node)]


def is_main(test: ast.expr) -> bool:
    """`__name__ == "__main__"`."""
    return isinstance(test, ast.Compare) and any(
        isinstance(each, ast.Name) and each.id == "__name__" for each in ast.walk(test)
    )
