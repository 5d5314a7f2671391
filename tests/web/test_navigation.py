"""The menu and the palette."""

from __future__ import annotations

import pytest

from trasmallo.web import navigation
from trasmallo.web.views import all_pages
from trasmallo.web.words import Words


def test_every_place_leads_to_a_page() -> None:
    paths = {page.path for page in all_pages() if page.method == "GET"}
    shown = {place.path for place in navigation.OUTSIDE}
    shown |= {f"/p/{{project}}{place.path}" for place in navigation.MENU if not place.path.startswith("/tables/")}
    assert shown <= paths


@pytest.mark.parametrize("language", ["es", "en"])
def test_every_place_has_a_name(language: str) -> None:
    words = Words(language)
    assert all(words(f"nav.{entry.key}") for entry in navigation.places("x"))


def test_addresses_hold_any_name() -> None:
    assert navigation.entries("a b/ñ")[0].address == "/p/a%20b%2F%C3%B1"
    assert navigation.entries("") == []
    assert [entry.address for entry in navigation.places("")] == [place.path for place in navigation.OUTSIDE]
