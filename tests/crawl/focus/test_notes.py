from __future__ import annotations

import msgspec

from trasmallo.crawl.focus.notes import MOST_LINKS, PageNote, SeenLink, SeenPage, note
from trasmallo.crawl.focus.words import number_of


def test_a_note_keeps_words_of_anchor_address_and_surroundings() -> None:
    link = SeenLink("https://a.example/vela-latina", "La vela", "el barco de", "del puerto")
    (noted,) = note(SeenPage("https://a.example/", "Barcos", "texto", (link,)), frozenset(["la", "el", "de", "del"])).links
    assert noted.anchor_words == [number_of(word) for word in ("vela", "latina")]
    assert noted.context_words == [number_of(word) for word in ("barco", "puerto")]
    assert not noted.digit


def test_links_are_bounded_and_notes_travel() -> None:
    links = tuple(SeenLink(f"https://a.example/{number}", "x" * 500) for number in range(MOST_LINKS + 50))
    noted = note(SeenPage("https://a.example/", "t" * 900, "texto", links, example=True))
    assert (len(noted.links), len(noted.links[0].anchor), len(noted.title), noted.example) == (MOST_LINKS, 80, 200, True)
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(noted), type=PageNote) == noted
