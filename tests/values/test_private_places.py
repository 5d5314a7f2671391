"""Names of private places."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.values.private_places import PrivatePlace, place_of, read_place
from trasmallo.values.urls import canonical


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("intranet", PrivatePlace("intranet")),
        ("Wiki.Intranet.example:8080", PrivatePlace("wiki.intranet.example", 8080)),
        ("*.intranet.example", PrivatePlace("*.intranet.example")),
        ("*.intranet.example:443", PrivatePlace("*.intranet.example", 443)),
        ("españa.example", PrivatePlace("xn--espaa-rta.example")),
        ("127.0.0.1:18080", PrivatePlace("127.0.0.1", 18080)),
        ("0x7f.1", PrivatePlace("127.0.0.1")),
        ("::1", PrivatePlace("::1")),
        ("[::1]", PrivatePlace("::1")),
        ("[::1]:8080", PrivatePlace("::1", 8080)),
        ("10.0.0.0/8", PrivatePlace(network="10.0.0.0/8")),
        ("10.1.2.3/8", PrivatePlace(network="10.0.0.0/8")),
        ("fd00::/8", PrivatePlace(network="fd00::/8")),
    ],
)
def test_places_as_people_write_them(text: str, place: PrivatePlace) -> None:
    assert read_place(text) == place


@pytest.mark.parametrize(
    "text",
    [
        "",
        "*",
        "*.",
        "*.10.0.0.1",
        "a.*.test",
        "http://intranet/",
        "a/b",
        "a b",
        "a:0",
        "a:99999",
        "a:b",
        "a:",
        "10.0.0.0/99",
        "0.0.0.0/0",
        "::/0",
        "[::1",
        "u@a",
        "a?b",
        "10.0.0.0/8:80",
    ],
)
def test_what_names_no_place(text: str) -> None:
    assert read_place(text) is None


@given(st.text(max_size=30))
def test_any_text_is_a_place_or_none(text: str) -> None:
    place = read_place(text)
    assert place is None or bool(place.host) != bool(place.network)


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("http://a.test/x", PrivatePlace("a.test", 80)),
        ("https://a.test/", PrivatePlace("a.test", 443)),
        ("https://a.test:8443/", PrivatePlace("a.test", 8443)),
        ("http://[::1]/", PrivatePlace("::1", 80)),
        ("http://[::1]:8080/", PrivatePlace("::1", 8080)),
    ],
)
def test_the_place_of_a_url(url: str, place: PrivatePlace) -> None:
    assert place_of(canonical(url)) == place
