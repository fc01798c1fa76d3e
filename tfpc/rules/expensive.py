"""Which steps are worth keeping the result of."""

from __future__ import annotations

from tfpc.vocabulary.decode import DecodeJpeg, DecodePng
from tfpc.vocabulary.images import Resize

EXPENSIVE = (DecodeJpeg, DecodePng, Resize)
