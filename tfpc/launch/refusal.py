"""What keeps a run from being started, as a problem that a person can mend."""

from __future__ import annotations

from tfpc.diagnostics.codes import error


class RefusedError(Exception):
    """A run that is not started.

    problem: the message with its fix; detail: lines that are shown below it as they
    are, such as a difference of two files.
    """

    def __init__(self, code: str, headline: str, fix: str, detail: str = "") -> None:
        super().__init__(headline)
        self.problem = error(code, headline, None, fix=fix)
        self.detail = detail
