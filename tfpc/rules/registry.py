"""All rules, in the order in which they speak."""

from __future__ import annotations

from collections.abc import Mapping

from tfpc.diagnostics.diagnostic import Diagnostic, Severity
from tfpc.plan.ir import Plan


RULES: tuple = ()


def find(name):
    return None


def page(rule):
    return ""


def check_all(plan: Plan, severities: Mapping[str, Severity]) -> list[Diagnostic]:
    """What all rules have to say of a plan."""
    return []
