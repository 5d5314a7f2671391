"""URLs by number and back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from trasmallo.crawl.revisit.addresses import Addresses

URLS = st.lists(st.text(max_size=9).map(lambda end: f"https://a.example/{end}"), unique=True, max_size=30)


@given(URLS, URLS)
def test_what_was_added_is_found_and_nothing_else(first: list[str], second: list[str]) -> None:
    addresses = Addresses()
    addresses.add(first)
    later = [url for url in second if url not in first]
    addresses.add(later)
    known = first + later
    assert list(addresses.find(known)) == list(range(len(known)))
    assert [addresses[number] for number in range(len(addresses))] == known
    assert list(addresses.find(["https://b.example/"])) == [-1]


def test_a_site_is_a_host() -> None:
    addresses = Addresses()
    assert list(addresses.add(["https://a.example/1", "https://b.example/1", "https://a.example/2"])) == [0, 1, 0]
