"""`# allow(RULE): reason`: what it takes away, and what is said of those of no use."""

from __future__ import annotations

import pytest

from tfpc.diagnostics.diagnostic import Diagnostic, Edit, Label, Severity
from tfpc.diagnostics.fixes import applied
from tfpc.diagnostics.span import Source, Span
from tfpc.diagnostics.suppression import Rules, suppressed

SLUGS = {"TFP301": "one-rule", "TFP302": "other-rule"}


def slug_of(name: str) -> str | None:
    name = name.replace("_", "-")
    return SLUGS.get(name.upper(), name if name in SLUGS.values() else None)


RULES = Rules(list(SLUGS.values()), slug_of, set(SLUGS.values()))


def at(source: Source, *words: str, slug: str = "one-rule") -> list[Diagnostic]:
    """An error of a rule at each of the words."""
    places = [source.text.index(word) for word in words]
    labels = [Label(Span(source, place, place + 1), primary=True) for place in places]
    return [Diagnostic("TFP301", slug, Severity.ERROR, "h", (each,)) for each in labels]


def left(text: str, *words: str, rules: Rules = RULES, slug: str = "one-rule"):
    source = Source("a.tfp", text)
    found = suppressed(at(source, *words, slug=slug), [source], rules)
    return [each.code for each in found], found


@pytest.mark.parametrize(
    "text",
    [
        "CACHE # allow(one-rule): on purpose",
        "CACHE# allow(one-rule) :on purpose",
        "CACHE #allow( one_rule ):on purpose",
        "# allow(TFP301): on purpose\nCACHE",
        "  # allow(tfp301): on purpose\r\n  CACHE",
        "# allow(one-rule): on purpose\n# more to say\nCACHE",
        'x("# no comment") CACHE # allow(one-rule): on purpose',
    ],
)
def test_it_allows_its_line_or_the_one_below(text: str) -> None:
    assert left(text, "CACHE")[0] == []


@pytest.mark.parametrize(
    "text",
    [
        "x # allow(one-rule): on purpose\nCACHE",
        "CACHE\n# allow(one-rule): on purpose",
        "# allow(one-rule): on purpose\n\nCACHE",
        "# allow(other-rule): on purpose\nCACHE",
    ],
)
def test_it_allows_no_other_line_and_no_other_rule(text: str) -> None:
    assert left(text, "CACHE")[0] == ["TFP301", "TFP141"]


def test_text_in_quotes_is_no_comment() -> None:
    assert left('CACHE("# allow(one-rule): no")', "CACHE")[0] == ["TFP301"]


def test_it_allows_several_rules() -> None:
    text = "# allow(other-rule, one-rule): on purpose\nCACHE"
    codes, found = left(text, "CACHE")
    assert codes == ["TFP141"]
    source = found[0].span.source
    assert applied(source, found).text == "# allow(one-rule): on purpose\nCACHE"
    text = "# allow(one-rule, other-rule): on purpose\nCACHE"
    _, found = left(text, "CACHE")
    source = found[0].span.source
    assert applied(source, found).text == "# allow(one-rule): on purpose\nCACHE"


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("a\n  # allow(one-rule): x\nb\n", "a\nb\n"),
        ("a  # allow(one-rule): x\r\nb\r\n", "a\r\nb\r\n"),
        ("a\n# allow(one-rule): x", "a\n"),
    ],
)
def test_an_unused_one_can_be_removed(text: str, after: str) -> None:
    codes, found = left(text)
    assert codes == ["TFP141"]
    assert found[0].severity is Severity.WARNING
    assert found[0].fix.safe
    assert applied(found[0].span.source, found).text == after


def test_it_is_not_unused_if_its_rule_was_not_asked() -> None:
    rules = Rules(RULES.slugs, slug_of, {"other-rule"})
    assert left("# allow(one-rule): x\na", rules=rules)[0] == []
    assert left("# allow(other-rule): x\na", rules=rules)[0] == ["TFP141"]


@pytest.mark.parametrize(
    ("text", "headline"),
    [
        ("# allow(one-rule)\nCACHE", "this `allow` gives no reason"),
        ("# allow(one-rule):   \nCACHE", "this `allow` gives no reason"),
        ("# allow(one-rule) on purpose\nCACHE", "this `allow` gives no reason"),
        ("# allow(): on purpose\nCACHE", "this `allow` names no rule"),
        ("# allow(one-rle): on purpose\nCACHE", "there is no rule named `one-rle`"),
        ("# allow one-rule: on purpose\nCACHE", "this comment allows nothing"),
        ("# Allow(one-rule): on purpose\nCACHE", "this comment allows nothing"),
        ("# allow(one-rule: on purpose\nCACHE", "this comment allows nothing"),
        ("# allow(TFP003): on purpose\nCACHE", "`TFP003` can't be allowed"),
        ("# allow(wrong-value): on purpose\nCACHE", "`wrong-value` can't be allowed"),
    ],
)
def test_one_that_is_wrong_allows_nothing_and_is_told(text: str, headline: str) -> None:
    codes, found = left(text, "CACHE")
    assert codes == ["TFP301", "TFP140"]
    assert found[1].headline.startswith(headline)
    assert found[1].severity is Severity.WARNING


def test_a_misspelt_name_is_mended() -> None:
    _, (report,) = left("# allow(one-rle): on purpose")
    assert "did you mean `one-rule`?" in report.fix.text
    text = report.span.source.text
    assert [edit.replacement for edit in report.fix.edits] == ["one-rule"]
    assert isinstance(report.fix.edits[0], Edit)
    assert text[report.span.start : report.span.end] == "one-rle"


def test_prose_is_left_alone() -> None:
    assert left("# allowed are many\n# allow for it\n# allow (or not) it")[0] == []


def test_an_imported_file_allows_its_own_lines_and_none_of_them_is_unused() -> None:
    main = Source("a.tfp", "a")
    other = Source("b.tfp", "# allow(one-rule): x\nCACHE\n# allow(one-rule): y\nb")
    assert suppressed(at(other, "CACHE"), [main, other], RULES) == []


def test_a_problem_without_a_place_stays() -> None:
    source = Source("a.tfp", "# allow(one-rule): x")
    problem = Diagnostic("TFP301", "one-rule", Severity.ERROR, "h")
    assert problem in suppressed([problem], [source], RULES)
