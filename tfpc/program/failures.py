"""What went wrong with the input, in words: which file, and which line of the spec."""

from __future__ import annotations


class InputError(Exception):
    """Data that is not there, or not what it should be.

    place: the line of the spec that reads it; file: the file or folder, if one is known.
    """

    def __init__(self, message: str, place: str, file: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        self.file = file
