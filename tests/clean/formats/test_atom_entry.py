"""Entries of feeds read as documents."""

from __future__ import annotations

import pytest

from trasmallo.clean.formats.atom_entry import read_entry
from trasmallo.clean.formats.html_builder import HtmlBuilder, Unreadable
from trasmallo.clean.read import extract
from trasmallo.crawl.discover.feed_entries import atom_entry, named_entries
from trasmallo.crawl.discover.feeds import Feed, FeedEntry

HTML = "<p>El faro se <b>apagó</b> anoche.</p><script>alert(1)</script><p>Los barcos volvieron.</p>"


def test_an_entry_that_we_wrote() -> None:
    entry = FeedEntry(id="1", link="/n", title="El faro", author="Ana", published=1_704_153_600.0, content=HTML)
    feed = Feed("http://a.es/f", "rss20", title="Diario", language="es", entries=(entry,))
    content = atom_entry(named_entries(feed, 1.8e9)[0], feed)
    found = extract(content, "http://a.es/n", media="application/atom+xml")
    assert (found.title, found.text) == ("El faro", "El faro se apagó anoche.\nLos barcos volvieron.")
    page = HtmlBuilder()
    read_entry(content, page)
    assert page.language == "es"
    assert [(field.name, field.text) for field in page.fields] == [("author", "Ana"), ("date", "2024-01-02T00:00:00Z")]


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        ('<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Uno</p></div></content>', "<p>Uno</p>"),
        ("<summary>uno &amp;lt; dos</summary>", "<p>uno &amp;lt; dos</p>"),
        ("<title>x</title>", ""),
    ],
)
def test_kinds_of_content(content: str, shown: str) -> None:
    page = HtmlBuilder()
    read_entry(f'<feed xmlns="http://www.w3.org/2005/Atom"><entry>{content}</entry></feed>'.encode(), page)
    assert shown in page.document()


@pytest.mark.parametrize("content", [b"<rss/>", b"<entry/>", b"nothing", b""])
def test_other_files_are_refused(content: bytes) -> None:
    with pytest.raises((Unreadable, ValueError, SyntaxError)):
        read_entry(content, HtmlBuilder())
