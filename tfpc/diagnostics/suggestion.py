"""Finds the names that a misspelt one was probably meant to be."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher

_CLOSE = 0.7
_FEW = 6


def nearest(name: str, candidates: Iterable[str], limit: int = 3) -> list[str]:
    """The candidates close to ``name``, the closest first, at most ``limit``.

    Case, `_`, `-` and blanks do not count. Abbreviations are found too: `acc` for
    `accuracy`, `lr` for `learning_rate`.
    """
    scored = [
        (score, candidate)
        for candidate in dict.fromkeys(candidates)
        if (score := _score(name, candidate)) >= _CLOSE
    ]
    scored.sort(key=lambda item: (-item[0], item[1]))
    return [candidate for _, candidate in scored[:limit]]


def did_you_mean(name: str, candidates: Iterable[str]) -> str:
    """A sentence for a fix: the closest names, or all if there are few of them.

    Empty if nothing is close and there are too many to list.
    """
    known = list(dict.fromkeys(candidates))
    close = nearest(name, known)
    if close:
        others = ", ".join(f"`{other}`" for other in close[1:])
        also = f" (also close: {others})" if others else ""
        return f"did you mean `{close[0]}`?{also}"
    if not known or len(known) > _FEW:
        return ""
    if len(known) == 1:
        return f"only `{known[0]}` is possible here"
    listed = ", ".join(f"`{candidate}`" for candidate in known[:-1])
    return f"write one of {listed} or `{known[-1]}`"


def _score(name: str, candidate: str) -> float:
    """From 0 (nothing in common) to 1 (equal but for case and separators)."""
    short, long = _plain(name), _plain(candidate)
    if short == long:
        return 1.0
    if not short or not long:
        return 0.0
    if short == "".join(word[:1] for word in _words(candidate)) and len(short) > 1:
        return 0.95
    if len(short) >= 3 and long.startswith(short):
        return 0.9
    if len(short) > 3 and sorted(short) == sorted(long):
        return 0.88  # letters in another order: `convd2` for `conv2d`
    if long in _words(name) or short in _words(candidate):
        return 0.75
    # `random_zoom` for `random_flips`: of one family, behind all that is closer.
    shared = {word for word in _words(name) if len(word) > 3} & set(_words(candidate))
    least = _CLOSE if shared else 0.0
    matcher = SequenceMatcher(None, short, long, autojunk=False)
    # A bound that is cheap to know spares most of the work in long lists.
    if matcher.real_quick_ratio() < _CLOSE or matcher.quick_ratio() < _CLOSE:
        return least
    return max(least, 0.94 * matcher.ratio())


def _plain(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "").replace(" ", "")


def _words(name: str) -> list[str]:
    return name.lower().replace("-", "_").replace(" ", "_").split("_")
