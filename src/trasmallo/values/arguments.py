"""Checks of what a user's script hands to the public functions."""

from __future__ import annotations

from trasmallo.values.errors import UsageError


def checked_text(value: object, name: str) -> str:
    """A text that a script hands in as the argument `name`; raises UsageError for anything else."""
    if not isinstance(value, str):
        raise UsageError(f"`{name}` cannot be `{type(value).__name__}`", "give `str`")
    return value
