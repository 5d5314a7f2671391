"""What answers mean."""

from __future__ import annotations

import pytest

from trasmallo.crawl.outcomes import charset_in, location_of, media_of, outcome_of, validators_of, wait_asked_for
from trasmallo.values.model import Failure, Outcome, Response

NOW = 1_000_000.0


def answer(status: int, **headers: str) -> Response:
    pairs = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Response("http://a.es/x/y", NOW, status, "", pairs, b"", b"")


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        (200, Outcome.FETCHED),
        (206, Outcome.FETCHED),
        (304, Outcome.UNCHANGED),
        (401, Outcome.LOGIN),
        (403, Outcome.BLOCKED),
        (404, Outcome.MISSING),
        (410, Outcome.MISSING),
        (418, Outcome.HTTP_ERROR),
        (429, Outcome.BLOCKED),
        (451, Outcome.BLOCKED),
        (500, Outcome.HTTP_ERROR),
        (999, Outcome.HTTP_ERROR),
    ],
)
def test_outcome_by_status(status: int, outcome: Outcome) -> None:
    found, cause = outcome_of(answer(status))
    assert found is outcome
    assert (cause == "") == (outcome is Outcome.FETCHED)


def test_redirects_need_somewhere_to_go() -> None:
    assert outcome_of(answer(301, location="../z")) == (Outcome.REDIRECTED, "")
    assert location_of(answer(301, location="../z")) == "http://a.es/z"
    assert outcome_of(answer(302, location="mailto:x@y"))[0] is Outcome.BROKEN
    assert outcome_of(answer(302))[0] is Outcome.BROKEN


def test_a_failure_keeps_its_own_cause() -> None:
    assert outcome_of(Failure("http://a.es/", NOW, Outcome.TLS, "expired")) == (Outcome.TLS, "expired")


@pytest.mark.parametrize(
    ("found", "wait"),
    [
        (answer(503), 0.0),
        (answer(503, retry_after="120"), 120.0),
        (answer(429, retry_after="9999999"), 86_400.0),
        (answer(503, retry_after="Mon, 12 Jan 1970 13:47:40 GMT"), 60.0),
        (answer(503, retry_after="Mon, 12 Jan 1970 13:00:00 GMT"), 0.0),
        (answer(503, retry_after="soon"), 0.0),
        (answer(404), None),
        (answer(301, location="mailto:x@y"), 0.0),
        (Failure("http://a.es/", NOW, Outcome.TIMED_OUT, ""), 0.0),
        (Failure("http://a.es/", NOW, Outcome.PRIVATE, ""), None),
        (Failure("http://a.es/", NOW, Outcome.TOO_LARGE, ""), None),
    ],
)
def test_whether_another_try_helps(found: Response | Failure, wait: float | None) -> None:
    outcome, _ = outcome_of(found)
    assert wait_asked_for(found, outcome, NOW) == wait


def test_types_and_charsets() -> None:
    assert media_of(answer(200, content_type="Text/HTML; charset=x")) == "text/html"
    assert media_of(answer(200)) == ""
    assert charset_in('text/html; Charset="ISO-8859-1"; x=y') == "ISO-8859-1"
    assert charset_in("text/html") == ""


def test_validators_are_those_that_stand_first_and_are_not_too_long() -> None:
    headers = (("ETAG", ' "a" '), ("Last-Modified", "Mon, 02 Nov 2026 10:00:00 GMT"), ("etag", '"b"'), ("last-modified", "x"))
    given = Response("http://a.es/", NOW, 304, "", headers, b"", b"")
    assert validators_of(given) == ('"a"', "Mon, 02 Nov 2026 10:00:00 GMT")
    assert validators_of(answer(200, etag="x" * 201)) == ("", "")
    assert validators_of(answer(304)) == ("", "")
