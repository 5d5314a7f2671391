"""Canonical URLs: known cases, and the laws that hold for all."""

from __future__ import annotations

import ada_url
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.strategies import pieces, urls
from trasmallo.values.errors import UrlError
from trasmallo.values.urls import LONGEST, canonical, host, host_hash, host_key, registered_domain, resolve


@pytest.mark.parametrize(
    ("typed", "form"),
    [
        ("HTTP://Example.ORG:80/a/../b/./c#part", "http://example.org/b/c"),
        ("https://example.org:443", "https://example.org/"),
        ("http://example.org:8080/", "http://example.org:8080/"),
        ("https://example.org:80/", "https://example.org:80/"),
        ("http://example.org/%7euser/%e1?q=%2f", "http://example.org/~user/%E1?q=%2F"),
        ("http://example.org/a?utm_source=x&id=3&fbclid=9", "http://example.org/a?id=3"),
        ("http://example.org/a?UTM_Source=x", "http://example.org/a"),
        ("http://example.org/a?", "http://example.org/a"),
        ("http://user:secret@example.org/", "http://example.org/"),
        ("http://example.org./", "http://example.org/"),
        ("http://café.es/año?ñ=1", "http://xn--caf-dma.es/a%C3%B1o?%C3%B1=1"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://[::1]:80/", "http://[::1]/"),
        ("http://example.org/100%", "http://example.org/100%"),
        ("http://example.org/%2%45", "http://example.org/%2%45"),
        ("  http://example.org/a b\n", "http://example.org/a%20b"),
        ("http:\\\\example.org\\a", "http://example.org/a"),
    ],
)
def test_known_forms(typed: str, form: str) -> None:
    assert canonical(typed) == form


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "example.org",
        "/a",
        "ftp://example.org/",
        "mailto:a@b.es",
        "javascript:alert(1)",
        "http://",
        "http://a:99999/",
        "http://a b/",
        "http://./f",
        "http://..:80/",
        "http://1../",
        "http://\ud800/",
        "http://e.org/" + "a" * LONGEST,
    ],
)
def test_what_is_no_address_is_refused_with_the_repair(typed: str) -> None:
    with pytest.raises(UrlError, match="write it in full, such as https://example.org/$"):
        canonical(typed)


@given(urls)
def test_canonical_is_idempotent(url: str) -> None:
    try:
        once = canonical(url)
    except UrlError:
        return
    assert canonical(once) == once
    assert "#" not in once


@given(urls, pieces)
def test_the_fast_path_agrees_with_the_slow_one(base: str, href: str) -> None:
    try:
        base = canonical(base)
    except UrlError:
        return
    try:
        joined = canonical(ada_url.join_url(base, href))
    except (ValueError, UrlError):
        joined = None
    assert resolve(base, href) == joined


@given(st.text())
def test_any_text_resolves_or_does_not(href: str) -> None:
    found = resolve("http://example.org/a/b", href)
    assert found is None or canonical(found) == found


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("c", "http://h.es/a/c"),
        ("../c", "http://h.es/c"),
        ("//other.es/x", "http://other.es/x"),
        ("?q=1", "http://h.es/a/b?q=1"),
        ("#x", "http://h.es/a/b"),
        ("", "http://h.es/a/b"),
        ("/a/./b", "http://h.es/a/b"),
        ("/..", "http://h.es/"),
        ("mailto:x@y", None),
        ("data:text/html,x", None),
    ],
)
def test_resolve(href: str, url: str | None) -> None:
    assert resolve("http://h.es/a/b", href) == url


def test_parts_of_a_url() -> None:
    assert host_key("http://a.es:8080/x/y") == "http://a.es:8080"
    assert host("http://a.es:8080/x") == "a.es"
    assert host("http://[::1]:8080/") == "[::1]"
    assert host("http://[::1]/") == "[::1]"


@pytest.mark.parametrize(
    ("name", "domain"),
    [
        ("news.bbc.co.uk", "bbc.co.uk"),
        ("a.b.example.es", "example.es"),
        ("com", "com"),
        ("localhost", "localhost"),
        ("127.0.0.1", "127.0.0.1"),
        ("[::1]", "[::1]"),
        ("h0001.test", "h0001.test"),
    ],
)
def test_registered_domain(name: str, domain: str) -> None:
    assert registered_domain(name) == domain


def test_the_host_hash_never_changes() -> None:
    assert host_hash("http://example.org") == 0x0FAC249B5A020004
