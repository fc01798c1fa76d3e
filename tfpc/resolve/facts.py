"""Facts of the data used as values, `cifar.classes`: which there are, and their names."""

from __future__ import annotations

from collections.abc import Sequence

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.diagnostics.suggestion import nearest
from tfpc.syntax.nodes import Call, Path

FACTS = ("classes", "size")


def is_fact(path: Path, data: Sequence[str]) -> bool:
    """Whether a path asks the data something; no word ends in `.classes`."""
    names = [name.text for name in path.names]
    return len(names) > 1 and (
        names[0] in data or (len(names) == 2 and names[1] in FACTS)
    )


def misnamed_fact(path: Path, data: Sequence[str]) -> Diagnostic | None:
    """What is wrong with the names of a fact; data: the names of all data blocks."""
    block, fact = path.names[0].text, path.text.partition(".")[2]
    if block not in data:
        near = nearest(block, data) or data[:1]
        return error(
            "TFP122",
            f"there is no data named `{block}`",
            path.names[0].span,
            fix=f"did you mean `{near[0]}.{fact}`?"
            if near
            else f"write a block `data {block} {{ }}`",
        )
    if fact in FACTS:
        return None
    first, second = (f"`{block}.{each}`" for each in FACTS)
    close = nearest(fact, FACTS)
    return error(
        "TFP122",
        f"`{block}` has no fact named `{fact}`",
        path.span,
        f"known are {first} and {second}",
        fix=f"did you mean `{block}.{close[0]}`?"
        if close
        else f"write {first} or {second}",
    )


def unknown_fact(path: Path) -> Diagnostic:
    """A fact that a look at the data did not tell."""
    fix = "write the number"
    if path.names[-1].text == "classes":
        fix += ", or say it in the schema: `label = int64(classes = 10)`"
    return error(
        "TFP122",
        f"`{path.text}` is not known before the program runs",
        path.span,
        "is needed here",
        why="a check reads the names of files, headers and first records, and nothing "
        "with `--no-data`.",
        fix=fix,
    )


def called_fact(node: Call) -> Diagnostic:
    """A fact with parentheses or sizes behind it."""
    return error(
        "TFP122",
        f"`{node.path.text}` is a number",
        node.span,
        "takes neither parentheses nor sizes",
        fix=f"write `{node.path.text}`",
    )


def own_fact(path: Path) -> Diagnostic:
    """A data block that needs what only it can tell."""
    return error(
        "TFP127",
        f"`{path.text}` needs its own value",
        path.span,
        f"asks `{path.names[0].text}` inside `{path.names[0].text}`",
        why="the data is looked at only once all of its block is known.",
        fix="write the number",
    )
