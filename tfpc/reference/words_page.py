"""The words on a terminal: all of them by family, and the page of one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from rich.console import RenderableType
from rich.text import Text

from tfpc.reference.families import title
from tfpc.reference.page import (
    MARGIN,
    heading,
    indented,
    listing,
    paragraphs,
    prose,
    rendered,
    table,
)
from tfpc.reference.signature import signature
from tfpc.reference.word import Argument, Entry

HEAD = ("argument", "takes", "default", "what it is")


def overview(entries: Sequence[Entry], *, width: int, color: bool) -> str:
    """Each family with its words, and the first sentence of each."""
    longest = max(len(entry.word) for entry in entries)
    parts: list[RenderableType] = []
    for family, members in groupby(entries, key=lambda entry: entry.family):
        rows = [(entry.word, entry.summary) for entry in members]
        parts += [heading(title(family)), listing(rows, (longest, None)), Text()]
    parts.append(Text("`tfpc words WORD` says all about one."))
    return rendered(parts, width=width, color=color)


def page(entries: Sequence[Entry], *, width: int, color: bool) -> str:
    """All about a word: once for each family that has it."""
    parts: list[RenderableType] = []
    for entry in entries:
        parts += [*([Text()] if parts else []), *page_of(entry, width)]
    if len(entries) > 1:
        families = ", ".join(title(entry.family) for entry in entries)
        parts += [Text(), Text(f"`{entries[0].word}` is a word of: {families}.")]
    return rendered(parts, width=width, color=color)


def page_of(entry: Entry, width: int) -> Iterator[RenderableType]:
    """A word in one family."""
    yield heading(f"{entry.word} ({entry.family})")
    yield Text()
    yield from paragraphs(entry.description)
    yield Text()
    yield heading("Written")
    yield from lines(signature(entry, width - MARGIN))
    by_position = [f"`{each.name}`" for each in entry.arguments if each.positional]
    if by_position:
        yield Text()
        yield prose(f"By position: {', '.join(by_position)}; all others by name.")
    if entry.arguments:
        yield Text()
        yield heading("Arguments")
        yield table(HEAD, [row(argument) for argument in entry.arguments])
    if entry.example:
        yield Text()
        yield heading("Example")
        yield from lines(entry.example.splitlines())


def lines(texts: Iterable[str]) -> Iterator[RenderableType]:
    """Lines of a spec, as they are."""
    for text in texts:
        yield indented(Text(text, style="green", overflow="fold"))


def row(argument: Argument) -> tuple[str, str, str, str]:
    """An argument in the table."""
    default = "required" if argument.required else argument.default or ""
    return argument.name, argument.takes, default, argument.description
