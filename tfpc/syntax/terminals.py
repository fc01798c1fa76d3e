"""How messages name what the grammar calls by its terminals."""

from __future__ import annotations

from collections.abc import Iterable

NAMES = {
    "NAME": "a name",
    "INT": "a number",
    "FLOAT": "a number",
    "QUANTITY": "a number with its unit",
    "STRING": "text in double quotes",
    "UNKNOWN": "`?`",
    "TRUE": "`true`",
    "FALSE": "`false`",
    "IMPORT": "`import`",
    "LET": "`let`",
    "FROM": "`from`",
    "AS": "`as`",
    "PYTHON": "`python`",
    "ARROW": "`->`",
    "DOTDOT": "`..`",
    "DOT": "`.`",
    "EQUAL": "`=`",
    "COMMA": "`,`",
    "PLUS": "`+`",
    "MINUS": "`-`",
    "STAR": "`*`",
    "SLASH": "`/`",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "LSQB": "`[`",
    "RSQB": "`]`",
    "LBRACE": "`{`",
    "RBRACE": "`}`",
    "NL": "the end of the line",
    "$END": "the end of the file",
    "COMMENT": "a comment",
    "BLANK": "a blank",
}

_VALUES = frozenset(
    {"INT", "FLOAT", "QUANTITY", "STRING", "UNKNOWN", "TRUE", "FALSE", "MINUS"}
)
# A minus may begin a value too, so it alone says nothing.
_OPERATORS = frozenset({"PLUS", "STAR", "SLASH"})
_ORDER = list(NAMES)


def listing(kinds: Iterable[str]) -> str:
    """`` `=`, `(` or the end of the line``: what could stand here, in few words."""
    wanted = set(kinds)
    names: list[str] = []
    if wanted >= _VALUES:
        names.append("a value")
        wanted -= _VALUES | {"LPAR", "LSQB", "PYTHON", "NAME"}
    if wanted >= _OPERATORS:
        wanted -= _OPERATORS | {"MINUS"}
        operators = ["an operator"]
    else:
        operators = []
    if "NL" in wanted:  # whoever may end the line may end the file
        wanted.discard("$END")
    ordered = sorted(wanted, key=_ORDER.index)
    last = [NAMES[kind] for kind in ordered if kind in ("NL", "$END", "RBRACE")]
    names += [NAMES[kind] for kind in ordered if kind not in ("NL", "$END", "RBRACE")]
    names = list(dict.fromkeys(names + operators + last))
    if len(names) <= 1:
        return "".join(names)
    return f"{', '.join(names[:-1])} or {names[-1]}"
