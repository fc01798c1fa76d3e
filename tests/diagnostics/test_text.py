"""The layout of messages on a terminal."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Edit, Fix, Label, Severity
from tfpc.diagnostics.span import Source, Span
from tfpc.diagnostics.text import render, render_all

GOLDENS = Path(__file__).parent / "messages"
Golden = Callable[[Path, str], None]


def at(source: Source, text: str, start: int = 0) -> Span:
    """The span of ``text`` where it first stands at or behind ``start``."""
    found = source.text.index(text, start)
    return Span(source, found, found + len(text))


def diagnostic(*labels: Label, **more: object) -> Diagnostic:
    values = {
        "code": "TFP301",
        "slug": "cache-after-random",
        "severity": Severity.ERROR,
        "headline": "`cache` below a random step freezes it",
        "labels": labels,
        **more,
    }
    return Diagnostic(**values)  # type: ignore[arg-type]


def snippet(text: str, marked: str, label: str = "") -> list[str]:
    """The source line and the caret row of a message about ``marked``."""
    source = Source("a.tfp", text)
    lines = render(diagnostic(Label(at(source, marked), label, True))).split("\n")
    return lines[3:5]


def test_lines_between_labels(golden: Golden) -> None:
    lines = [f"line{number}" for number in range(1, 13)]
    source = Source("specs/a.tfp", "\n".join(lines))
    shown = diagnostic(
        Label(at(source, "line2"), "two lines below is the next"),
        Label(at(source, "line4"), "the mistake", primary=True),
        Label(at(source, "line5"), "directly below"),
        Label(at(source, "line12"), "far below"),
        why="steps above `cache` run in the first epoch only, so each picture keeps "
        "the one flip it got then.",
        fix=Fix(
            "move `cache(memory)` above line 12",
            (Edit(at(source, "line4"), ""),),
            safe=True,
        ),
    )
    golden(GOLDENS / "lines.txt", render(shown) + "\n")


def test_several_files(golden: Golden) -> None:
    spec = Source("specs/a.tfp", "\n" * 99 + 'import "b.tfp" as b\nb.stage(3)\n')
    imported = Source("specs/b.tfp", "layer stage(n) {\n  dense(n)\n}\n")
    shown = diagnostic(
        Label(at(spec, "b.stage(3)"), "reached from here"),
        Label(at(imported, "dense(n)"), "the mistake", primary=True),
        headline="this model brings weights created outside the strategy's scope",
        fix=Fix("move it"),
    )
    golden(GOLDENS / "files.txt", render(shown) + "\n")


def test_labels_on_one_line_have_a_row_each(golden: Golden) -> None:
    source = Source("a.tfp", "strategy = mirrored(gpus = 8, reduce = nccl)\n")
    shown = diagnostic(
        Label(at(source, "gpus = 8"), "8 replicas"),
        Label(at(source, "reduce = nccl"), "over NCCL", primary=True),
    )
    golden(GOLDENS / "one_line.txt", render(shown) + "\n")


def test_a_span_of_several_lines_is_marked_on_its_first(golden: Golden) -> None:
    source = Source("a.tfp", "optimizer = sgd(  # plain\n  momentum = 2,\n)\n")
    shown = diagnostic(Label(Span(source, 12, len(source.text) - 1), "all", True))
    golden(GOLDENS / "several_lines.txt", render(shown) + "\n")


def test_a_problem_without_a_place(golden: Golden) -> None:
    shown = error("TFP110", "there is no file `a.tfp`", None, fix="look for it")
    golden(GOLDENS / "no_place.txt", render(shown) + "\n")


def test_notes_take_one_line_each() -> None:
    source = Source("a.tfp", "cache\nrandom_flip\n")
    note = diagnostic(
        Label(at(source, "random_flip"), "redrawn", True),
        severity=Severity.NOTE,
        headline="`random_flip` is redrawn in every epoch",
        why="not shown",
    )
    line = "note[TFP301]: a.tfp:2:1: `random_flip` is redrawn in every epoch"
    assert render(note) == line
    assert render_all([note, note]) == f"{line}\n{line}"


def test_errors_are_apart_by_an_empty_line() -> None:
    source = Source("a.tfp", "cache")
    shown = diagnostic(Label(at(source, "cache"), "", True))
    assert render_all([shown, shown]) == f"{render(shown)}\n\n{render(shown)}"
    assert render_all([]) == ""


def test_carets_stand_below_what_they_mark() -> None:
    assert snippet("x = cache(1)", "cache", "here") == [
        "1 | x = cache(1)",
        "  |     ^^^^^ here",
    ]


def test_tabs_wide_and_combining_characters_do_not_move_carets() -> None:
    # The tab is four columns, each ideograph two, the combining mark none.
    assert snippet("\tx = 1", "x") == ["1 |     x = 1", "  |     ^"]
    assert snippet('"数据" x', "x") == ['1 | "数据" x', "  |        ^"]
    assert snippet('"数据" x', "据") == ['1 | "数据" x', "  |    ^^"]
    assert snippet('"e\u0301" x', "x") == ['1 | "e\u0301" x', "  |     ^"]


def test_hidden_characters_are_shown() -> None:
    assert snippet("a\0b x", "x") == ["1 | a\\x00b x", "  |        ^"]
    assert snippet("a\u202eb x", "x")[0] == "1 | a\\u202eb x"
    headline = render(diagnostic(headline="\x1b[2J`a\u202e`"))
    assert "\x1b" not in headline
    assert "\u202e" not in headline


def test_long_lines_are_cut_around_the_caret() -> None:
    text = "a" * 5_000 + " here " + "b" * 5_000
    line, carets = snippet(text, "here", "this one")
    assert len(line) < 180
    assert line.startswith("1 | ...aaa")
    assert line.endswith("bbb...")
    assert line[carets.index("^") : carets.rindex("^") + 1] == "here"
    line, carets = snippet(text, "aaaa")
    assert line.startswith("1 | aaaa")
    assert line.endswith("...")
    assert carets == "  | ^^^^"
    line, carets = snippet("\t" * 300 + "数" * 300 + "here", "here")
    assert line.endswith("数here")
    assert carets.index("^") == len("1 | ...") + 2 * line.count("数")


def test_a_caret_at_the_end_of_the_text() -> None:
    source = Source("a.tfp", "x =")
    lines = render(diagnostic(Label(Span(source, 3, 3), "", True))).split("\n")
    assert lines[3:5] == ["1 | x =", "  |    ^"]


def test_long_quotations_are_shortened() -> None:
    said = render(diagnostic(headline=f"`{'x' * 5_000}` is long"))
    assert len(said) < 300
    assert " ... " in said


def test_footers_wrap_at_84_columns_with_a_hanging_indent() -> None:
    shown = diagnostic(why="word " * 60, fix=Fix("word " * 60))
    lines = render(shown).split("\n")[1:-1]
    assert max(map(len, lines)) <= 84
    assert {re.match(" *", line)[0] for line in lines[1:14]} <= {"  ", " " * 9}  # type: ignore[index]


def test_color_changes_nothing_but_color() -> None:
    source = Source("a.tfp", "one\ntwo\n")
    shown = diagnostic(
        Label(at(source, "one"), "first"),
        Label(at(source, "two"), "second", True),
        why="because",
        fix=Fix("do it"),
    )
    colored = render(shown, color=True)
    assert "\x1b[1;31m" in colored
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == render(shown)
