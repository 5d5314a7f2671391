"""The tally of a run's outcomes, beside a count of all its rows."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trasmallo.store.catalog import Catalog
from trasmallo.store.outcome_tally import OutcomeTally, may_be_asked_again
from trasmallo.values.model import Fetch, Outcome

IN_VAIN = st.sampled_from([Outcome.TIMED_OUT, Outcome.HTTP_ERROR, Outcome.ROBOTS])
ENDS = st.sampled_from([Outcome.FETCHED, Outcome.REDIRECTED, Outcome.MISSING])
ASKED = st.lists(st.tuples(st.lists(IN_VAIN, max_size=3), ENDS), max_size=8)
"""For each address what was tried in vain, and how it ended."""


def rows_of(asked: list[tuple[list[Outcome], Outcome]]) -> list[Fetch]:
    """Round by round, as a crawl comes back to what failed."""
    lines = [[*tries, end] for tries, end in asked]
    longest = max(map(len, lines), default=0)
    return [
        Fetch(f"http://a/{url}", float(turn), line[turn], size=url + turn)
        for turn in range(longest)
        for url, line in enumerate(lines)
        if turn < len(line)
    ]


@settings(max_examples=15)  # each opens a database
@given(asked=ASKED, before=st.integers(0, 20))
def test_a_catalog_that_is_followed_counts_as_one_that_is_read(
    tmp_path_factory: pytest.TempPathFactory, asked: list[tuple[list[Outcome], Outcome]], before: int
) -> None:
    rows, folder = rows_of(asked), tmp_path_factory.mktemp("catalog")
    with Catalog(folder) as catalog:
        catalog.put_many(rows[:before], "run")
        tally = catalog.follow("run")
        catalog.put_many(rows[before:], "run")
        catalog.put_many([Fetch("http://a/0", 99.0, Outcome.FETCHED, size=7)], "another run")
        assert {outcome: number for outcome, number in tally.outcomes.items() if number} == catalog.outcomes("run")
        assert tally.received == catalog.received("run") == sum(row.size for row in rows)


def test_bytes_go_on_from_what_is_known() -> None:
    tally = OutcomeTally({Outcome.FETCHED: 1}, 100, {})
    tally.add(b"x", Outcome.TIMED_OUT, 5)
    tally.add(b"x", Outcome.FETCHED, 7)
    assert (tally.outcomes[Outcome.FETCHED], tally.outcomes[Outcome.TIMED_OUT], tally.received) == (2, 0, 112)


def test_what_may_be_asked_again() -> None:
    assert may_be_asked_again(Outcome.TIMED_OUT)
    assert not may_be_asked_again(Outcome.FETCHED)
