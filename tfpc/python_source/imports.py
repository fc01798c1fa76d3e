"""What the names of a file stand for, by its imports: `L.Dense` is `keras.layers.Dense`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfpc.python_source.module import Module


def aliases(module: Module) -> dict[str, str]:
    """The dotted name that each imported name stands for, anywhere in the file."""
    found: dict[str, str] = {}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                whole = alias.name if alias.asname else alias.name.partition(".")[0]
                found[alias.asname or whole] = canonical(whole)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            for alias in node.names:
                name = f"{node.module or ''}.{alias.name}"
                found[alias.asname or alias.name] = canonical(name)
    defined = {each.name for each in ast.walk(module.tree) if isinstance(each, DEFINED)}
    return {name: dotted for name, dotted in found.items() if name not in defined}


DEFINED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def canonical(dotted: str) -> str:
    """One name for what has several: `tensorflow.keras.layers` is `keras.layers`."""
    for long, short in (("tensorflow.keras", "keras"), ("tensorflow", "tf")):
        if dotted == long or dotted.startswith(long + "."):
            return short + dotted[len(long) :]
    return dotted


def dotted(node: ast.expr, known: dict[str, str]) -> str:
    """The whole name of an expression such as `L.Dense`; "" if it is not certain."""
    path: list[str] = []
    while isinstance(node, ast.Attribute):
        path.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or node.id not in known:
        return ""
    name = ".".join([known[node.id], *reversed(path)])
    return "keras" + name[8:] if name.startswith("tf.keras") else name


def neighbours(module: Module) -> Iterator[str]:
    """The modules that a file imports, as far as they could be files beside it."""
    package = module.name.split(".")
    if module.path.name != "__init__.py":
        package = package[:-1]
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            start = ".".join([*base, *([node.module] if node.module else [])])
            if start:
                yield start
            for alias in node.names:
                yield f"{start}.{alias.name}".lstrip(".")
