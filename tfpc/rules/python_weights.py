"""What the user's Python files do with weights, for the rules about it."""

from __future__ import annotations

from collections.abc import Iterator

from tfpc.diagnostics.span import Source, Span
from tfpc.plan.ir import Plan, PythonPlan
from tfpc.python_source.weights import Finding, Reader


def findings(plan: Plan) -> Iterator[tuple[PythonPlan, Finding]]:
    """Each finding once, with the use in the spec that it matters to."""
    seen: set[tuple[str, int, int]] = set()
    for use in plan.python:
        for module in use.files:
            reader = Reader(module)
            is_named = module.path == use.module.path
            found = list(reader.at_import())
            found += reader.within(use.signature.name) if is_named else []
            for each in found:
                key = (str(module.path), each.node.lineno, each.node.col_offset)
                if key not in seen:
                    seen.add(key)
                    yield user_of(each, reader, use, plan), each


def user_of(
    finding: Finding, reader: Reader, first: PythonPlan, plan: Plan
) -> PythonPlan:
    """The use whose function takes what is made there; the first one if none does."""
    for use in plan.python:
        same = use.module.path == finding.module.path
        if same and reader.uses(use.signature.name, finding):
            return use
    return first


def span_of(finding: Finding) -> Span:
    """The call in its file, up to the end of its first line."""
    source = Source(str(finding.module.path), finding.module.text)
    node = finding.node
    start = source.line_start(node.lineno) + in_characters(
        source.line(node.lineno), node.col_offset
    )
    end = source.line_start(node.lineno) + len(source.line(node.lineno))
    if node.end_lineno == node.lineno and node.end_col_offset is not None:
        written = source.line(node.lineno)
        end = source.line_start(node.lineno) + in_characters(
            written, node.end_col_offset
        )
    return Span(source, start, max(end, start + 1))


def in_characters(line: str, offset: int) -> int:
    """A column that `ast` counts in bytes of UTF-8."""
    return len(line.encode("utf-8", "surrogatepass")[:offset].decode("utf-8", "ignore"))
