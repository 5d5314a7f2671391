"""Notes on pages that a crawl has seen: what a focus learns from, and all that it needs to learn it again."""

from __future__ import annotations

import msgspec

from trasmallo.crawl.focus.words import count_words, has_digit, lead_of, numbers_of, words_of, words_of_address

MOST_LINKS = 300
"""Links of a page that are noted. Judgement: more than an article has; the first ones stand in its text."""

_CONTEXT_WORDS = 6  # judgement: words on each side of an anchor, about a clause
_LONGEST_ANCHOR = 80  # judgement: characters of an anchor that a person reads in a reason


class SeenLink(msgspec.Struct, frozen=True, gc=False):
    """A link as a page has it: where it leads, its anchor, and the text before and after it.

    `followed` when the crawl may ask for it: what is out of its scope tells of the page, and waits nowhere.
    """

    url: str
    anchor: str = ""
    before: str = ""
    after: str = ""
    followed: bool = True


class SeenPage(msgspec.Struct, frozen=True):
    """A page as a crawl has it. `example` says that it is on topic: a start page, or a document that the user gave."""

    url: str
    title: str = ""
    text: str = ""
    links: tuple[SeenLink, ...] = ()
    example: bool = False


class LinkNote(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A link: the numbers of the words of its anchor and address, and of those around it."""

    url: str
    anchor: str
    anchor_words: list[int]
    context_words: list[int]
    digit: bool = False
    followed: bool = True


class PageNote(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A page: the numbers of its words with their counts, its links, its lead, and the words of its title.

    `told` when another worker has seen it, whose harvest it counts for.
    """

    url: str
    title: str
    words: list[int]
    counts: list[int]
    links: list[LinkNote] = []
    example: bool = False
    lead: list[int] = []
    title_words: list[int] = []
    told: bool = False


def note(page: SeenPage, stop: frozenset[str] = frozenset()) -> PageNote:
    """What is kept of a page."""
    words, counts = count_words(page.title, page.text, stop)
    links = [_note_link(link, stop) for link in page.links[:MOST_LINKS]]
    return PageNote(
        url=page.url,
        title=page.title[:200],
        words=words,
        counts=counts,
        links=links,
        example=page.example,
        lead=lead_of(page.title, page.text, stop),
        title_words=sorted(set(numbers_of(words_of(page.title[:1_000]), stop))),
    )


def _note_link(link: SeenLink, stop: frozenset[str]) -> LinkNote:
    said = words_of(link.anchor[:200])
    named = [word for word in words_of_address(link.url) if word not in said]
    around = words_of(link.before)[-_CONTEXT_WORDS:] + words_of(link.after)[:_CONTEXT_WORDS]
    anchor = link.anchor[:_LONGEST_ANCHOR]
    words, context = numbers_of([*said, *named], stop), numbers_of(around, stop)
    return LinkNote(link.url, anchor, words, context, has_digit(anchor), link.followed)
