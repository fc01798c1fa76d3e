"""A word as a spec would say it: as it stands there, or with the values it has come to."""

from __future__ import annotations

from enum import Enum

from tfpc.diagnostics.span import Span
from tfpc.vocabulary.word import Word


def written(word: Word, span: Span) -> str:
    """The word as its spec has it, on one line.

    In a definition that shows names of parameters, so their values are put there.
    """
    text = " ".join(span.text.split())
    if not word.word.isidentifier():  # a pass made it of two
        return word.word
    if span.via is None:
        return text if text.startswith(word.word) else word.word
    return in_words(word)


def in_words(word: Word) -> str:
    """A word with the arguments that are not their defaults."""
    arguments: list[str] = []
    for name, field in type(word).model_fields.items():
        value = getattr(word, name)
        if field.is_required() or value != field.get_default(call_default_factory=True):
            bare = name in word.positional[: len(arguments) + 1] and field.is_required()
            arguments.append(shown(value) if bare else f"{name} = {shown(value)}")
    return f"{word.word}({', '.join(arguments)})" if arguments else word.word


def shown(value: object) -> str:
    """A value as a spec writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(shown, value))}]"
    if isinstance(value, Word):
        return value.word
    return str(value)
