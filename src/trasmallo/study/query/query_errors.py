"""What is wrong with a query, and where."""

from __future__ import annotations

from trasmallo.values.errors import UsageError
from trasmallo.values.messages import Message

_SHOWN = 24
"""Characters of a query that a message shows. Judgement."""


class QueryError(UsageError):
    """A query that cannot be understood, or that asks for too much; `at` is the character where, from 0, `length` how many."""

    def __init__(self, problem: str, repair: str, at: int = 0, length: int = 0, /, **arguments: object) -> None:
        super().__init__(problem, repair, **arguments)
        self.at, self.length = at, length

    def __reduce__(self) -> tuple[type[QueryError], tuple[object, ...]]:
        return type(self), (*self.said, self.at, self.length)


def broken(query: str, at: int, what: Message, repair: Message, length: int = 1) -> QueryError:
    """The error at a place of a query, with what stands there."""
    if at >= len(query):
        return QueryError("the query ends too early: {what}", repair, len(query), 0, what=what)
    rest = query[at : at + _SHOWN] + "…" * (len(query) > at + _SHOWN)
    problem = "character {place} of the query, at {rest!r}: {what}"
    return QueryError(problem, repair, at, length, place=at + 1, rest=rest, what=what)
