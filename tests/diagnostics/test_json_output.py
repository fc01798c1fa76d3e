"""The JSON that other programs read."""

from __future__ import annotations

import json

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Edit, Fix, Label
from tfpc.diagnostics.json_output import render_json
from tfpc.diagnostics.span import Source, Span


def test_all_fields() -> None:
    source = Source("specs/a.tfp", "train m {\n  epochs: 10\n}\n")
    colon = Span(source, 18, 19)
    problem = error(
        "TFP003",
        "settings use `=`, not `:`",
        colon,
        "here",
        why="so it is.",
        fix=Fix("write `=`", (Edit(Span(source, 18, 20), " = "),), safe=True),
        labels=(Label(Span(source, 0, 5), "in this block"),),
    )
    place = {
        "file": "specs/a.tfp",
        "line": 2,
        "column": 9,
        "end_line": 2,
        "end_column": 10,
    }
    block = {**place, "line": 1, "column": 1, "end_line": 1, "end_column": 6}
    assert json.loads(render_json([problem])) == [
        {
            "code": "TFP003",
            "slug": "colon",
            "severity": "error",
            "message": "settings use `=`, not `:`",
            "why": "so it is.",
            "fix": {
                "text": "write `=`",
                "edits": [{**place, "end_column": 11, "replacement": " = "}],
                "safe": True,
            },
            **place,
            "labels": [{**place, "text": "here"}, {**block, "text": "in this block"}],
            "docs": "tfpc lint --explain TFP003",
        }
    ]


def test_nothing_is_an_empty_list() -> None:
    assert json.loads(render_json([])) == []


def test_a_problem_without_place_and_fix_has_nulls() -> None:
    (problem,) = json.loads(render_json([error("TFP110", "no such file", None)]))
    assert problem["fix"] is None
    assert problem["file"] is problem["line"] is problem["end_column"] is None
    assert problem["labels"] == []
