"""Verbs that work on all of a project, and tell what the asker may read."""

from __future__ import annotations

import msgspec
import pytest

from trasmallo.project.working import works
from trasmallo.values.errors import UsageError


class Summary(msgspec.Struct):
    """A summary of so many pages."""

    pages: int


class _Partly:
    """A project of three pages, one of which its owner may not read any more."""

    def __init__(self, pages: int = 3, *, restricted: bool = True, owner: bool = True) -> None:
        self.pages, self.restricted, self.owner = pages, restricted, owner

    def whole(self) -> _Partly:
        if self.restricted and not self.owner:
            raise UsageError("only its owner", "ask them")
        return _Partly(restricted=False)

    def summary(self) -> Summary:
        return Summary(self.pages - self.restricted)

    @works
    def run(self, more: int = 0) -> Summary:
        """Work."""
        assert not self.restricted
        return Summary(self.pages + more)

    @works
    def count(self) -> int:
        """Something else than a summary."""
        return self.pages


def test_an_owner_works_on_all_and_is_told_what_they_may_read() -> None:
    assert _Partly().run(more=4) == Summary(2)
    assert _Partly().count() == 3


def test_who_may_read_all_is_told_all() -> None:
    assert _Partly(restricted=False).run(4) == Summary(7)


def test_others_are_refused() -> None:
    with pytest.raises(UsageError, match="only its owner"):
        _Partly(owner=False).run()
