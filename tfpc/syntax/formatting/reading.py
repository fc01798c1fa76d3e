"""Reads the tokens of a spec, comments and line ends among them, into pieces."""

from __future__ import annotations

from lark import Token

from tfpc.diagnostics.span import Source
from tfpc.syntax.formatting.pieces import (
    Atom,
    Body,
    Group,
    Item,
    Line,
    Piece,
    ends_value,
    is_allow,
    last_text,
)
from tfpc.syntax.parser import tokens

_CLOSING = {"LPAR": ")", "LSQB": "]"}


def read_pieces(source: Source) -> Body:
    """The whole file as the body of a block. It must be free of syntax errors."""
    reader = _Reader(source)
    body = Body(inline=False)
    reader.read_lines(body)
    return body


class _Reader:
    """One pass over the tokens of a source."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.tokens = tokens(source)
        self.at = 0

    @property
    def kind(self) -> str:
        """The kind of the token that comes next; "" at the end."""
        return self.tokens[self.at].type if self.at < len(self.tokens) else ""

    def take(self) -> Token:
        """The next token."""
        self.at += 1
        return self.tokens[self.at - 1]

    def take_comment(self) -> str:
        """The next token, a comment."""
        return str(self.take()).rstrip()

    # ------------------------------------------------------------------------ lines

    def read_lines(self, body: Body) -> None:
        """All lines up to the brace that closes the body, or the end of the file."""
        ends = 0  # of lines, since the last that had something
        allowed = False
        while self.kind not in ("RBRACE", ""):
            if self.kind == "NL":
                self.take()
                ends += 1
                allowed = allowed and ends < 2
                body.inline = False
            elif self.kind == "COMMENT" and not ends and self.at and not body.lines:
                body.opening = self.take_comment()
            else:
                line = self.read_line()
                line.blank = ends > 1 and bool(body.lines)
                line.allowed = allowed or is_allow(line.comment)
                allowed = not line.pieces and line.allowed
                body.lines.append(line)
                ends = 0

    def read_line(self) -> Line:
        """A statement with the comment behind it, or a comment."""
        line = Line()
        while self.kind not in ("NL", "RBRACE", "COMMENT", ""):
            line.pieces.append(self.read_piece(line.pieces))
        if self.kind == "COMMENT":
            line.comment = self.take_comment()
        return line

    def read_piece(self, before: list[Piece]) -> Piece:
        """A token, or what stands between two brackets."""
        token = self.take()
        left = last_text(before[-1]) if before else ""
        if token.type == "LBRACE":
            body = Body()
            self.read_lines(body)
            self.take()
            return body
        if token.type in _CLOSING:
            is_value = token.type == "LPAR" and left != "->" and not ends_value(left)
            group = Group(str(token), _CLOSING[token.type], is_value)
            self.read_group(group)
            end = self.take().end_pos
            group.written = self.source.text[token.start_pos : end]
            return group
        unary = token.type == "MINUS" and not ends_value(left) and left != "?"
        return Atom(str(token), unary)

    # ----------------------------------------------------------------------- groups

    def read_group(self, group: Group) -> None:
        """The items up to the bracket that closes the group."""
        item = Item()
        fresh = False  # a line has ended since the last token
        while self.kind not in ("RPAR", "RSQB"):
            if self.kind == "NL":
                self.take()
                fresh = True
                continue
            if self.kind == "COMMENT":
                place_comment(group, item, self.take_comment(), alone=fresh)
            elif self.kind == "COMMA":
                self.take()
                group.items.append(item)
                item = Item()
                group.comma = True
            else:
                item.pieces.append(self.read_piece(item.pieces))
                group.comma = False
            fresh = False
        if item.pieces:
            group.items.append(item)
        else:
            group.dangling = item.before


def place_comment(group: Group, item: Item, comment: str, *, alone: bool) -> None:
    """Gives a comment to the item that it stands at, or to the bracket before it."""
    if alone:
        item.before.append(comment)
    elif item.pieces:
        put_behind(item, comment)
    elif group.items:
        put_behind(group.items[-1], comment)
    else:
        group.opening = comment


def put_behind(item: Item, comment: str) -> None:
    """Puts a comment behind an item; one that stood there goes above it."""
    if item.after is not None:
        item.before.append(item.after)
    item.after = comment
