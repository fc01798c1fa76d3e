"""Lays pieces out on lines of at most 88 columns, by two blanks a level.

What fits stands on one line, else the outermost brackets are opened first, an item on
each line; lists of plain values fill their lines. Where an `# allow` stands, nothing
moves to another line, since it stands for one line.
"""

from __future__ import annotations

from collections.abc import Sequence

from tfpc.syntax.formatting.pieces import Atom, Body, Group, Line, Piece, gap

WIDTH = 88
INDENT = "  "


class Layout:
    """The text so far: whole lines, and the one being written."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.current = ""

    def end_line(self, comment: str | None = None) -> None:
        """Ends the line, with a comment behind it."""
        if comment is not None:
            self.current += f"  {comment}" if self.current.strip() else comment
        self.lines.append(self.current.rstrip())
        self.current = ""

    # ------------------------------------------------------------------------ lines

    def write_lines(self, lines: Sequence[Line], level: int) -> None:
        """The lines of a body, or of the file at level 0."""
        for number, line in enumerate(lines):
            if line.blank or (level == 0 and number and parted(lines, number)):
                self.end_line()
            self.current = INDENT * level
            self.write_pieces(line.pieces, level, locked=line.allowed)
            self.end_line(line.comment)

    def write_pieces(
        self, pieces: Sequence[Piece], level: int, *, locked: bool, ending: int = 0
    ) -> None:
        """One line's or item's pieces; ``ending``: columns for what comes after."""
        before: Piece | None = None
        for number, piece in enumerate(pieces):
            self.current += gap(before, piece)
            before = piece
            rest = tail(pieces, number, ending)
            if isinstance(piece, Atom):
                self.current += piece.text
            elif isinstance(piece, Body):
                self.write_body(piece, level, rest)
            elif piece.has_allow or (locked and "\n" in piece.written):
                self.write_as_it_is(piece)
            elif locked or self.fits(piece, rest):
                self.current += flat([piece])
            else:
                self.write_group(piece, level)

    def fits(self, group: Group, rest: int) -> bool:
        """Whether a group may stay on the line, with what comes behind it."""
        if group.broken:
            return False
        return len(self.current) + len(flat([group])) + rest <= WIDTH

    def write_as_it_is(self, group: Group) -> None:
        """A group as the file has it."""
        *above, last = group.written.replace("\r\n", "\n").split("\n")
        for line in above:
            self.current += line
            self.end_line()
        self.current += last

    # --------------------------------------------------------------- what has lines

    def write_body(self, body: Body, level: int, rest: int) -> None:
        """A block's body: on one line if it was and fits, else one line a statement."""
        text = flat_body(body)
        if text is not None and len(self.current) + len(text) + rest <= WIDTH:
            self.current += text
            return
        self.current += "{"
        self.end_line(body.opening)
        self.write_lines(body.lines, level + 1)
        self.current = INDENT * level + "}"

    def write_group(self, group: Group, level: int) -> None:
        """An opened group: items on lines of their own, or filling lines."""
        self.current += group.open
        self.end_line(group.opening)
        if is_filled(group):
            self.fill(group, level + 1)
        else:
            self.write_items(group, level + 1)
        for comment in group.dangling:
            self.current = INDENT * level + INDENT + comment
            self.end_line()
        self.current = INDENT * level + group.close

    def write_items(self, group: Group, level: int) -> None:
        """Each item on a line, a comma behind it."""
        comma = "" if group.is_value else ","
        for item in group.items:
            for comment in item.before:
                self.current = INDENT * level + comment
                self.end_line()
            self.current = INDENT * level
            self.write_pieces(item.pieces, level, locked=False, ending=len(comma))
            self.current += comma
            self.end_line(item.after)

    def fill(self, group: Group, level: int) -> None:
        """As many plain values on each line as fit."""
        self.current = INDENT * level
        for item in group.items:
            text = flat(item.pieces) + ","
            space = " " if self.current.strip() else ""
            if space and len(self.current) + 1 + len(text) > WIDTH:
                self.end_line()
                self.current, space = INDENT * level, ""
            self.current += space + text
        self.end_line()


def parted(lines: Sequence[Line], number: int) -> bool:
    """Whether a blank line parts this line of the file from the one above it.

    Blocks stand apart; comments right above a statement belong to it.
    """
    above = lines[number - 1]
    if not above.pieces:
        return False
    below = number
    while (
        below + 1 < len(lines)
        and not lines[below].pieces
        and not lines[below + 1].blank
    ):
        below += 1
    return above.has_body or lines[below].has_body


def is_filled(group: Group) -> bool:
    """Whether a list has many values on a line: all are plain, none has a comment."""
    return group.open == "[" and all(item.plain for item in group.items)


def tail(pieces: Sequence[Piece], number: int, ending: int) -> int:
    """The columns of what follows a piece up to where the line may next be broken."""
    width = 0
    for before, piece in zip(pieces[number:], pieces[number + 1 :], strict=False):
        width += len(gap(before, piece))
        if not isinstance(piece, Atom):
            return width + 1
        width += len(piece.text)
    return width + ending


def flat(pieces: Sequence[Piece]) -> str:
    """Pieces on one line, without their comments."""
    text = ""
    before: Piece | None = None
    for piece in pieces:
        text += gap(before, piece)
        before = piece
        if isinstance(piece, Atom):
            text += piece.text
        elif isinstance(piece, Group):
            inside = ", ".join(flat(item.pieces) for item in piece.items)
            text += f"{piece.open}{inside}{piece.close}"
        else:
            text += flat_body(piece) or ""
    return text


def flat_body(body: Body) -> str | None:
    """`{ }` or `{ statement }`, None for a body that takes several lines."""
    if body.opening is not None or (body.lines and not body.inline):
        return None
    for line in body.lines:
        for piece in line.pieces:
            if isinstance(piece, Group) and (piece.broken or "\n" in piece.written):
                return None
            if isinstance(piece, Body) and flat_body(piece) is None:
                return None
    inside = "".join(f" {flat(line.pieces)}" for line in body.lines)
    return f"{{{inside} }}"
