"""Pages sent to the user's own project; here a loopback server stands for the web app."""

from __future__ import annotations

import json
from collections.abc import Callable

from support.browsers.extension_desk import Desk
from support.browsers.loopback_site import Site

SEND = "async settings => window.trasmallo.sendPage(settings, {url: 'http://p/', html: '<p>gato', filter: {steps: []}})"


def test_a_page_is_posted_with_its_filter(open_desk: Callable[..., Desk], site: Site) -> None:
    desk = open_desk("<p>gato</p>")
    site.posted.clear()
    assert desk.panel.evaluate(SEND, {"app": site.url("/"), "token": "right", "project": "cats"}) == "send_done"
    ((path, authorisation, body),) = site.posted
    assert (path, authorisation) == ("/api/pages", "Bearer right")
    assert json.loads(body) == {"project": "cats", "url": "http://p/", "html": "<p>gato", "filter": {"steps": []}}


def test_what_goes_wrong_is_told(open_desk: Callable[..., Desk], site: Site) -> None:
    desk = open_desk("<p>gato</p>")
    assert desk.panel.evaluate(SEND, {"app": site.url("/"), "token": "wrong", "project": ""}) == "send_refused"
    assert desk.panel.evaluate(SEND, {"app": "http://127.0.0.1:9/", "token": "right", "project": ""}) == "send_silent"
    assert desk.panel.evaluate(SEND, {"app": "https://example.org/", "token": "right", "project": ""}) == "send_elsewhere"
    desk.press("send", said=True)
    assert desk.text("said").startswith("Say in the options where your project is")


def test_a_mark_of_the_page_in_front_is_posted(open_desk: Callable[..., Desk], site: Site) -> None:
    desk = open_desk("<p>gato</p>")
    site.posted.clear()
    send = "async settings => window.trasmallo.sendMark(settings, {url: 'http://p/', answer: 'yes'})"
    assert desk.panel.evaluate(send, {"app": site.url("/"), "token": "right", "project": "cats"}) == "send_done"
    ((path, authorisation, body),) = site.posted
    assert (path, authorisation) == ("/api/marks", "Bearer right")
    assert json.loads(body) == {"project": "cats", "url": "http://p/", "answer": "yes"}
    desk.press("mark-no", said=True)
    assert desk.text("said").startswith("Say in the options where your project is")
