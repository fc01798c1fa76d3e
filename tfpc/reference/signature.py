"""How a word is written, with all that it takes: `conv2d(filters, ..., strides = 1)`."""

from __future__ import annotations

from tfpc.reference.word import Argument, Entry

INDENT = "  "


def signature(entry: Entry, width: int) -> list[str]:
    """The lines; one argument a line if they do not all fit into the width.

    What has a default is given by name. `...` stands for what has none to write.
    """
    end = ("[sizes]" if entry.sizes else "") + (" { ... }" if entry.body else "")
    given = [argument_in(argument) for argument in entry.arguments]
    if not given:
        return [f"{entry.word}{end}"]
    line = f"{entry.word}({', '.join(given)}){end}"
    if len(line) <= width:
        return [line]
    return [f"{entry.word}(", *[f"{INDENT}{each}," for each in given], f"){end}"]


def argument_in(argument: Argument) -> str:
    """One argument as it stands in a use of the word."""
    if argument.positional and argument.required:
        return argument.name
    return f"{argument.name} = {argument.default or '...'}"
