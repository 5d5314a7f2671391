"""The border of a crawl."""

from __future__ import annotations

import pytest

from trasmallo.config import CrawlConfig
from trasmallo.crawl.scope import Scope

SEEDS = ("http://www.example.es/", "http://127.0.0.1:8000/")


@pytest.mark.parametrize(
    ("reach", "url", "cause"),
    [
        ("host", "http://www.example.es/a", ""),
        ("host", "https://www.example.es:8443/a", ""),
        ("host", "http://example.es/a", "leads out of the seeds' hosts"),
        ("domain", "http://blog.example.es/a", ""),
        ("domain", "http://127.0.0.1:9000/", ""),
        ("domain", "http://127.0.0.2:8000/", "leads out of the seeds' domains"),
        ("domain", "http://other.es/", "leads out of the seeds' domains"),
        ("any", "http://other.es/", ""),
    ],
)
def test_reach(reach: str, url: str, cause: str) -> None:
    assert Scope(CrawlConfig(seeds=SEEDS, scope=reach)).refuses(url) == cause  # type: ignore[arg-type]


def test_a_redirect_may_leave_but_not_into_what_is_excluded() -> None:
    scope = Scope(CrawlConfig(seeds=SEEDS, exclude=("deportes",)))
    assert scope.refuses("http://other.es/", redirected=True) == ""
    assert scope.refuses("http://other.es/Deportes/1", redirected=True) == "excluded by 'Deportes'"


def test_exclusions_are_texts_not_patterns() -> None:
    scope = Scope(CrawlConfig(seeds=SEEDS, exclude=("a.b*",)))
    assert scope.refuses("http://www.example.es/axb") == ""
    assert scope.refuses("http://www.example.es/a.b*c") == "excluded by 'a.b*'"


def test_inclusions_are_patterns() -> None:
    scope = Scope(CrawlConfig(seeds=SEEDS, include=("/news/*.html",)))
    assert scope.refuses("http://www.example.es/news/a/b.html") == ""
    assert scope.refuses("http://www.example.es/news/a/b.pdf") == "matches none of the patterns to include"


def test_exclusions_change_while_it_runs() -> None:
    scope = Scope(CrawlConfig(seeds=SEEDS))
    assert scope.refuses("http://www.example.es/x") == ""
    scope.exclude(["/x"])
    assert scope.refuses("http://www.example.es/x") == "excluded by '/x'"
    scope.exclude([])
    assert scope.refuses("http://www.example.es/x") == ""


def test_a_dollar_means_the_end_so_that_a_whole_address_can_be_excluded() -> None:
    scope = Scope(CrawlConfig(seeds=SEEDS, exclude=("http://www.example.es/a$", ".pdf$")))
    assert scope.refuses("http://www.example.es/a") == "excluded by 'http://www.example.es/a'"
    assert scope.refuses("http://www.example.es/ab") == ""
    assert scope.refuses("http://www.example.es/x.PDF") == "excluded by '.PDF'"
    assert scope.refuses("http://www.example.es/x.pdf?page=2") == ""


def test_letters_beyond_ascii_are_found_as_addresses_have_them() -> None:
    scope = Scope(CrawlConfig(seeds=SEEDS, exclude=("año nuevo",)))
    assert scope.refuses("http://www.example.es/a%C3%B1o%20nuevo/") == "excluded by 'a%C3%B1o%20nuevo'"


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("*", "/a", True),
        ("*$", "/a", True),
        ("/a*b*c", "/xa/a-b-b-c-d", True),
        ("/a*b*c", "/a-c-b", False),
        ("/a*b*c$", "/a-b-c-b-c", True),
        ("/a*b*c$", "/a-b-c-d", False),
        ("/news/*$", "/news/x", True),
        ("*.html$", "/a.html?x", False),
        ("**a**b", "/ab", True),
    ],
)
def test_patterns(pattern: str, path: str, matches: bool) -> None:
    scope = Scope(CrawlConfig(seeds=SEEDS, include=(pattern,)))
    assert (scope.refuses("http://www.example.es" + path) == "") is matches


def test_a_pattern_of_many_stars_takes_no_longer_than_it_must() -> None:
    scope = Scope(CrawlConfig(seeds=SEEDS, include=("*a" * 30 + "*b", "*a" * 30 + "*b$")))
    assert scope.refuses("http://www.example.es/" + "a" * 8_000)


def test_what_was_queued_is_looked_at_again_but_seeds_need_not_match() -> None:
    scope = Scope(CrawlConfig(seeds=SEEDS))
    scope.include(["/news/"])
    assert scope.drops("http://other.es/news/1") == "", "a redirect led there"
    assert scope.drops("http://other.es/1") == "matches none of the patterns to include"
    assert scope.drops(SEEDS[0]) == ""
    scope.exclude([SEEDS[0] + "$"])
    assert scope.drops(SEEDS[0]) == f"excluded by '{SEEDS[0]}'"
