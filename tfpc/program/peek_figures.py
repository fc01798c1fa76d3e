"""What one component of a batch is like after one step, example by example."""

from __future__ import annotations

import math

import numpy as np

FIRST_VALUES = 8
TEXT_SHOWN = 40


class PeekFigures:
    """Figures of the values that it is given, one example at a time.

    changed: how many examples are not as they were before the step; low, high: of all
    numbers, of text its bytes; odd: examples with a NaN or infinity in them; flat and
    black: pictures that have one color only, and of those the black ones.
    """

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.dtype = ""
        self.examples = self.changed = self.odd = self.flat = self.black = 0
        self.low, self.high = math.inf, -math.inf
        self.numbers = 0
        self.mean = self.squares = 0.0
        self.shapes: set[tuple[int, ...]] = set()
        self.different: set[int] = set()
        self.first: list[object] = []

    def add(self, value: np.ndarray, before: np.ndarray | None) -> None:
        """Takes an example in. before: as it was before the step, None in the source."""
        is_text = value.dtype == object
        self.dtype = "string" if is_text else value.dtype.name
        self.examples += 1
        self.shapes.add(value.shape)
        self.different.add(hash((value.shape, bytes_of_value(value))))
        if before is None or not same_value(value, before):
            self.changed += 1
        if self.kind != "encoded":
            room = FIRST_VALUES - len(self.first)
            self.first += map(as_shown, value.ravel()[:room].tolist())
        if is_text:
            sizes = [len(text) for text in value.ravel().tolist()]
            self.add_numbers(np.array(sizes, np.int64))
        else:
            self.add_numbers(value)
        if self.kind == "picture" and value.size:
            pixels = value.reshape(-1, value.shape[-1])
            flat = bool((pixels == pixels[0]).all())
            self.flat += flat
            self.black += flat and not pixels[0, :3].any()

    def add_numbers(self, values: np.ndarray) -> None:
        """Takes numbers into the mean and the spread: Chan's sum of two parts.

        https://doi.org/10.1080/00031305.1983.10483115
        """
        exact = values.astype(np.float64)
        finite = exact[np.isfinite(exact)]
        self.odd += finite.size < exact.size
        if not finite.size:
            return
        self.low = min(self.low, finite.min().item())
        self.high = max(self.high, finite.max().item())
        total = self.numbers + finite.size
        away = float(finite.mean()) - self.mean
        self.mean += away * finite.size / total
        self.squares += float(finite.var()) * finite.size
        self.squares += away * away * self.numbers * finite.size / total
        self.numbers = total

    def told(self) -> dict[str, object]:
        """All of it, for an event; figures are None where there are no numbers."""
        known = self.numbers > 0
        ranks = {len(shape) for shape in self.shapes}
        sizes = None
        if len(ranks) == 1:
            axes = zip(*self.shapes, strict=True)
            sizes = [[min(axis), max(axis)] for axis in axes]
        return {
            "kind": self.kind,
            "dtype": self.dtype,
            "sizes": sizes,
            "examples": self.examples,
            "changed": self.changed,
            "numbers": self.numbers,
            "low": self.low if known else None,
            "high": self.high if known else None,
            "mean": self.mean if known else None,
            "std": math.sqrt(self.squares / self.numbers) if known else None,
            "odd": self.odd,
            "flat": self.flat,
            "black": self.black,
            "different": len(self.different),
            "first": self.first,
        }


def same_value(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two values are the same, bit for bit."""
    return (
        one.dtype == other.dtype
        and one.shape == other.shape
        and bytes_of_value(one) == bytes_of_value(other)
    )


def bytes_of_value(value: np.ndarray) -> bytes:
    """Its bytes; of several texts their sizes, too."""
    if value.dtype != object:
        return value.tobytes()
    texts = value.ravel().tolist()
    return b"".join(b"%d:%s" % (len(text), text) for text in texts)


def as_shown(value: object) -> object:
    """A value as an event holds it: text without what is no UTF-8, and not too long."""
    if isinstance(value, bytes):
        text = value[: 4 * TEXT_SHOWN].decode("utf-8", "backslashreplace")
        return text if len(text) <= TEXT_SHOWN else f"{text[:TEXT_SHOWN]}..."
    return value
