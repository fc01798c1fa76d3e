"""Specs for the formatter: others laid out at random, and such that mean nothing."""

from __future__ import annotations

import random

from tfpc.diagnostics.span import Source
from tfpc.syntax.parser import tokens

COMMENTS = ("# a comment", "#", '#"quoted" # twice', "#  (an [opened", "# bräckets }")


def relayout(text: str, seed: int) -> str:
    """The same tokens and other blanks, line ends, comments and last commas."""
    draw = random.Random(seed)
    end = draw.choice(["\n", "\n", "\r\n"])
    chatty = draw.choice([0.0, 0.02, 0.2])
    out: list[str] = []
    opened: list[str] = []
    for token in tokens(Source("x.tfp", text)):
        kind, word = token.type, str(token)
        if kind == "COMMENT":
            out += [word.rstrip(), end]
        elif kind == "NL":
            if not opened or opened[-1] == "{":
                out.append(blank_lines(draw, end, chatty))
            continue
        else:
            if kind in ("RPAR", "RSQB", "RBRACE"):
                opened.pop()
            out += [between(draw, out, word), word]
            if kind in ("LPAR", "LSQB", "LBRACE"):
                opened.append(word)
        if opened and opened[-1] != "{" and kind != "COMMENT":
            out.append(inside(draw, end, chatty))
    return "".join(out)


def between(draw: random.Random, out: list[str], word: str) -> str:
    """Blanks before a token, at least one between two words."""
    last = next((each[-1] for each in reversed(out) if each), "\n")
    needed = (last.isalnum() or last in '_%"?') and (
        word[0].isalnum() or word[0] in '_"?'
    )
    return draw.choice([" ", "  ", "\t"] if needed else ["", "", " ", "   "])


def blank_lines(draw: random.Random, end: str, chatty: float) -> str:
    """The end of a line, at times behind a comment, with more lines below it."""
    text = end
    if draw.random() < chatty:
        text = f" {draw.choice(COMMENTS)}{end}"
    for _ in range(draw.choice([0, 0, 0, 1, 2])):
        text += end
    if draw.random() < chatty:
        text += f"  {draw.choice(COMMENTS)}{end}"
    return text


def inside(draw: random.Random, end: str, chatty: float) -> str:
    """What may stand between any two tokens in brackets."""
    if draw.random() < chatty:
        return f" {draw.choice(COMMENTS)}{end}"
    return end if draw.random() < 0.1 else ""


class Nonsense:
    """Text that can be read, and means nothing: all shapes of the grammar."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)

    def spec(self) -> str:
        """Some statements."""
        lines = [self.statement(0) for _ in range(self.draw.randrange(6))]
        return "\n".join(lines)

    def statement(self, depth: int) -> str:
        """Any of the four, or a comment."""
        name, path = self.name(), self.path()
        kind = self.draw.randrange(12)
        if kind == 0 and depth == 0:
            return f'import "{name}.tfp" as {name}'
        if kind == 1:
            return f"let {name} = {self.value(0)}"
        if kind <= 4:
            return f"{path} = {self.value(0)}"
        return self.block(depth)

    def block(self, depth: int) -> str:
        """A head with some of its clauses, and at times a body."""
        text = self.path() if self.maybe(0.9) else f'python "m:{self.name()}"'
        if not text.startswith("python ") and self.maybe(0.3):
            text += f" {self.name()}"
        if self.maybe(0.6):
            text += self.arguments(0)
        if self.maybe(0.2):
            text += f" from {self.path()}"
        if depth < 3 and self.maybe(0.4):
            text += self.body(depth)
        if self.maybe(0.1):
            text += f" as {self.name()}"
        return text + (f" -> {self.arguments(0)}" if self.maybe(0.1) else "")

    def body(self, depth: int) -> str:
        """Empty, one statement between its braces, or several lines."""
        lines = [self.statement(depth + 1) for _ in range(self.draw.randrange(4))]
        if len(lines) < 2 and self.maybe(0.5):
            return f" {{ {' '.join(lines)} }}"
        return "".join([" {\n", *(f"{line}\n" for line in lines), "}"])

    def arguments(self, depth: int) -> str:
        """Those by position first, then those with names of their own."""
        values = [self.value(depth + 1) for _ in range(self.draw.randrange(3))]
        names = sorted({self.name() for _ in range(self.draw.randrange(3))})
        values += [f"{name} = {self.value(depth + 1)}" for name in names]
        comma = "," if values and self.maybe(0.1) else ""
        return f"({', '.join(values)}{comma})"

    def value(self, depth: int) -> str:
        """Any expression; parentheses around whatever is put together."""
        kind = self.draw.randrange(8 if depth < 3 else 4)
        if kind < 4:
            atoms = ("7", "1e-3", "20%", "5epochs", '"a # b"', "true", "?", self.path())
            return self.draw.choice(atoms)
        value = self.value(depth + 1)
        if kind == 4:
            return f"({value}) {self.draw.choice('+-*/')} -({self.value(depth + 1)})"
        if kind == 5:
            return f"({value})..({self.value(depth + 1)})"
        if kind == 6:
            return f"[{', '.join([value] * self.draw.randrange(4))}]"
        shape = f"[{value}, 3]" if self.maybe(0.3) else ""
        return self.path() + self.arguments(depth) + shape

    def path(self) -> str:
        """One name or more."""
        return ".".join(self.name() for _ in range(self.draw.choice([1, 1, 1, 2])))

    def name(self) -> str:
        """Short or long."""
        return self.draw.choice("abcdefg") * self.draw.choice([1, 2, 5, 20])

    def maybe(self, chance: float) -> bool:
        """True that often."""
        return self.draw.random() < chance
