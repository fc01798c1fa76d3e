"""The README stays true: its spec, its message, its plan, its commands."""

from __future__ import annotations

import pathlib
import re

import pytest

from tfpc.diagnostics.span import Source
from tfpc.diagnostics.text import render_all
from tfpc.driver import Options, check
from tfpc.passes.order import optimize
from tfpc.plan.show import render

REPOSITORY = pathlib.Path(__file__).parents[1]
README = (REPOSITORY / "README.md").read_text()


def blocks(kind):
    """The fenced texts of that kind."""
    fences = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    return [text for found, text in fences if found == kind]


@pytest.fixture(scope="module")
def spec():
    (text,) = blocks("tfp")
    return text


def checked(text):
    return check(Source("flowers.tfp", text), Options(look_at_data=False))


def test_the_spec_is_right(spec):
    compiled = checked(spec)
    loud = [each for each in compiled.diagnostics if each.severity > 0]
    assert not loud, render_all(loud)
    assert compiled.plan is not None


def test_the_message_is_what_lint_says(spec):
    lines = spec.splitlines()
    place = lines.index("  cache(memory)")
    assert lines[place + 1 : place + 5] == [
        "  when(train) {",
        "    shuffle",
        "    random_flip(horizontal)",
        "  }",
    ]
    frozen = [
        "  when(train) {",
        "    random_flip(horizontal)",
        "  }",
        "  cache(memory)",
    ]
    frozen += ["  when(train) {", "    shuffle", "  }"]
    lines[place : place + 5] = frozen
    (message,) = blocks("message")
    assert render_all(checked("\n".join(lines)).diagnostics) == message.strip()


def test_the_plan_is_what_plan_says(spec):
    (excerpt,) = blocks("plan")
    assert excerpt.strip() in render(optimize(checked(spec).plan))


def test_ci_runs_the_test_command():
    commands = blocks("")
    assert any('pip install -e ".[test]"' in each for each in commands)
    assert any("tfpc run specs/digits.tfp" in each for each in commands)
    ci = (REPOSITORY / ".ci" / "run").read_text()
    assert '-e ".[test]"' in ci
    assert '"tests" pytest' in ci


def test_links_lead_somewhere():
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (REPOSITORY / target).exists(), target
