"""Verbs that work on a project and change it: for who may read all of it, and for its owner, who is told what they may read."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, Protocol, Self, TypeVar

import msgspec


class Restricted(Protocol):
    """A project that may have documents which who asks may not read."""

    @property
    def restricted(self) -> bool:
        """Whether it has."""

    def whole(self) -> Self:
        """The same with all of its documents; raises UsageError where the asker may not work on it."""


_Project = TypeVar("_Project", bound=Restricted)
_Given = ParamSpec("_Given")
_Told = TypeVar("_Told")


def works(verb: Callable[Concatenate[_Project, _Given], _Told]) -> Callable[Concatenate[_Project, _Given], _Told]:
    """Let a verb work on all documents of a project; what a run brought is told as far as the asker may read it."""

    @wraps(verb)
    def on_whole(project: _Project, /, *given: _Given.args, **named: _Given.kwargs) -> _Told:
        told = verb(project.whole(), *given, **named)
        return _as_readable(project, told)

    return on_whole


def _as_readable(project: Restricted, told: _Told) -> _Told:
    """A summary of what the asker may read, in the place of one of everything."""
    summarise = getattr(project, "summary", None)
    if isinstance(told, msgspec.Struct) and type(told).__name__ == "Summary" and summarise is not None and project.restricted:
        return summarise()  # type: ignore[no-any-return]
    return told
