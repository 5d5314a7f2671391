"""Where redirects end, as the catalog tells."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from trasmallo.config import CrawlConfig
from trasmallo.crawl.link_policy import MOST_HOPS
from trasmallo.results.redirect_chains import CIRCLE, NOT_FOLLOWED, lost_redirects
from trasmallo.store.catalog import Catalog
from trasmallo.values.model import Fetch, Outcome

ROOT = "http://a.test/"


def lost(folder: Path, ways: dict[str, str], pages: tuple[str, ...] = (), **crawl: object) -> dict[str, tuple[str, str]]:
    moved = [Fetch(ROOT + one, 2.0, Outcome.REDIRECTED, 301, location=ROOT + other) for one, other in ways.items()]
    with Catalog(folder / "catalog") as catalog:
        catalog.put_many([*moved, *(Fetch(ROOT + page, 2.0, Outcome.MISSING, 404) for page in pages)], "run")
        catalog.put_many([Fetch(ROOT + "old", 0.5, Outcome.FETCHED, 200)], "before")
        found = lost_redirects(catalog, "run", 1.0, CrawlConfig(**crawl))  # type: ignore[arg-type]
        return {each.url.removeprefix(ROOT): (each.what, each.cause.replace(ROOT, "")) for each in found}


def test_who_leads_into_a_circle_is_not_in_it(tmp_path: Path) -> None:
    ways = {"into": "1", "1": "2", "2": "3", "3": "1", "page": "there"}
    found = lost(tmp_path, ways, ("there",))
    assert found == {
        "1": (CIRCLE, "1 → 2 → 3 → 1"),
        "2": (CIRCLE, "2 → 3 → 1 → 2"),
        "3": (CIRCLE, "3 → 1 → 2 → 3"),
    }


def test_of_a_long_circle_its_beginning_is_told(tmp_path: Path) -> None:
    found = lost(tmp_path, {str(number): str((number + 1) % 9) for number in range(9)})
    assert found["0"] == (CIRCLE, "0 → 1 → 2 → 3 → … → 0")


def test_a_chain_that_is_too_long_ends_once(tmp_path: Path) -> None:
    ways = {str(number): str(number + 1) for number in range(MOST_HOPS + 1)}
    assert lost(tmp_path, ways) == {"10": (NOT_FOLLOWED, "more than 10 redirects: 11")}


def test_what_may_still_be_asked_for_is_no_incident(tmp_path: Path) -> None:
    ways = {"waits": "later", "earlier": "old", "out": "sport/1"}
    assert lost(tmp_path, ways, exclude=("sport",)) == {"out": (NOT_FOLLOWED, "excluded by 'sport': sport/1")}


@given(st.dictionaries(st.sampled_from("abcdefgh"), st.sampled_from("abcdefghxyz")))
def test_circles_are_those_that_come_back(tmp_path_factory: object, ways: dict[str, str]) -> None:
    def comes_back(name: str) -> bool:
        at = name
        for _ in range(len(ways)):
            at = ways.get(at, "")
            if at == name:
                return True
        return False

    found = lost(tmp_path_factory.mktemp("c"), ways)  # type: ignore[attr-defined]
    assert {name for name, (what, _) in found.items() if what == CIRCLE} == {name for name in ways if comes_back(name)}
