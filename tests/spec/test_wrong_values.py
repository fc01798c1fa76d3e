"""Every argument of every word, given values of every kind.

What a class accepts is decoded; everything else is refused in sentences that name the
word and the argument, and in which nothing of the machinery shows.
"""

from __future__ import annotations

import re

import pytest

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.diagnostics.span import Source, Span
from tfpc.diagnostics.text import render
from tfpc.rules.standard import whole_spec
from tfpc.vocabulary.registry import FAMILIES, words
from tfpc.vocabulary.word import Word

VALUES = [
    *("-1", "0", "1", "2", "0.5", "1e300", "9_000_000_000_000", "1 / 3", "2 - 4"),
    *("true", "false", "True", "yes", "None", "null", "nan", "inf"),
    *('""', '"text"', '"3"', '"1e-3"', '"true"', '"3epochs"', '"same"', '"a\\nb"'),
    *("relu", "same", "identity", "nonsense", "validation.loss", "keras.layers.Dense"),
    *("dense(3)", "dense(x = 1)", "adam(0.1)", "cosine(0.1)", "relu()", "float32[3]"),
    *("repeat(2)", "same()", "same[1]", "validation.loss(2)", "validation.loss[2]"),
    *("[]", "[1]", "[1, 2]", "[0.5, 0.5, 0.5]", "[1, 2, 3, 4]", "[0, 0]", "[-1.0]"),
    *('["a"]', "[relu]", "[true]", "[[1]]", "[dense(3)]", "[3epochs]", "[1, nonsense]"),
    *("?", "0..1", "20%", "0%", "100%", "250%", "3epochs", "0.5epochs", "0epochs"),
    *("100steps", "0steps", "30min", "0s", "4GiB", "digits.classes"),
]
# Where a word of a family stands in the standard spec.
PLACES = {
    "source": 'data digits {{\n  train = tfrecord("a")\n  test = {}\n}}',
    "field": 'data digits {{\n  train = tfrecord("a")\n  schema {{\n    x = {}\n  }}\n}}',
    "labelling": 'data digits {{\n  train = image_folder("a", labels = {})\n}}',
    "step": "pipeline images from digits {{\n  {}\n}}",
    "layer": "model classifier from images {{\n  {}\n}}",
    "encoder": "model classifier from images {{\n  features {{\n    image = {}\n  }}\n"
    "  dense(3)\n}}",
    "optimizer": "train classifier {{\n  epochs = 1\n  optimizer = {}\n"
    "  loss = crossentropy\n}}",
    "schedule": "train classifier {{\n  epochs = 1\n  optimizer = adam({})\n"
    "  loss = crossentropy\n}}",
    "loss": "train classifier {{\n  epochs = 1\n  optimizer = adam(0.1)\n  loss = {}\n}}",
    "metric": "train classifier {{\n  epochs = 1\n  optimizer = adam(0.1)\n"
    "  loss = crossentropy\n  metrics = [{}]\n}}",
    "monitor": "observe {{\n  {}\n}}",
    "strategy": "strategy = {}",
    "precision": "precision = {}",
    "memory": "memory = {}",
}
WORDS = [cls for family in FAMILIES for cls in words(family).values()]
CLASSES = {cls.__name__ for cls in WORDS}
JARGON = re.compile(
    r"pydantic|Input should|type=|[a-z]_type\b|NoneType|Traceback|instance of|tuple\b|"
    r"\bdict|\bint\b|\bfloat\b|\bstr\b|\bbool\b|Literal|validat(?!ion\b)|<class|"
    rf"\b({'|'.join(sorted(CLASSES))})\b"
)


BODIES = {
    "together": " {\n    random_flip\n  }",
    "features": " {\n    image = normalize\n  }",
    "layer": " {\n    dense(3)\n  }",
    "step": " {\n    shuffle\n  }",
    "merge": " {\n    path { dense(3) }\n    path { }\n  }",
}


def used(cls: type[Word], arguments: dict[str, str]) -> str:
    """The word with these arguments, in a whole spec."""
    sizes = arguments.get("shape")
    given = [f"{name} = {text}" for name, text in arguments.items() if name != "shape"]
    text = cls.word
    if given:
        text += f"({', '.join(given)})"
    if sizes is not None:
        text += f"[{sizes}]"
    if cls.has_body:
        text += BODIES.get(cls.word, BODIES[cls.family])
    if cls.word == "path":
        text = f"merge(add) {{\n    {text}\n    path {{ }}\n  }}"
    return whole_spec(PLACES[cls.family].format(text))


def needed(cls: type[Word]) -> dict[str, str]:
    """Right values for the arguments that a word can't do without."""
    right = {
        "learning_rate": "0.1",
        "files": '"a"',
        "folder": '"a"',
        "pattern": '"{label}_*"',
        "table": '"a"',
        "part": "20%",
        "monitor": "validation.loss",
        "every": "10steps",
        "patience": "3epochs",
        "mode": "train",
        "mean": "[1.0]",
        "std": "[1.0]",
        "rate": "0.5",
        "peak": "0.1",
        "direction": "horizontal",
        "how": "concat",
        "names": "summary",
        "time": "48h",
        "decay_rate": "0.5",
        "boundaries": "[10epochs]",
        "values": "[0.1, 0.01]",
        "component": "label",
        "components": "[image, mask]",
        "factor": "0.5..1.5",
        "max_delta": "0.1",
    }
    if cls.word == "limit":
        right["size"] = "70GiB"
    return {
        name: right.get(name, "3")
        for name, info in cls.model_fields.items()
        if info.is_required()
    }


def said(problem: Diagnostic) -> str:
    """All of its sentences, without the lines of the spec and what the user wrote."""
    texts = [problem.headline, problem.why, problem.fix.text if problem.fix else ""]
    texts += [label.text for label in problem.labels]
    return " ".join(re.sub(r"`[^`]*`|\"[^\"]*\"|\bis .*", "", text) for text in texts)


@pytest.mark.parametrize("cls", WORDS, ids=lambda cls: cls.word)
def test_a_word_with_what_it_needs_is_right(cls, decode_text):
    spec, problems = decode_text(used(cls, needed(cls)))
    assert spec is not None, [problem.headline for problem in problems]


ARGUMENTS = [(cls, name) for cls in WORDS for name in cls.model_fields]


@pytest.mark.parametrize(
    ("cls", "name"), ARGUMENTS, ids=[f"{cls.word}-{name}" for cls, name in ARGUMENTS]
)
def test_a_wrong_value_is_refused_in_sentences(cls, name, decode_text):
    refused = 0
    for value in VALUES:
        text = used(cls, {**needed(cls), name: value})
        spec, problems = decode_text(text)
        assert (spec is None) == bool(problems)
        refused += spec is None
        for problem in problems:
            assert problem.span is not None
            assert problem.span.text, f"{value}: nothing is under the carets"
            assert problem.fix is not None, f"{value}: {problem.headline}"
            assert problem.fix.text
            assert not JARGON.search(said(problem)), said(problem)
            assert len(problem.headline) < 240
            assert render(problem)
            if problem.fix.edits:
                edited = with_edits(text, problem)
                _, after = decode_text(edited)
                left = {(each.headline, str(each.span)) for each in after}
                assert (problem.headline, str(problem.span)) not in left, edited
    assert refused > len(VALUES) / 4, "nearly everything is accepted"


def with_edits(text: str, problem: Diagnostic) -> str:
    """The text after the fix of a problem."""
    for edit in sorted(problem.fix.edits, key=lambda edit: -edit.span.start):
        text = text[: edit.span.start] + edit.replacement + text[edit.span.end :]
    return text


def test_the_search_for_jargon_finds_it():
    span = Span(Source("x", "x"), 0, 1)
    for text in (
        "Input should be a valid integer",
        "must be an instance of Conv2d",
        "a tuple of 2",
        "type=int_type",
        "validation error for Adam",
        "a value of Conv2d",
    ):
        assert JARGON.search(said(error("TFP103", text, span)))
    assert not JARGON.search(said(error("TFP103", "write `int64`, a validation", span)))
