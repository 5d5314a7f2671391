"""What a page may ask for, and what it may not."""

from __future__ import annotations

import asyncio

import pytest

from support.script_web import HOST, ScriptWeb
from trasmallo.crawl.browser.request_gate import MOST_REQUESTS, BrowserRequest, PageRequests, Refusal, RequestGate
from trasmallo.crawl.browser.tab import page_requests
from trasmallo.crawl.robots_rules import RobotsRules
from trasmallo.values.model import Response


def ask(web: ScriptWeb, *requests: BrowserRequest, page: PageRequests | None = None) -> list[Response | Refusal]:
    async def go() -> list[Response | Refusal]:
        gate, of_page = RequestGate(web, RobotsRules(web, "trasmallo")), page or page_requests(public=True)
        return [await gate.answer(request, of_page) for request in requests]

    return asyncio.run(go())


@pytest.mark.parametrize(
    ("request_", "cause"),
    [
        (BrowserRequest(url="file:///etc/passwd"), "no web address"),
        (BrowserRequest(url=HOST + "/i.png", kind="Image"), "brings no text"),
        (BrowserRequest(url=HOST + "/f.woff", kind="Font"), "brings no text"),
        (BrowserRequest(url=HOST + "/frame", kind="Document"), "brings no text"),
        (BrowserRequest(url=HOST + "/delete", method="POST"), "asks by POST"),
        (BrowserRequest(url="https://www.google-analytics.com/x.js", kind="Script"), "a tracker"),
        (BrowserRequest(url=HOST + "/collect?v=1"), "a tracker"),
        (BrowserRequest(url=HOST + "/secret/x"), "refused by robots.txt"),
        (BrowserRequest(url="http://127.0.0.1:7470/x"), "private address: a private address"),
    ],
)
def test_refusals_have_a_cause_and_ask_nothing(request_: BrowserRequest, cause: str) -> None:
    web = ScriptWeb()
    assert ask(web, request_) == [Refusal(cause)]
    assert [url for _, url in web.asked if not url.endswith("/robots.txt")] == []


def test_a_script_is_asked_for_once_and_data_each_time() -> None:
    web = ScriptWeb()
    script, data = BrowserRequest(url=HOST + "/start.js", kind="Script"), BrowserRequest(url=HOST + "/data.json")
    page = page_requests(public=True)
    answers = ask(web, script, script, data, data, page=page)
    assert all(isinstance(answer, Response) for answer in answers)
    assert [url.removeprefix(HOST) for _, url in web.asked] == ["/robots.txt", "/start.js", "/data.json", "/data.json"]
    assert (page.asked, len(page.received)) == (3, 3)


def test_a_page_has_a_limited_number_of_requests() -> None:
    web, page = ScriptWeb(), page_requests(public=True)
    ask(web, *[BrowserRequest(url=f"{HOST}/{number}") for number in range(MOST_REQUESTS + 5)], page=page)
    assert page.refused == {f"more than {MOST_REQUESTS} requests": 5}
