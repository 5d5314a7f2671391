"""Topics that a crawl keeps to, and the user's marks: data, as the project keeps them and as workers are sent them."""

from __future__ import annotations

import msgspec


class Example(msgspec.Struct, frozen=True, kw_only=True):
    """A document that is on topic: where it was, its title and its text."""

    source: str
    title: str = ""
    text: str = ""


class Topic(msgspec.Struct, frozen=True, kw_only=True):
    """What a crawl is about: words, documents, or both."""

    name: str
    words: tuple[str, ...] = ()
    examples: tuple[Example, ...] = ()


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """What the user says of a page; of two marks of one page the later counts, and None takes a mark back."""

    url: str
    on_topic: bool | None
    at: float = 0.0


class FocusSetup(msgspec.Struct, frozen=True, kw_only=True):
    """What a crawl is to keep to, with the words of its languages that say nothing (`stop`)."""

    topics: tuple[Topic, ...] = ()
    stop: frozenset[str] = frozenset()


def standing(marks: list[Mark]) -> dict[str, bool]:
    """The marks that count, the last ones at the end."""
    last: dict[str, bool] = {}
    for mark in marks:
        last.pop(mark.url, None)
        if mark.on_topic is not None:
            last[mark.url] = mark.on_topic
    return last
