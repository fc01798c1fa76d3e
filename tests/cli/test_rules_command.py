"""`tfpc rules`: the list, the pages, and the form for machines."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from click.testing import Result

from tfpc.diagnostics.codes import CODES
from tfpc.reference.codes import GROUPS
from tfpc.rules.registry import RULES

Tfpc = Callable[..., Result]


def test_the_list_has_every_rule_and_code(tfpc: Tfpc) -> None:
    page = tfpc("rules").stdout
    assert max(map(len, page.splitlines())) <= 80
    assert "\x1b" not in page
    rules, *groups = page.split("messages: ")
    for rule in RULES:
        assert f"{rule.code}  {rule.severity.word:7}  {rule.slug}" in rules
    assert [group.splitlines()[0] for group in groups] == list(GROUPS.values())
    for beginning, group in zip(GROUPS, groups, strict=True):
        listed = [
            line.split()[0] for line in group.splitlines() if line.startswith("  TFP")
        ]
        assert listed == sorted(code for code in CODES if code.startswith(beginning))


@pytest.mark.parametrize(
    "name", [*CODES, *(rule.slug for rule in RULES), "cache_after_random", "tfp301"]
)
def test_a_page_is_what_lint_explains(tfpc: Tfpc, name: str) -> None:
    result = tfpc("rules", name)
    assert result.exit_code == 0
    assert result.stdout == tfpc("lint", "--explain", name).stdout
    assert result.stdout.startswith("TFP")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("cache-after-rand", "did you mean `cache-after-random`?"),
        ("tfp-301", "did you mean `TFP301`?"),
        ("zzzzzz", "messages name theirs in brackets"),
    ],
)
def test_a_code_that_there_is_not(tfpc: Tfpc, name: str, said: str) -> None:
    for flags in ((), ("--json",)):
        result = tfpc("rules", name, *flags)
        assert result.exit_code == 2
        assert said in result.output


def test_json_has_the_form_that_the_help_says(tfpc: Tfpc) -> None:
    found = json.loads(tfpc("rules", "--json").stdout)
    assert {each["code"] for each in found} == {*CODES, *(r.code for r in RULES)}
    for each in found:
        assert list(each) == [
            "code",
            "slug",
            "kind",
            "severity",
            "group",
            "title",
            "page",
        ]
        is_rule = each["kind"] == "rule"
        assert (each["severity"] is not None) == is_rule
        assert (each["group"] == "") == is_rule


def test_json_of_one_rule(tfpc: Tfpc) -> None:
    (found,) = json.loads(tfpc("rules", "augment-after-cache", "--json").stdout)
    assert found["code"] == "TFP302"
    assert found["severity"] == "note"
    assert found["page"] + "\n" == tfpc("rules", "TFP302").stdout
