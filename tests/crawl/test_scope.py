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
