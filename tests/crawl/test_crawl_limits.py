"""How much a crawl may bring."""

from __future__ import annotations

import pytest

from trasmallo.config import CrawlConfig
from trasmallo.crawl.crawl_limits import HostLimits, extended, limit_reached
from trasmallo.values.model import Fetch, Outcome

HOST = "http://a.test"


def page(size: int = 0, outcome: Outcome = Outcome.FETCHED) -> Fetch:
    return Fetch(HOST + "/x", 0.0, outcome, size=size)


@pytest.mark.parametrize(
    ("config", "below", "reached", "cause"),
    [
        (CrawlConfig(pages=1_000), (999, 10**12, 1e9), (1_000, 0, 0.0), "the limit of 1,000 pages is reached"),
        (CrawlConfig(megabytes=2), (10**9, 1_999_999, 1e9), (0, 2_000_000, 0.0), "the limit of 2 megabytes is reached"),
        (CrawlConfig(minutes=3), (10**9, 10**12, 179.9), (0, 0, 180.0), "the limit of 3 minutes is reached"),
    ],
)
def test_limits_of_the_whole_crawl(
    config: CrawlConfig, below: tuple[int, int, float], reached: tuple[int, int, float], cause: str
) -> None:
    assert limit_reached(config, config.pages or None, *below) == ""
    assert limit_reached(config, config.pages or None, *reached) == cause


def test_without_limits_nothing_is_remembered() -> None:
    assert not HostLimits(CrawlConfig(pages=1, megabytes=1, minutes=1)).active


def test_pages_of_a_host() -> None:
    limits = HostLimits(CrawlConfig(pages_per_host=2))
    assert limits.active
    limits.restore([page(), page(outcome=Outcome.MISSING)])
    assert limits.refuses(HOST, 0.0) == ""
    limits.count(HOST, page())
    assert limits.refuses(HOST, 0.0) == "2 pages of this host are obtained"
    assert limits.refuses("http://b.test", 0.0) == ""


def test_a_limit_is_news_once_for_each_host() -> None:
    limits = HostLimits(CrawlConfig(pages_per_host=1))
    assert [limits.is_news(host) for host in (HOST, HOST, "http://b.test", HOST)] == [True, False, True, False]


def test_bytes_of_a_host() -> None:
    limits = HostLimits(CrawlConfig(megabytes_per_host=1))
    limits.count(HOST, page(999_999))
    assert limits.refuses(HOST, 0.0) == ""
    limits.count(HOST, page(1, Outcome.HTTP_ERROR))
    assert limits.refuses(HOST, 0.0) == "1 megabytes of this host are received"


def test_time_of_a_host_begins_when_it_is_first_asked() -> None:
    limits = HostLimits(CrawlConfig(minutes_per_host=1))
    limits.restore([page()])
    assert limits.refuses(HOST, 1_000.0) == ""
    assert limits.refuses(HOST, 1_059.0) == ""
    assert limits.refuses(HOST, 1_060.0) == "this host has had its 1 minutes"


def test_a_crawl_that_goes_on_after_a_limit_may_bring_as_much_again() -> None:
    limits = extended(CrawlConfig(pages=40, megabytes=2, minutes=3), 40, 1_500_000)
    assert (limits.pages, limits.megabytes, limits.minutes) == (80, 3, 3)
    none = extended(CrawlConfig(), 40, 1_500_000)
    assert (none.pages, none.megabytes) == (0, 0)
