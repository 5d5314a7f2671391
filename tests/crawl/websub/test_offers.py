"""Where an answer says that it may be subscribed to."""

from __future__ import annotations

import pytest

from support.effort import effort
from trasmallo.crawl.websub.offers import MOST_HUBS, Offer, find_offer, header_links, own_offer
from trasmallo.values.model import Response

URL = "http://a.es/feed"
HUB = "https://hub.es/"
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>A</title>
<link rel="hub" href="http://plain.es/"/><link rel="hub" href="https://hub.es/"/>
<link rel="self" href="/feed?Format=Atom"/></feed>"""


def answer(body: str = "", media: str = "text/html", *links: str) -> Response:
    headers = (("Content-Type", media), *(("Link", link) for link in links))
    return Response(URL, 1.0, 200, "OK", headers, body.encode(), body.encode())


@pytest.mark.parametrize(
    "links",
    [
        ('<https://hub.es/>; rel="hub"', '<http://a.es/f>; rel="self"'),
        ('<https://hub.es/>; rel="hub", </f>; rel=self',),
        ('<https://hub.es/>;rel=HUB;title="a, b; c",</f>; type="a"; rel="alternate self"',),
        ('<https://hub.es/>; rel="hub"; rel="self", </f>; REL = self',),
    ],
)
def test_headers_are_read(links: tuple[str, ...]) -> None:
    assert find_offer(answer("", "text/html", *links)) == Offer("http://a.es/f", (HUB,))


def test_headers_win_over_the_body() -> None:
    assert find_offer(answer(ATOM, "application/atom+xml", "<https://other.es/>; rel=hub")) == Offer(
        URL, ("https://other.es/",)
    )


def test_feeds_name_hub_and_themselves_as_they_like_it() -> None:
    assert find_offer(answer(ATOM, "application/atom+xml")) == Offer("http://a.es/feed?Format=Atom", (HUB, "http://plain.es/"))
    rss = f"""<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>x</title>
    <atom:link rel="hub" href="{HUB}"/></channel></rss>"""
    assert find_offer(answer(rss, "application/rss+xml")) == Offer(URL, (HUB,))


def test_pages_are_believed_in_their_head_only() -> None:
    head = f"<head><link rel='hub' href='{HUB}'><link rel=self href='/page'></head>"
    assert find_offer(answer(f"<html>{head}<body>x</body></html>")) == Offer("http://a.es/page", (HUB,))
    assert find_offer(answer(f"<html><body><p>x</p><link rel=hub href='{HUB}'><a rel=hub href='{HUB}'>h</a></body>")) is None


@pytest.mark.parametrize(
    "link",
    [
        *("", "<>", "rel=hub", "<javascript:alert(1)>; rel=hub", "<http://[>; rel=hub", f"<{HUB}>; rel=alternate"),
        *(f'<{HUB}>; rel=hub; anchor="/other"', f"<http://a.es/{'x' * 3000}>; rel=hub"),
    ],
)
def test_what_names_no_hub_offers_nothing(link: str) -> None:
    assert find_offer(answer("", "text/plain", link)) is None


def test_no_more_hubs_than_are_asked() -> None:
    found = find_offer(answer("", "text/plain", ", ".join(f"<https://hub{number}.es/>; rel=hub" for number in range(1000))))
    assert found is not None
    assert len(found.hubs) == MOST_HUBS


@pytest.mark.parametrize("unit", ["<", "<a>; ", '<a>;x="', '<a>;rel="\\', "<a>;a =", "<a>;a=", "<a>;;a"])
def test_hostile_headers_take_no_time(unit: str) -> None:
    repeated, begun = unit * (60_000 // len(unit)), unit + unit[-2:] * 30_000
    assert "hub" not in dict(header_links([repeated, begun]))
    assert effort(lambda: [*header_links([repeated, begun])], 0.5) < 0.5


def test_a_page_speaks_for_its_own_host_only() -> None:
    def offering(own: str) -> Response:
        return Response("http://a.es/f", 1.0, 200, "", (("Link", f"<http://hub/>; rel=hub, <{own}>; rel=self"),), b"", b"")

    assert own_offer(offering("http://victim.es/feed")) is None
    assert own_offer(offering("http://a.es/other")) == Offer("http://a.es/other", ("http://hub/",))
    assert own_offer(Response("http://a.es/f", 1.0, 200, "", (), b"", b"")) is None
