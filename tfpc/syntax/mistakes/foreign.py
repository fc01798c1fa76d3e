"""Habits from Python, YAML, HCL, C and shells that a spec has no use for."""

from __future__ import annotations

import re

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Edit, Fix
from tfpc.diagnostics.span import Span
from tfpc.syntax.situation import WORD_KINDS, Situation

_PYTHON = 'put it in a Python file and call it with `python "module:function"`'
_STATEMENTS = {
    "if": ("conditions", "what differs in training goes in `when(train) { }`"),
    "elif": ("conditions", "what differs in training goes in `when(train) { }`"),
    "else": ("conditions", "what differs in evaluation goes in `when(eval) { }`"),
    "for": ("loops", "repeat layers with `repeat(n) { }`"),
    "while": ("loops", "repeat layers with `repeat(n) { }`"),
    "def": ("functions", f"define `steps NAME(...) {{ }}`, or {_PYTHON}"),
    "fn": ("functions", f"define `steps NAME(...) {{ }}`, or {_PYTHON}"),
    "function": ("functions", f"define `steps NAME(...) {{ }}`, or {_PYTHON}"),
    "class": ("classes", f"define `layer NAME(...) {{ }}`, or {_PYTHON}"),
    "return": ("`return`", "the last line of a block is its result"),
    "var": ("`var`", "write `let name = value`"),
    "const": ("`const`", "write `let name = value`"),
    "from": ("Python imports", _PYTHON),
}
_OPERATOR_WORDS = {
    "if": "conditions",
    "else": "conditions",
    "elif": "conditions",
    "and": "conditions",
    "or": "conditions",
    "in": "loops",
    "for": "loops",
    "is": "conditions",
}
_ASSIGNMENTS = re.compile(r":=|=>|<-|[-+*/]=|\?=|<<")


def statement_of_another_language(at: Situation) -> Diagnostic | None:
    """`if x == 3 {`, `for i in range(3) {`, `from keras import layers`."""
    first = at.line[0] if at.line else None
    if first is None or str(first) not in _STATEMENTS or first.type not in WORD_KINDS:
        return None
    if at.is_setting or (str(first) == "from" and str(at.token) != "import"):
        return None
    return _no_such_thing(at, str(first), *_STATEMENTS[str(first)], first=True)


def operator_word(at: Situation) -> Diagnostic | None:
    """`x = a if b else c`, `} else {`, `a and b`."""
    word = str(at.token) if at.kind == "NAME" else ""
    if word not in _OPERATOR_WORDS or not at.line:
        return None
    thing, instead = _OPERATOR_WORDS[word], _PYTHON
    if at.last_kind == "RBRACE" and word in _STATEMENTS:
        instead = _STATEMENTS[word][1]
    return _no_such_thing(at, word, thing, instead, first=False)


def conditional(at: Situation) -> Diagnostic | None:
    """`x = a ? b : c`."""
    if at.kind != "UNKNOWN" or not at.line or ":" not in at.rest:
        return None
    return error(
        "TFP022",
        "a spec has no conditions",
        at.span,
        "`?` is a size not known",
        fix=_PYTHON,
    )


def _no_such_thing(
    at: Situation, word: str, thing: str, instead: str, *, first: bool
) -> Diagnostic:
    return error(
        "TFP022",
        f"a spec has no {thing}",
        at.of(at.line[0]) if first else at.span,
        "" if word in thing or word == "from" else f"`{word}` is not a word here",
        fix=instead,
    )


def comment(at: Situation) -> Diagnostic | None:
    """`// hi`, `/* hi */`, `-- hi`."""
    two = at.rest[:2]
    start = at.offset
    if at.kind in ("SLASH", "STAR", "MINUS") and at.adjacent:
        if at.last_kind not in ("SLASH", "MINUS"):
            return None
        start = at.offset - 1
        two = at.source.text[start : start + 2]
    if two not in ("//", "/*", "--") or (two == "--" and at.line[1:]):
        return None
    span = at.ahead(2) if start == at.offset else at.of(at.line[-1])
    span = Span(at.source, start, start + 2)
    fix = Fix("start the comment with `#`", (Edit(span, "#"),), safe=not at.line)
    if two == "/*":
        fix = Fix("start each line of the comment with `#`")
    elif two == "//" and at.line:
        fix = Fix("start a comment with `#`; a division is `/`", fix.edits)
    return error("TFP022", f"comments start with `#`, not `{two}`", span, fix=fix)


def list_dash(at: Situation) -> Diagnostic | None:
    """`- decode_jpeg`, as in YAML."""
    if at.kind != "MINUS" or at.line:
        return None
    if re.fullmatch(r"-{3,}\s*", at.rest):
        line = at.ahead(len(at.rest.rstrip()))
        fix = Fix("remove the line", (Edit(line, ""),), safe=True)
        return error("TFP022", "a spec has no `---` lines", line, fix=fix)
    if at.rest.startswith("--"):
        return None
    blanks = len(at.rest) - len(at.rest[1:].lstrip())
    span = at.ahead(blanks)
    return error(
        "TFP022",
        "lines do not start with `-`",
        at.ahead(1),
        fix=Fix("remove the `-`: a line is enough", (Edit(span, ""),), safe=True),
    )


def decorator(at: Situation) -> Diagnostic | None:
    """`@train`."""
    if at.token is not None or at.rest[:1] != "@":
        return None
    return error(
        "TFP022",
        "a spec has no `@` marks",
        at.ahead(1),
        fix="what holds in training only goes in `when(train) { }`",
    )


def semicolon(at: Situation) -> Diagnostic | None:
    """`epochs = 10;`."""
    if at.token is not None or at.rest[:1] != ";":
        return None
    after = at.rest[1:].lstrip()
    if after and not after.startswith("#"):
        return error(
            "TFP022",
            "lines are not separated by `;`",
            at.ahead(1),
            fix="put each on its own line",
        )
    edits = (Edit(at.ahead(1), ""),)
    return error(
        "TFP022",
        "lines do not end with `;`",
        at.ahead(1),
        fix=Fix("remove the `;`", edits, safe=True),
    )


def power(at: Situation) -> Diagnostic | None:
    """`2 ** 10`."""
    if at.kind != "STAR" or at.last_kind != "STAR" or not at.adjacent:
        return None
    span = Span(at.source, at.offset - 1, at.offset + 1)
    return error(
        "TFP022", "there is no power `**`", span, fix="multiply, or write the number"
    )


def assignment(at: Situation) -> Diagnostic | None:
    """`x := 3`, `x => 3`, `x <- 3`, `x += 3`."""
    start = at.offset
    if at.adjacent and at.last_kind in ("EQUAL", "PLUS", "MINUS", "STAR", "SLASH"):
        start -= 1
    found = _ASSIGNMENTS.match(at.source.text, start)
    if not found:
        return None
    span = Span(at.source, start, found.end())
    sign = found[0]
    fix: Fix | str = Fix("write `=`", (Edit(span, "="),), safe=sign in (":=", "=>"))
    if sign[0] in "+-*/":
        fix = "write the whole new value after `=`"
    elif sign == "<<":
        fix = 'text stands in double quotes, on one line: `"..."`'
    return error("TFP022", f"settings use `=`, not `{sign}`", span, fix=fix)


def backslash(at: Situation) -> Diagnostic | None:
    r"""A `\` that continues a line."""
    if at.token is not None or at.rest[:1] != "\\":
        return None
    return error(
        "TFP022",
        "lines are not continued with `\\`",
        at.ahead(1),
        fix="break the line inside `( )` or `[ ]`, where line breaks do not count",
    )


def dollar(at: Situation) -> Diagnostic | None:
    """`$size` and `${size}` outside of text."""
    found = re.match(r"\$(?:\{([A-Za-z_][\w.]*)\}|([A-Za-z_][\w.]*))?", at.rest)
    if at.token is not None or not found:
        return None
    name = found[1] or found[2]
    span = at.ahead(len(found[0]))
    fix = Fix(f"write `{name}`", (Edit(span, name),), safe=True) if name else None
    why = "`${name}` stands for a value inside text only."
    return error("TFP022", "a name is used without `$`", span, why=why, fix=fix)
