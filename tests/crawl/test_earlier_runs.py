"""What a crawl makes of the runs before it."""

from __future__ import annotations

from trasmallo.crawl.earlier_runs import EarlierRuns
from trasmallo.values.model import Failure, Fetch, Locator, Outcome, Response, Target

URL, PLACE = "http://a.es/", Locator("a.warc.gz", 0, 10)
KNOWN = Fetch(URL, 1.0, Outcome.FETCHED, 200, locator=PLACE, etag='"x"', modified="Mon, 16 Nov 2026 10:00:00 GMT")
STORED = Response(URL, 1.0, 200, "OK", (), b"<a href=/b>b</a>", b"<a href=/b>b</a>")


def earlier(*, only_new: bool = False, known: Fetch | None = KNOWN, stored: Response | None = STORED) -> EarlierRuns:
    return EarlierRuns(lambda _urls: None, lambda _url: known, lambda _place: stored, lambda url: url == URL, only_new=only_new)


def test_a_page_is_asked_for_with_the_validators_of_its_last_version() -> None:
    assert earlier().conditions(URL) == {"If-None-Match": '"x"', "If-Modified-Since": "Mon, 16 Nov 2026 10:00:00 GMT"}
    assert earlier(known=None).conditions(URL) == {}
    assert earlier(known=Fetch(URL, 1.0, Outcome.FETCHED, 200)).conditions(URL) == {}


def test_an_answer_that_says_as_before_leads_where_the_stored_page_does() -> None:
    answer = Response(URL, 2.0, 304, "Not Modified", (), b"", b"", address="127.0.0.1")
    unchanged = Fetch(URL, 2.0, Outcome.UNCHANGED, 304, locator=PLACE)
    read = earlier().read_links_of(answer, unchanged)
    assert isinstance(read, Response)
    assert (read.content, read.at, read.address) == (STORED.content, 2.0, "127.0.0.1")
    assert earlier(stored=None).read_links_of(answer, unchanged) is answer
    assert earlier(only_new=True).read_links_of(answer, unchanged) is answer
    assert earlier().read_links_of(STORED, KNOWN) is STORED
    failure = Failure(URL, 2.0, Outcome.TIMED_OUT, "late")
    assert earlier().read_links_of(failure, Fetch(URL, 2.0, Outcome.TIMED_OUT)) is failure


def test_visits_lead_to_what_nobody_has_asked_for() -> None:
    found = [Target(URL), Target("http://a.es/new")]
    assert earlier().wanted(found) == found
    assert earlier(only_new=True).wanted(found) == [Target("http://a.es/new")]
