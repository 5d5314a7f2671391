"""What an answer means to a crawl: its outcome in words, and whether asking again later may help."""

from __future__ import annotations

from email.utils import parsedate_to_datetime

from trasmallo.values.model import Failure, Fetch, Outcome, Response
from trasmallo.values.urls import resolve

_BY_STATUS = {
    304: (Outcome.UNCHANGED, "not modified"),
    401: (Outcome.LOGIN, "the server asks for a log-in"),
    403: (Outcome.BLOCKED, "forbidden"),
    404: (Outcome.MISSING, "not found"),
    407: (Outcome.LOGIN, "the proxy asks for a log-in"),
    410: (Outcome.MISSING, "gone"),
    429: (Outcome.BLOCKED, "too many requests"),
    451: (Outcome.BLOCKED, "unavailable for legal reasons"),
}
_PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Statuses that say nothing about the page itself."""

_WORTH_ANOTHER_TRY = frozenset({Outcome.NO_NETWORK, Outcome.NO_HOST, Outcome.UNREACHABLE, Outcome.TIMED_OUT, Outcome.BROKEN})
_LONGEST_VALIDATOR = 200  # judgement: characters; those of the usual servers have less than 60
_LONGEST_WAIT = 24 * 3600.0  # judgement: a day; a server may ask for years


def outcome_of(answer: Response | Failure) -> tuple[Outcome, str]:
    """The outcome and its cause in words; the cause is "" when all is well."""
    if isinstance(answer, Failure):
        return answer.outcome, answer.cause
    status = answer.status
    if 200 <= status < 300:
        return Outcome.FETCHED, ""
    if 300 <= status < 400 and status != 304:
        return (
            (Outcome.REDIRECTED, "") if location_of(answer) else (Outcome.BROKEN, f"status {status} without a usable Location")
        )
    outcome, cause = _BY_STATUS.get(
        status, (Outcome.HTTP_ERROR, "the server failed" if status >= 500 else "the server refused")
    )
    return outcome, f"{cause} (status {status})"


def location_of(answer: Response) -> str:
    """Where a redirect leads, canonical; "" when it leads nowhere we can go."""
    location = answer.header("location")
    return (resolve(answer.url, location) or "") if location else ""


def validators_of(answer: Response) -> tuple[str, str]:
    """What the next asking can be made conditional by: ETag and Last-Modified as sent; "" for one that is longer than any."""
    etag = modified = ""
    for name, value in reversed(answer.headers):  # of two the first counts
        low = name.lower()
        if low == "etag":
            etag = value.strip()
        elif low == "last-modified":
            modified = value.strip()
    return etag if len(etag) <= _LONGEST_VALIDATOR else "", modified if len(modified) <= _LONGEST_VALIDATOR else ""


def conditions_of(known: Fetch | None) -> dict[str, str]:
    """The headers that ask for a page unless it is as it is known (RFC 9110, section 13.1); none without validators."""
    if known is None:
        return {}
    fields = {"If-None-Match": known.etag, "If-Modified-Since": known.modified}
    return {name: value for name, value in fields.items() if value}


def media_of(answer: Response) -> str:
    """The bare media type of the header in lower case, "" without one."""
    return answer.header("content-type").partition(";")[0].strip().lower()


def charset_of(answer: Response) -> str:
    """The charset that the answer's header names, "" without one."""
    return charset_in(answer.header("content-type"))


def charset_in(content_type: str) -> str:
    """The charset in the value of a Content-Type, "" without one."""
    for parameter in content_type.split(";")[1:]:
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "charset":
            return value.strip(" \t\"'")
    return ""


def wait_asked_for(answer: Response | Failure, outcome: Outcome, now: float) -> float | None:
    """Seconds the server wants us to wait before another try (0 when it does not say); None when a try is no use."""
    if isinstance(answer, Failure):
        return 0.0 if outcome in _WORTH_ANOTHER_TRY else None
    if answer.status not in _PASSING and outcome is not Outcome.CHALLENGE:
        return 0.0 if outcome is Outcome.BROKEN else None
    return _retry_after(answer.header("retry-after"), now)


def asks_to_be_left_alone(outcome: Outcome, status: int) -> bool:
    """Whether an answer is the word of its whole host, a challenge or too many requests; other refusals are those of a page."""
    return outcome is Outcome.CHALLENGE or (outcome is Outcome.BLOCKED and status == 429)


def _retry_after(value: str, now: float) -> float:
    if value.strip().isdigit():
        return min(float(value), _LONGEST_WAIT)
    try:
        return min(max(0.0, parsedate_to_datetime(value).timestamp() - now), _LONGEST_WAIT)
    except (ValueError, TypeError, OverflowError):
        return 0.0
