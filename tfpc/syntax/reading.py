"""Turns the bytes of a file into a source, or says why they are no text."""

from __future__ import annotations

import codecs

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.diagnostics.span import Source, Span

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def decode(name: str, data: bytes) -> tuple[Source | None, list[Diagnostic]]:
    """The source called ``name`` with the UTF-8 text ``data``, or None and an error."""
    try:
        return Source(name, data.decode("utf-8")), []
    except UnicodeDecodeError as failure:
        bad = failure.start
    fix = "save it as UTF-8; editors offer that as `Save with encoding`"
    if data.startswith(_UTF_16):
        source = Source(name, data.decode("utf-16", "replace"))
        headline = "this file is UTF-16, not UTF-8"
        return None, [error("TFP023", headline, Span(source, 0, 1), fix=fix)]
    # Everything before the bad byte is good, so it has a place.
    before = Source(name, data[:bad].decode("utf-8"))
    after = data[bad:].decode("utf-8", "replace")
    source = Source(name, before.text + after)
    start = len(before.text)
    span = Span(source, start, start + 1)
    label = f"byte 0x{data[bad]:02x}"
    return None, [error("TFP023", "this file is not UTF-8", span, label, fix=fix)]
