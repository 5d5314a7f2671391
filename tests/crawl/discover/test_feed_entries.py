"""Entries of feeds as documents: their addresses, digests and form."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from trasmallo.crawl.discover.feed_entries import NamedEntry, atom_entry, named_entries, text_of
from trasmallo.crawl.discover.feeds import Feed, FeedEntry

URL = "http://a.es/feed.xml"
AT = 1_704_153_600.0
ATOM = "{http://www.w3.org/2005/Atom}"


def names(*entries: FeedEntry) -> list[str]:
    return [found.url for found in named_entries(Feed(URL, "rss20", entries=entries), AT)]


def test_an_entry_is_called_by_its_link_else_by_its_feed_and_id() -> None:
    linked, bare = FeedEntry(id="1", link="/nota?utm_source=rss", content="uno"), FeedEntry(id="urn:x/2", content="dos")
    nameless = FeedEntry(title="t", content="tres")
    first, second, third = names(linked, bare, nameless)
    assert (first, second) == ("http://a.es/nota", f"{URL}#urn%3Ax%2F2")
    assert third.startswith(f"{URL}#")
    assert names(nameless) == [third]


def test_ids_that_several_have_tell_nothing() -> None:
    assert len(set(names(*(FeedEntry(id="same", content=text) for text in ("uno", "dos", "tres"))))) == 3


def test_links_that_several_have_are_no_names_unless_it_is_one_article_again() -> None:
    other = FeedEntry(id="2", link="http://a.es/", title="Otra", content="dos")
    assert names(FeedEntry(id="1", link="http://a.es/", title="Una", content="uno"), other) == [f"{URL}#1", f"{URL}#2"]
    again = (FeedEntry(id=str(day), link="/n", title="Una", content="x", updated=AT + day) for day in (1, 3, 2))
    (found,) = named_entries(Feed(URL, "rss20", entries=tuple(again)), AT)
    assert (found.url, found.entry.id) == ("http://a.es/n", "3")


def test_long_ids_and_a_link_to_the_feed_itself() -> None:
    (name,) = names(FeedEntry(id="x" * 5_000, link=URL, content="uno"))
    assert name.startswith(f"{URL}#")
    assert len(name) < 300


def test_dates_that_cannot_be_are_left_out() -> None:
    entry = FeedEntry(id="1", content="x", published=AT + 2 * 86_400, updated=5.0)
    (found,) = named_entries(Feed(URL, "", entries=(entry,)), AT)
    assert (found.entry.published, found.entry.updated) == (None, None)


def test_the_digest_is_of_what_is_said() -> None:
    first, second, third = (
        named_entries(Feed(URL, "", entries=(entry,)), AT)[0].digest
        for entry in (
            FeedEntry(id="1", link="/n", content="uno"),
            FeedEntry(id="2", link="/n", content="uno", updated=AT),
            FeedEntry(id="2", link="/n", content="dos", updated=AT),
        )
    )
    assert first == second != third


def test_what_has_no_word_is_no_text() -> None:
    assert text_of(FeedEntry(content="<p> &nbsp; <img src=x></p>", summary="Algo")) == "Algo"
    assert text_of(FeedEntry(content="<p>…</p>")) == ""


@given(st.text(), st.text(), st.text(), st.text(min_size=1, max_size=300))
def test_any_entry_is_well_formed(title: str, author: str, content: str, id_: str) -> None:
    feed = Feed(
        URL, "rss20", title=title, language=author, entries=(FeedEntry(id=id_, title=title, author=author, content=content),)
    )
    (found,) = named_entries(feed, AT)
    assert isinstance(found, NamedEntry)
    root = ET.fromstring(atom_entry(found, feed))
    assert root.tag == f"{ATOM}entry"
    assert root.find(f"{ATOM}link").get("href") == found.url  # type: ignore[union-attr]
