"""The settings of a whole spec."""

from __future__ import annotations

from typing import Any

from tfpc.resolve.tree import Entry, Resolved
from tfpc.spec.blocks import BlockDecoder
from tfpc.spec.expectation import TRUTH, WHOLE_NUMBER, Expectation
from tfpc.spec.model import Placed
from tfpc.spec.use import Use
from tfpc.types.value import Symbol
from tfpc.vocabulary.registry import words
from tfpc.vocabulary.settings import Float32, Memory, Precision, Strategy

# What each setting could be, for messages.
EXAMPLES = {
    "strategy": "strategy = auto",
    "precision": "precision = float32",
    "memory": "memory = limit(70GiB)",
}
DEFAULT_SEED = 42
LARGEST_SEED = 2**32 - 1


def decode_settings(
    resolved: Resolved, decoder: BlockDecoder
) -> tuple[Placed[Strategy] | None, Precision, int, bool, Memory | None] | None:
    """Strategy, precision, seed, determinism and memory; None after a report."""
    entries = {item.path: item for item in resolved.items if isinstance(item, Entry)}
    before = len(decoder.problems)
    strategy = word(entries.get("strategy"), "strategy", decoder)
    precision = word(entries.get("precision"), "precision", decoder)
    seed = decode_seed(entries.get("seed"), decoder)
    determinism = decode_determinism(entries.get("determinism"), decoder)
    memory = word(entries.get("memory"), "memory", decoder)
    if len(decoder.problems) > before:
        return None
    number = Float32() if precision is None else precision.word
    said = None if memory is None else memory.word
    return strategy, number, seed, determinism, said


def word(entry: Entry | None, family: str, decoder: BlockDecoder) -> Placed[Any] | None:
    """A setting that is a word; None without one, or after a report."""
    if entry is None:
        return None
    content = entry.value.content
    if not isinstance(content, Symbol):
        decoder.report_value(
            entry.value,
            f"`{family}` must be a word, written without quotes",
            Expectation(options=tuple(words(family))),
            EXAMPLES[family],
        )
        return None
    use = Use.of_symbol(content, entry.value.span)
    return decoder.words.decode(use, (family,), content.lets)


def decode_seed(entry: Entry | None, decoder: BlockDecoder) -> int:
    """Where all random numbers begin."""
    if entry is None:
        return DEFAULT_SEED
    content = entry.value.content
    if (
        isinstance(content, bool)
        or not isinstance(content, int)
        or not 0 <= content <= LARGEST_SEED
    ):
        headline = f"`seed` must be a whole number in 0..{LARGEST_SEED}"
        decoder.report_value(entry.value, headline, WHOLE_NUMBER, "seed = 42")
        return DEFAULT_SEED
    return content


def decode_determinism(entry: Entry | None, decoder: BlockDecoder) -> bool:
    """Whether only operations that give the same bits every time may be used."""
    if entry is None:
        return False
    if not isinstance(entry.value.content, bool):
        headline = "`determinism` must be `true` or `false`"
        decoder.report_value(entry.value, headline, TRUTH, "determinism = true")
        return False
    return entry.value.content
