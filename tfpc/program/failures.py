"""What went wrong, in words, and which line of the spec asked for it."""

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


class DeviceError(Exception):
    """Devices that are not there, or can't do what the spec asks of them.

    place: the line of the spec that asks for them.
    """

    def __init__(self, message: str, place: str) -> None:
        super().__init__(message)
        self.message = message
        self.place = place
