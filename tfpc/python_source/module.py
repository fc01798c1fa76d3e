"""A file of the user's Python, read but never imported."""

from __future__ import annotations

import ast
import pathlib
import re
import warnings
from dataclasses import dataclass

# More than any file that a person wrote; what is larger is not read.
MOST_BYTES = 2_000_000
NAMED = re.compile(r"([^\W\d]\w*(?:\.[^\W\d]\w*)*):([^\W\d]\w*)")


@dataclass(frozen=True, slots=True)
class Module:
    """A file with its syntax tree. name: as it is imported, `photos.models`."""

    name: str
    path: pathlib.Path
    text: str
    tree: ast.Module


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why a file can't be read; line and column count from one, 0 if none is known.

    text: of the file, as far as it is text.
    """

    message: str
    line: int = 0
    column: int = 0
    text: str = ""


def split(named: str) -> tuple[str, str] | None:
    """Module and function of `module:function`; None if it is not of that form."""
    found = NAMED.fullmatch(named)
    return (found[1], found[2]) if found else None


def places(folder: pathlib.Path, module: str) -> tuple[pathlib.Path, pathlib.Path]:
    """Where a module is looked for: `a/b.py`, then `a/b/__init__.py`."""
    base = folder.joinpath(*module.split("."))
    return base.with_name(base.name + ".py"), base / "__init__.py"


def find(folder: pathlib.Path, module: str) -> pathlib.Path | None:
    """The file of a module, as seen from a folder; None if there is none.

    A package stands before a module of the same name, as for Python.
    """
    plain, package = places(folder, module)
    for path in (package, plain):
        try:
            if path.is_file():
                return path
        except OSError:
            continue
    return None


def read(name: str, path: pathlib.Path) -> Module | Unreadable:
    """The file's syntax tree, or why there is none."""
    try:
        if path.stat().st_size > MOST_BYTES:
            return Unreadable(f"it has more than {MOST_BYTES:,} bytes")
        data = path.read_bytes()
    except OSError as problem:
        return Unreadable(problem.strerror or str(problem))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return Unreadable("it is not text in UTF-8")
    return parsed(name, path, text)


def parsed(name: str, path: pathlib.Path, text: str) -> Module | Unreadable:
    """The syntax tree of a text."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return Module(name, path, text, ast.parse(text))
    except SyntaxError as problem:
        said = problem.msg or "it can't be understood"
        return Unreadable(
            f"it is no Python: {said}", problem.lineno or 0, problem.offset or 0, text
        )
    except (ValueError, RecursionError, MemoryError):
        return Unreadable("it is no Python that can be read", text=text)
