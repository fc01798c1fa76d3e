"""The end of an expression that has no value, once the user has been told why."""

from __future__ import annotations


class UnresolvedError(Exception):
    """An expression that has no value; its problem has been reported."""
