"""The judgement on every answer, before anything is read, learnt or followed.

1. What the status says (`outcomes`); a failure is what it says it is.
2. Headers by which a service says that the answer is its challenge, whatever the status.
3. A redirect that leads to a log-in, or where addresses that do not exist lead.
4. An error: a challenge, or the refusal of a service.
5. A page with status 2xx: nothing at all, a challenge, a log-in, or what the host says of an address that cannot exist.

Where it is not sure, an answer is content: a wrong judgement would lose a page.
"""

from __future__ import annotations

from trasmallo.crawl.judgement.challenges import shown_by_error, shown_by_headers, shown_by_page
from trasmallo.crawl.judgement.judgement import CONTENT, Judgement
from trasmallo.crawl.judgement.logins import is_login_page, leads_to_login
from trasmallo.crawl.judgement.page_facts import is_blank
from trasmallo.crawl.judgement.soft_404 import ProbeAnswer
from trasmallo.crawl.outcomes import location_of, media_of, outcome_of
from trasmallo.values.model import Failure, Outcome, Response

_PAGES = frozenset({"text/html", "application/xhtml+xml", ""})


def judge(answer: Response | Failure, probe: ProbeAnswer | None = None) -> Judgement:
    """What an answer is, and why it is no content. `probe` is what its host says of addresses that do not exist, if known."""
    by_status = Judgement(*outcome_of(answer))
    if isinstance(answer, Failure):
        return by_status
    if shown := shown_by_headers(answer):
        return shown
    if by_status.outcome is Outcome.REDIRECTED:
        return _redirect(answer, probe) or by_status
    if by_status.outcome in (Outcome.HTTP_ERROR, Outcome.BLOCKED):
        return (shown_by_error(answer) if media_of(answer) in _PAGES else None) or by_status
    return _page(answer, probe) if by_status.outcome is Outcome.FETCHED else by_status


def _redirect(answer: Response, probe: ProbeAnswer | None) -> Judgement | None:
    location = location_of(answer)
    if leads_to_login(answer.url, location):
        return Judgement(Outcome.LOGIN, f"leads to a log-in: {location}")
    if probe is not None and probe.redirects_like(answer):
        return Judgement(Outcome.SOFT_404, f"leads where addresses that do not exist lead: {location}")
    return None


def _page(answer: Response, probe: ProbeAnswer | None) -> Judgement:
    content = answer.content
    is_page = media_of(answer) in _PAGES
    if not content or content.isspace() or (is_page and is_blank(content)):
        return Judgement(Outcome.EMPTY, f"there is nothing in it (status {answer.status})")
    if not is_page:
        return CONTENT
    if shown := shown_by_page(answer):
        return shown
    if is_login_page(content, answer.url):
        return Judgement(Outcome.LOGIN, "a page that asks for a log-in")
    if probe is not None and probe.says_like(answer):
        return Judgement(Outcome.SOFT_404, f"says what its host says of addresses that do not exist: {probe.url}")
    return CONTENT
