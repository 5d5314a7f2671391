"""The elements that hold the blocks of a page: their ranges, their surroundings and their names.

Everything is read from the flat page and its layout, whose order of nodes is the order of the document: the blocks inside an
element are a range of block numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from trasmallo.clean.flat import FlatPage
from trasmallo.clean.layout import Layout

Integers = NDArray[np.int64]

FLAGS = (
    "nav", "footer", "header", "aside", "article", "main", "form", "list", "table", "link", "figure", "heading", "button",
    "veiled", "body_property", "quote", "code", "details", "emphasis", "time",
)  # fmt: skip
_BIT = {flag: 1 << number for number, flag in enumerate(FLAGS)}
_BY_TAG = {
    tag: _BIT[flag]
    for tag, flag in {
        "nav": "nav", "menu": "nav", "footer": "footer", "header": "header", "aside": "aside", "article": "article",
        "main": "main", "form": "form", "fieldset": "form", "ul": "list", "ol": "list", "dl": "list", "table": "table",
        "a": "link", "figure": "figure", "h1": "heading", "h2": "heading", "h3": "heading", "h4": "heading", "h5": "heading",
        "h6": "heading", "button": "button", "blockquote": "quote", "pre": "code", "details": "details", "b": "emphasis",
        "strong": "emphasis", "em": "emphasis", "i": "emphasis", "time": "time",
    }.items()
}  # fmt: skip
_BY_ROLE = {
    role: _BIT[flag]
    for role, flag in {
        "navigation": "nav", "menu": "nav", "menubar": "nav", "banner": "header", "contentinfo": "footer",
        "complementary": "aside", "main": "main", "article": "article", "search": "form", "dialog": "veiled",
        "alertdialog": "veiled",
    }.items()
}  # fmt: skip
# Tags whose attributes seldom tell anything that those of the elements around them do not.
_PLAIN = frozenset(("a", "b", "strong", "em", "i", "font", "tr", "tbody", "html"))
_TELLING = frozenset(("role", "itemprop", "aria-hidden"))
_BODY_PROPERTIES = frozenset(("articleBody", "text", "description", "reviewBody"))
COMMENT, FORUM = 1, 2
"""Marks of names of elements: they speak of comments, of a forum."""
_MAX_NAME = 200
"""Characters of a class or id that are looked at. Judgement: names are shorter, what is longer is data."""
_MAX_KNOWN = 50_000
"""Names that are remembered; then all are forgotten. Judgement: a bound on memory."""
_WORD = re.compile("[A-Z]?[a-z]+|[A-Z]+")
_COMMENT = re.compile("comment|disqus|respon[ds]|discuss|repl(?:y|ies)|koment|opini|kommentar|guestbook")
_FORUM = re.compile("forum|thread|topic|postbody|message|answer")


def name_words(name: str) -> list[str]:
    """The words of a class or id attribute: `postBody main-text` has four."""
    found: list[str] = _WORD.findall(name[:_MAX_NAME])
    return found if name.islower() else [word.lower() for word in found]


class Names:
    """What the words of class and id attributes tell, remembered: a page repeats its names, and so does a site."""

    def __init__(self, score: Callable[[str], float | None]) -> None:
        """`score` gives what was learned of a word, None or 0 without anything."""
        self._score = score
        self._words: dict[str, tuple[float, int]] = {}
        self._parts: dict[str, tuple[float, float, int]] = {}
        self.known: dict[str, tuple[float, float, int]] = {}

    def __call__(self, name: str) -> tuple[float, float, int]:
        """The least and the greatest score of the words, and whether they speak of comments or of a forum."""
        found = self.known.get(name)
        if found is None:
            if len(self.known) >= _MAX_KNOWN:
                self.known.clear()
                self._parts.clear()
                self._words.clear()
            found = self.known[name] = self._read(name)
        return found

    def _read(self, name: str) -> tuple[float, float, int]:
        known, least, most, told = self._parts, 0.0, 0.0, 0
        for part in name[:_MAX_NAME].split():
            found = known.get(part)
            if found is None:
                found = known[part] = self._read_part(part)
            low, high, subject = found
            if low < least:
                least = low
            if high > most:
                most = high
            told |= subject
        return least, most, told

    def _read_part(self, part: str) -> tuple[float, float, int]:
        known, least, most, told = self._words, 0.0, 0.0, 0
        for word in name_words(part):
            found = known.get(word)
            if found is None:
                found = known[word] = self._score(word) or 0.0, _subject(word)
            score, subject = found
            if score < least:
                least = score
            elif score > most:
                most = score
            told |= subject
        return least, most, told


def _subject(word: str) -> int:
    return (COMMENT if _COMMENT.search(word) else 0) | (FORUM if _FORUM.search(word) else 0)


class Outline:
    """The elements around the blocks, each after its parent; parallel arrays, number 0 is the root.

    `tag`, `name` (class and id) and `flags` (bits of FLAGS, also of all above it) say what an element is, `start` and `end`
    which blocks it holds. `nearest` is the score of its name, or of the nearest name above it; `told` what all names around it
    tell: the least and greatest score, their sum, in which names further above count less, and their subjects. `wider` is the
    nearest element above it that holds more blocks. `holder` and `leaf` give for each block the element that holds it and the
    innermost one around its first text.
    """

    __slots__ = ("end", "flags", "holder", "leaf", "name", "nearest", "parent", "start", "tag", "told", "wider")

    def __init__(self, page: FlatPage, layout: Layout, names: Names) -> None:
        self.tag: list[str] = []
        self.name: list[str] = []
        self.flags: list[int] = [0]
        self.parent: list[int] = []
        self.nearest: list[float] = [0.0]
        self.told: list[tuple[float, float, float, int]] = [(0.0, 0.0, 0.0, 0)]
        index = self._gather(page, layout)
        self._describe(page, index)
        self._inherit(names)
        first = np.array(layout.first)
        self.start: Integers = np.searchsorted(first, index)
        self.end: Integers = np.searchsorted(first, np.array([page.end[i] for i in index]))
        self.wider: Integers = np.array(self._find_wider())

    def __len__(self) -> int:
        return len(self.tag)

    def _gather(self, page: FlatPage, layout: Layout) -> list[int]:
        """Number the elements above the first text of each block; gives their indices in the page."""
        known: dict[int, int] = {-1: 0}
        order: list[int] = []
        parent = page.parent
        for text in layout.first:
            index = parent[text]
            if index in known:
                continue
            chain = [index]
            while (index := parent[index]) not in known:
                chain.append(index)
            above = known[index]
            for index in reversed(chain):
                self.parent.append(above)
                above = known[index] = len(order)
                order.append(index)
        self.holder: Integers = np.array([known[index] for index in layout.node], dtype=np.int64)
        self.leaf: Integers = np.array([known[parent[index]] for index in layout.first], dtype=np.int64)
        return order

    def _describe(self, page: FlatPage, order: list[int]) -> None:
        """Read tags and attributes; the root's tell nothing of its blocks."""
        tags, attributes_of, flags_of, add_name = page.tag, page.parsed_attributes, _BY_TAG.get, self.name.append
        self.tag = [tags[index] for index in order]
        all_flags = self.flags
        add_name("")
        for index, tag, above in zip(order[1:], self.tag[1:], self.parent[1:], strict=True):
            flags, name = flags_of(tag, 0) | all_flags[above], ""
            if tag not in _PLAIN and (attributes := attributes_of(index)):
                name = attributes.get("class") or ""
                if "id" in attributes:
                    name = f"{name} {attributes['id'] or ''}"
                if not _TELLING.isdisjoint(attributes):
                    flags |= _told_by(attributes)
            add_name(name)
            all_flags.append(flags)

    def _inherit(self, names: Names) -> None:
        """Hand down what names tell; an element without a name tells what its parent does."""
        told, nearest, known = self.told, self.nearest, names.known.get
        for name, above in zip(self.name[1:], self.parent[1:], strict=True):
            if name:
                low, high, subject = known(name) or names(name)
                least, most, total, subjects = told[above]
                nearest.append(low + high)
                # Comparing takes a third of the time of `min` and `max`.
                if low < least:
                    least = low
                if high > most:
                    most = high
                told.append((least, most, 0.7 * total + low + high, subjects | subject))
            else:
                nearest.append(nearest[above])
                told.append(told[above])

    def _find_wider(self) -> list[int]:
        wider = [0] * len(self)
        same = ((self.start == self.start[self.parent]) & (self.end == self.end[self.parent])).tolist()
        for number, above in enumerate(self.parent):
            wider[number] = wider[above] if same[number] else above
        return wider


def _told_by(attributes: dict[str, str | None]) -> int:
    """The flags of other attributes than class and id."""
    flags = _BY_ROLE.get(attributes.get("role") or "", 0)
    if attributes.get("itemprop") in _BODY_PROPERTIES:
        flags |= _BIT["body_property"]
    if attributes.get("aria-hidden") == "true":
        flags |= _BIT["veiled"]
    return flags
