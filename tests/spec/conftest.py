"""A text decoded, with facts of its data that are made up."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.diagnostics.span import Source
from tfpc.resolve.resolve import resolve
from tfpc.spec.decode import decode
from tfpc.spec.model import Spec
from tfpc.syntax.parser import parse

Outcome = tuple[Spec | None, list[Diagnostic]]


def decode_source(text: str, *settings: str) -> Outcome:
    document, problems = parse(Source("spec.tfp", text))
    if document is None:
        return None, problems
    resolved, problems = resolve(document, settings, lambda node, fact: 10)
    return (None, problems) if resolved is None else decode(resolved)


@pytest.fixture(scope="session")
def decode_text() -> Callable[..., Outcome]:
    """Parses, resolves and decodes a text with `--set` texts."""
    return decode_source


@pytest.fixture(scope="session")
def spec_of() -> Callable[..., Spec]:
    """The spec of a text, which must be right."""

    def run(text: str, *settings: str) -> Spec:
        spec, problems = decode_source(text, *settings)
        assert spec is not None, [problem.headline for problem in problems]
        return spec

    return run
