"""Checks of arguments at the public door: what is of a wrong type gets one clear error."""

from __future__ import annotations

from pathlib import Path

from trasmallo.values.errors import UsageError


def check_type(name: str, value: object, kinds: type | tuple[type, ...], wanted: str) -> None:
    """Raise UsageError for an argument of none of these types; `wanted` says what to give, as "a text or bytes"."""
    if not isinstance(value, kinds):
        raise UsageError(
            "`{name}` is of the type {given}", "give {wanted}", name=name, given=type(value).__name__, wanted=wanted
        )


def check_texts(**named: object) -> None:
    """Raise UsageError for the first of some named arguments that is no text."""
    for name, value in named.items():
        check_type(name, value, str, "a text")


def checked_text(value: object, name: str) -> str:
    """A text that a script hands in as the argument `name`; raises UsageError for anything else."""
    check_type(name, value, str, "a text")
    return str(value)


def checked_path(value: object, name: str) -> Path:
    """A path that a script hands in as the argument `name`, as a text or as one; raises UsageError for anything else."""
    return value if isinstance(value, Path) else Path(checked_text(value, name))
