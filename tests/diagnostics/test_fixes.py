"""Fixes applied to texts, and taken back where they would make a text worse."""

from __future__ import annotations

import pytest

from tfpc.diagnostics.diagnostic import Diagnostic, Edit, Fix, Label, Severity
from tfpc.diagnostics.fixes import applied, compatible, moved, settled, within
from tfpc.diagnostics.mending import Checked, mend
from tfpc.diagnostics.span import Reached, Source, Span


def problem(
    source: Source,
    *edits: tuple[int, int, str],
    safe: bool = True,
    code: str = "TFP001",
    severity: Severity = Severity.ERROR,
) -> Diagnostic:
    """A problem at its first edit."""
    made = tuple(Edit(Span(source, a, b), text) for a, b, text in edits)
    label = Label(made[0].span, primary=True)
    return Diagnostic(code, "x", severity, code, (label,), fix=Fix("y", made, safe))


def words(text: str, changes: dict[str, str], **how: bool) -> list[Diagnostic]:
    """A problem for each word of the text that has a change."""
    source = Source("a.tfp", text)
    return found(source, changes, **how)


def found(source: Source, changes: dict[str, str], **how: bool) -> list[Diagnostic]:
    problems, start = [], 0
    for word in source.text.split(" "):
        if word in changes:
            edit = (start, start + len(word), changes[word])
            problems.append(problem(source, edit, code=f"TFP{word}", **how))
        start += len(word) + 1
    return problems


def test_edits_are_applied_by_position() -> None:
    source = Source("a.tfp", "0123456789")
    both = [problem(source, (8, 9, "B"), (1, 1, "A")), problem(source, (4, 6, ""))]
    assert applied(source, both).text == "0A12367B9"


def test_the_first_of_two_that_meet_wins() -> None:
    source = Source("a.tfp", "0123456789")
    first, second = problem(source, (2, 4, "")), problem(source, (4, 4, "x"))
    third = problem(source, (6, 7, ""), (0, 1, ""))
    assert compatible([second, first]) == [first]
    assert compatible([second, first, third]) == [third, first]
    assert compatible([]) == []


@pytest.mark.parametrize(("offset", "then"), [(0, 0), (2, 4), (4, 4), (6, 4), (9, 7)])
def test_where_a_place_moves_to(offset: int, then: int) -> None:
    source = Source("a.tfp", "0123456789")
    fixes = [problem(source, (1, 1, "ab")), problem(source, (2, 6, ""))]
    assert applied(source, fixes).text == "0ab16789"
    assert moved(offset, fixes, source) == then


def test_new_lines_end_as_the_others_do() -> None:
    source = Source("a.tfp", "a\r\nb\r\n")
    fix = problem(source, (3, 3, "x\ny\n"))
    assert applied(source, [fix]).text == "a\r\nx\r\ny\r\nb\r\n"
    assert moved(3, [fix], source) == 3
    assert moved(4, [fix], source) == 10


def test_only_edits_of_the_text_itself_are_offered() -> None:
    source, other = Source("a.tfp", "abc"), Source("b.tfp", "abc")
    own, foreign = problem(source, (0, 1, "x")), problem(other, (0, 1, "x"))
    assert settled(own, source) is own
    assert within(own, source)
    assert not within(foreign, source)
    fix = settled(foreign, source).fix
    assert fix == Fix("y")


def test_an_edit_in_a_definition_is_not_safe() -> None:
    source = Source("a.tfp", "abc")
    span = Span(source, 0, 1, Reached(Span(source, 2, 3)))
    fix = Fix("y", (Edit(span, "x"),), safe=True)
    told = settled(Diagnostic("c", "s", Severity.ERROR, "h", fix=fix), source)
    assert told.fix == Fix("y", (Edit(span, "x"),), safe=False)


def mended(text: str, changes: dict[str, str], *, unsafe: bool = False, **how: bool):
    """A text mended whose words are problems, all in one stage."""

    def check(source: Source) -> Checked:
        return Checked(5, True, found(source, changes, **how))

    return mend(Source("a.tfp", text), check, unsafe=unsafe)


def test_mending_goes_on_until_nothing_is_left() -> None:
    def check(source: Source) -> Checked:
        return Checked(1, False, found(source, {"a": "longer", "longer": "c", "b": ""}))

    done = mend(Source("a.tfp", "a b a"), check, unsafe=False)
    assert done.source.text == "c  c"
    assert len(done.fixed) == 5
    assert not done.checked.problems


def test_unsafe_fixes_are_applied_if_asked_for() -> None:
    assert mended("a b", {"a": "c"}, safe=False).source.text == "a b"
    assert mended("a b", {"a": "c"}, safe=False, unsafe=True).source.text == "c b"


def test_a_fix_that_mends_nothing_is_taken_back() -> None:
    done = mended("a b d", {"a": "a", "b": "c"})
    assert done.source.text == "a c d"
    assert [each.code for each in done.refused] == ["TFPa"]
    assert [each.code for each in done.checked.problems] == ["TFPa"]


def test_a_fix_that_leads_to_another_error_is_taken_back() -> None:
    done = mended("a b c", {"a": "x", "b": "d", "x": ""}, unsafe=False)
    # `a` becomes `x`, which is an error of its own.
    assert done.source.text == "a d c"
    assert [each.code for each in done.refused] == ["TFPa"]


def test_two_fixes_that_undo_each_other_come_to_an_end() -> None:
    def check(source: Source) -> Checked:
        problems = found(source, {"a": "b", "b": "a"})
        return Checked(1, False, problems)

    done = mend(Source("a.tfp", "a"), check, unsafe=False)
    assert len(done.fixed) <= 2
    assert done.refused


def test_what_can_not_be_read_any_more_is_rolled_back() -> None:
    def check(source: Source) -> Checked:
        if "!" in source.text:
            return Checked(0, False, [problem(source, (0, 0, ""), code="TFP000")])
        return Checked(3, False, found(source, {"a": "!", "b": "c"}))

    done = mend(Source("a.tfp", "a b"), check, unsafe=False)
    assert done.source.text == "a c"
    assert [each.code for each in done.refused] == ["TFPa"]


def test_what_a_mended_problem_hid_may_come_to_light() -> None:
    def check(source: Source) -> Checked:
        hidden = found(source, {"a": "z"})
        if hidden:
            return Checked(0, False, hidden)
        return Checked(5, True, found(source, {"b": "", "c": ""}, safe=False))

    done = mend(Source("a.tfp", "a b c"), check, unsafe=False)
    assert done.source.text == "z b c"
    assert len(done.checked.problems) == 2
    assert not done.refused
