"""What there is to say of an `allow` that allows nothing."""

from __future__ import annotations

from collections.abc import Sequence

from tfpc.diagnostics.allow import Allow, stands_alone
from tfpc.diagnostics.codes import CODES, error
from tfpc.diagnostics.diagnostic import Diagnostic, Edit, Fix, Severity
from tfpc.diagnostics.span import Span
from tfpc.diagnostics.suggestion import did_you_mean, nearest

WARNING = Severity.WARNING


def misshapen(comment: Span, name: str) -> Diagnostic:
    """`# allow cache-after-random`."""
    return error(
        "TFP140",
        "this comment allows nothing: it is not written as an `allow`",
        comment,
        fix=f"write `# allow({name}): the reason`",
        severity=WARNING,
    )


def no_names(allow: Allow) -> Diagnostic:
    """`# allow(): reason`."""
    return error(
        "TFP140",
        "this `allow` names no rule",
        allow.span,
        fix="name what it allows: `# allow(cache-after-random): reason`",
        severity=WARNING,
    )


def no_reason(allow: Allow) -> Diagnostic:
    """`# allow(cache-after-random)`."""
    names = ", ".join(name.text for name in allow.names)
    return error(
        "TFP140",
        "this `allow` gives no reason, so it allows nothing",
        allow.span,
        "why is it right here?",
        why="whoever reads the spec next can't see whether it is still right.",
        fix=f"write `# allow({names}): the reason`",
        severity=WARNING,
    )


def cannot_be_allowed(name: Span) -> Diagnostic | None:
    """The name of a problem that no rule finds; None if it is no such name."""
    wanted = name.text.lower().replace("_", "-")
    for code in CODES.values():
        if wanted in (code.code.lower(), code.slug):
            return error(
                "TFP140",
                f"`{name.text}` can't be allowed",
                name,
                code.title[0].lower() + code.title[1:],
                why="only what rules find can be allowed; with an error of syntax, names "
                "or types, the spec has no meaning.",
                fix="mend what it stands for, and remove the `allow`",
                severity=WARNING,
            )
    return None


def unknown_rule(name: Span, slugs: Sequence[str]) -> Diagnostic:
    """A misspelt one."""
    close = nearest(name.text, slugs, 1)
    text = did_you_mean(name.text, slugs) or "write the code that messages show"
    edits = (Edit(name, close[0]),) if close else ()
    return error(
        "TFP140",
        f"there is no rule named `{name.text}`",
        name,
        fix=Fix(text, edits),
        severity=WARNING,
    )


def unused(allow: Allow, name: Span, slug: str) -> Diagnostic:
    """One whose rule finds nothing there; the edit removes it, or the whole comment."""
    alone = len(allow.names) == 1
    edit = Edit(_whole(allow.span) if alone else _item(allow, name), "")
    return error(
        "TFP141",
        f"`allow({slug})` allows nothing: the rule finds nothing on line {allow.line}",
        name,
        why="left behind, it would hide the mistake when that comes back.",
        fix=Fix("remove it" if alone else f"remove `{name.text}`", (edit,), safe=True),
        severity=WARNING,
    )


def _whole(comment: Span) -> Span:
    """A comment with the blanks in front of it, or with its line if it is alone."""
    source, line = comment.source, comment.line
    if not stands_alone(comment):
        before = source.text[source.line_start(line) : comment.start]
        return Span(
            source, comment.start - len(before) + len(before.rstrip()), comment.end
        )
    end = source.line_start(line + 1) if line < source.line_count else comment.end
    return Span(source, source.line_start(line), end)


def _item(allow: Allow, name: Span) -> Span:
    """A name with the comma that parts it from its neighbour."""
    number = allow.names.index(name)
    if number + 1 < len(allow.names):
        return Span(name.source, name.start, allow.names[number + 1].start)
    return Span(name.source, allow.names[number - 1].end, name.end)
