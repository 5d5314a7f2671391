"""Pages to read: each once, in memory only as many as fit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from trasmallo.pipeline.reading.pending import Pending
from trasmallo.store.catalog import Catalog
from trasmallo.store.parts import document_id
from trasmallo.values.model import Fetch, Locator, Outcome


def fetch(number: int, outcome: Outcome = Outcome.FETCHED) -> Fetch:
    return Fetch(f"http://a.es/{number}", float(number), outcome, 200, locator=Locator("x.warc.gz", number, 1))


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[Catalog]:
    with Catalog(tmp_path / "catalog") as catalog:
        yield catalog


def take_all(pages: Pending, most: int = 10) -> list[str]:
    taken: list[str] = []
    while (batch := pages.take(most)) or pages.behind:
        taken += [page.url for page in batch]
    return taken


def test_what_an_earlier_session_stored_comes_from_the_catalog(catalog: Catalog) -> None:
    catalog.put_many(map(fetch, range(5)), "run")
    catalog.put(fetch(5, Outcome.MISSING), "run")
    catalog.put(Fetch("http://a.es/none", 9.0, Outcome.FETCHED), "run")
    catalog.put(fetch(6), "other run")
    pages = Pending(lambda: catalog.of_run("run"), [document_id("http://a.es/2")])
    assert take_all(pages) == [f"http://a.es/{number}" for number in (0, 1, 3, 4)]


def test_a_page_fetched_again_is_not_read_again(catalog: Catalog) -> None:
    pages = Pending(lambda: catalog.of_run("run"), [document_id("http://a.es/1")])
    for number in (1, 2, 2, 3):
        pages.add(fetch(number))
    assert take_all(pages) == ["http://a.es/2", "http://a.es/3"]


def test_of_a_page_that_was_obtained_twice_the_first_is_read(catalog: Catalog) -> None:
    again = Fetch("http://a.es/1", 9.0, Outcome.FETCHED, 200, locator=Locator("x.warc.gz", 9, 1))
    for page in (fetch(1), fetch(2), again, Fetch("http://a.es/2", 10.0, Outcome.HTTP_ERROR, 500)):
        catalog.put(page, "run")
    live = Pending(lambda: catalog.of_run("run"), ())
    for page in (fetch(1), fetch(2), again):
        live.add(page)
    later = Pending(lambda: catalog.of_run("run"), ())
    assert [page.at for page in live.take(10)] == [page.at for page in later.take(10)] == [1.0, 2.0]


def test_what_a_killed_process_had_obtained_comes_before_what_comes_again(catalog: Catalog) -> None:
    catalog.put(fetch(1), "run")
    pages = Pending(lambda: catalog.of_run("run"), ())
    again = Fetch("http://a.es/1", 9.0, Outcome.FETCHED, 200, locator=Locator("x.warc.gz", 9, 1))
    catalog.put(again, "run")
    pages.add(again)
    assert [page.at for page in pages.take(10)] == [1.0]


def test_what_is_known_does_not_wait(catalog: Catalog) -> None:
    pending = Pending(lambda: iter(()), (), is_known=lambda fetch: fetch.url.endswith("known"))
    for name in ("a", "known", "b"):
        pending.add(Fetch(f"http://a.es/{name}", 1.0, Outcome.FETCHED, 200, locator=Locator("a", 0, 1)))
    assert pending.at_hand == 2, "readers are started for what waits"
    assert [fetch.url for fetch in pending.take(9)] == ["http://a.es/a", "http://a.es/b"]


def test_what_does_not_fit_is_found_again(catalog: Catalog) -> None:
    pages = Pending(lambda: catalog.of_run("run"), [], room=3, looked_at=2)
    assert take_all(pages) == []
    assert not pages.behind
    for number in range(10):
        catalog.put(fetch(number), "run")
        pages.add(fetch(number))
    assert (pages.at_hand, pages.behind) == (3, True)
    first = pages.take(2)
    catalog.put(fetch(10), "run")
    pages.add(fetch(10))
    taken = [page.url for page in first] + take_all(pages)
    assert sorted(taken) == sorted(f"http://a.es/{number}" for number in range(11))
    assert not pages.behind
